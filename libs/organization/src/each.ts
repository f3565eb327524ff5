/** A record with one value for each key, in the order of `keys`. */
export const each = <Key extends string, Value>(keys: readonly Key[], of: (key: Key) => Value) =>
  Object.fromEntries(keys.map((key) => [key, of(key)])) as Record<Key, Value>; // fromEntries has no type for keys

/** The keys of an object, typed as the keys of its type. */
export const keysOf = <Table extends object>(table: Table) => Object.keys(table) as (keyof Table & string)[];
