/** The token under which Nest injects the opened stores, of the type `Charter` in `@charter/application`. */
export const STORES: unique symbol = Symbol('Stores');
