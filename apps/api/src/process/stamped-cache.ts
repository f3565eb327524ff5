import { oncePerTick } from './work/once-per-tick';

/** A value that a store changes when cached results may be out of date, even if another process made the change. */
type Stamp = string | number;

/** Caches results of lookups until the stamp of their store changes. If the store has no stamp, nothing is cached. */
export type StampedCache<Value> = Readonly<{
  /** Undefined if the value is not cached or may be out of date. */
  get: (key: string) => Value | undefined;
  /** The stamp in this tick. A lookup reads it before it queries the store, and passes it to `set`. */
  stamp: () => Stamp | undefined;
  /**
   * Keeps nothing if the stamp has changed since `asOf`. If `until` (in milliseconds since 1970) is given, the value is
   * valid until then.
   */
  set: (key: string, value: Value, asOf: Stamp | undefined, until?: number) => void;
  clear: () => void;
}>;

/**
 * Entries are in a `Map`, which is cleared when it is full, and not in an `LRUCache`. Each change of the stamp clears
 * the cache, and `LRUCache.clear` overwrites its whole arrays: 80 µs for 50,000 places, at each commit of the
 * projector.
 */
export function stampedCache<Value>(
  readStamp: (() => Stamp) | undefined,
  { max, now }: Readonly<{ max: number; now: () => number }>,
): StampedCache<Value> {
  if (!readStamp) return { get: () => undefined, stamp: () => undefined, set: () => undefined, clear: () => undefined };

  const entries = new Map<string, Readonly<{ value: Value; until: number }>>();
  const stampOfTick = oncePerTick(readStamp);
  let last: Stamp | undefined;

  const stamp = (): Stamp => {
    const current = stampOfTick();
    if (current !== last) entries.clear();
    last = current;
    return current;
  };
  return {
    stamp,
    get: (key) => {
      stamp();
      const entry = entries.get(key);
      return entry && (entry.until === Infinity || entry.until > now()) ? entry.value : undefined;
    },
    set: (key, value, asOf, until = Infinity) => {
      if (stamp() !== asOf) return;
      if (entries.size >= max) entries.clear();
      entries.set(key, { value, until });
    },
    clear: () => entries.clear(),
  };
}
