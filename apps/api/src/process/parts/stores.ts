/** The token under which Nest injects the opened stores; their type is `Charter` in `@charter/application`. */
export const STORES: unique symbol = Symbol('Stores');
