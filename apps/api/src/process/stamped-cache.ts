import { oncePerTick } from './work/once-per-tick';

/**
 * A value in a store. The store changes the stamp whenever cached results may be out of date, even if another process
 * changed the data.
 */
type Stamp = string | number;
/** Reads a stamp synchronously; undefined if the stamp is unknown. */
type ReadStamp = () => Stamp | undefined;

/**
 * How requests read a stamp. If the stores offer `refreshStamps`, a request calls it first, and the stamp is its
 * result. Otherwise all requests of a tick share one synchronous query.
 */
export const currentStamp = (
  readStamp: ReadStamp | undefined,
  { refreshStamps }: Readonly<{ refreshStamps?: () => Promise<void> }>,
): ReadStamp | undefined => (refreshStamps ? readStamp : readStamp && oncePerTick(readStamp));

/** Caches results of lookups until the stamp of their store changes. Without a known stamp, nothing is cached. */
export type StampedCache<Value> = Readonly<{
  /** Undefined if the value is not cached or may be out of date. */
  get: (key: string) => Value | undefined;
  /**
   * The stamp of the store. A lookup reads the stamp before it queries the store, and passes it
   * to `set`.
   */
  stamp: () => Stamp | undefined;
  /**
   * Stores the value, unless the stamp has changed since `asOf`. `until` is the end of the value's validity, in
   * milliseconds since 1970.
   */
  set: (key: string, value: Value, asOf: Stamp | undefined, until?: number) => void;
  clear: () => void;
}>;

/**
 * Uses a `Map` that is cleared when it is full, not an `LRUCache`. Each change of the stamp clears the cache, for
 * example each commit of the projector. `LRUCache.clear` would take 80 µs for 50,000 entries, because it overwrites
 * its arrays.
 */
export function stampedCache<Value>(
  readStamp: ReadStamp | undefined,
  { max, now }: Readonly<{ max: number; now: () => number }>,
): StampedCache<Value> {
  if (!readStamp) return { get: () => undefined, stamp: () => undefined, set: () => undefined, clear: () => undefined };

  const entries = new Map<string, Readonly<{ value: Value; until: number }>>();
  let last: Stamp | undefined;

  const stamp = (): Stamp | undefined => {
    const current = readStamp();
    if (current !== last) entries.clear();
    last = current;
    return current;
  };
  return {
    stamp,
    get: (key) => {
      if (stamp() === undefined) return undefined;
      const entry = entries.get(key);
      return entry && (entry.until === Infinity || entry.until > now()) ? entry.value : undefined;
    },
    set: (key, value, asOf, until = Infinity) => {
      if (asOf === undefined || stamp() !== asOf) return;
      if (entries.size >= max) entries.clear();
      entries.set(key, { value, until });
    },
    clear: () => entries.clear(),
  };
}
