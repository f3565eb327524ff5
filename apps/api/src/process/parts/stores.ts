/** Charter, opened: its type is `Charter` of `@charter/application`. */
export const STORES: unique symbol = Symbol('Stores');
