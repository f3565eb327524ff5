/** The values that were used last, by key. */
export type Recent<Value> = Readonly<{
  /** A look counts as use. */
  get: (key: string) => Value | undefined;
  /** Keeps a value, and drops the one that was not used for the longest time if there are too many. */
  keep: (key: string, value: Value) => void;
  drop: (key: string) => void;
  clear: () => void;
  count: () => number;
}>;

export function recent<Value extends object>(keptMax: number): Recent<Value> {
  const kept = new Map<string, Value>(); // iterates in the order of use: the oldest first

  return {
    get: (key) => {
      const value = kept.get(key);
      if (value === undefined) return undefined;
      kept.delete(key);
      kept.set(key, value);
      return value;
    },
    keep: (key, value) => {
      kept.delete(key);
      kept.set(key, value);
      if (kept.size > keptMax) kept.delete(kept.keys().next().value!);
    },
    drop: (key) => void kept.delete(key),
    clear: () => kept.clear(),
    count: () => kept.size,
  };
}
