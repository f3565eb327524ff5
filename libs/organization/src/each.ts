/** One value for each key, in the order of the keys. */
export const each = <Key extends string, Value>(keys: readonly Key[], of: (key: Key) => Value) =>
  Object.fromEntries(keys.map((key) => [key, of(key)])) as Record<Key, Value>; // the keys of exactly these

/** The keys of an object that a table spells out: it has no others. */
export const keysOf = <Table extends object>(table: Table) => Object.keys(table) as (keyof Table & string)[];
