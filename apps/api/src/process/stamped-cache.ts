import { oncePerTick } from './once-per-tick';

/** A value that a store changes when a cached result may no longer hold, also after a change in another process. */
type Stamp = string | number;

/** Caches lookups until the stamp of their store changes. Without a stamp nothing is cached. */
export type StampedCache<Value> = Readonly<{
  /** Undefined: not cached, or not valid any longer. */
  get: (key: string) => Value | undefined;
  /** The stamp of this tick. A lookup reads it before it queries the store, and passes it to `set`. */
  stamp: () => Stamp | undefined;
  /** Does nothing if the stamp has changed since `asOf`. The value is valid until `until` (ms since 1970), if given. */
  set: (key: string, value: Value, asOf: Stamp | undefined, until?: number) => void;
  clear: () => void;
}>;

/**
 * The entries are in a `Map` that is cleared when it is full, not in an `LRUCache`: each change of the stamp clears the
 * cache, and `LRUCache.clear` overwrites its whole arrays (80 µs for 50,000 places, at each commit of the projector).
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
