import { setImmediate as nextTick } from 'node:timers/promises';
import { currentStamp, stampedCache } from './stamped-cache';

/** A cache over a store. The spec controls the store's stamp and the clock. */
function cacheOver({ max = 10, stores = {} }: { max?: number; stores?: Parameters<typeof currentStamp>[1] } = {}) {
  const store = { stamp: 1 as number | undefined, stampQueries: 0, now: 0 };
  const readStamp = () => {
    store.stampQueries += 1;
    return store.stamp;
  };
  return { store, cache: stampedCache<string>(currentStamp(readStamp, stores), { max, now: () => store.now }) };
}

describe('Stamped cache', () => {
  it('returns a value until the stamp changes', async () => {
    const { store, cache } = cacheOver();
    cache.set('key', 'value', cache.stamp());
    await nextTick();
    expect(cache.get('key')).toBe('value');
    store.stamp = 2;
    await nextTick();
    expect(cache.get('key')).toBeUndefined();
    store.stamp = 1;
    await nextTick();
    expect(cache.get('key')).toBeUndefined();
  });

  it('reads the stamp once in each tick', async () => {
    const { store, cache } = cacheOver();
    cache.set('key', 'value', cache.stamp());
    expect([cache.get('key'), cache.get('key'), cache.get('another')]).toEqual(['value', 'value', undefined]);
    expect(store.stampQueries).toBe(1);
    await nextTick();
    expect(cache.get('key')).toBe('value');
    expect(store.stampQueries).toBe(2);
  });

  it('does not store the result of a lookup if the stamp changed during the lookup', async () => {
    const { store, cache } = cacheOver();
    const asOf = cache.stamp();
    store.stamp = 2;
    await nextTick();
    cache.set('key', 'old value', asOf);
    expect(cache.get('key')).toBeUndefined();
  });

  it('does not store the result of a lookup that began before a change of the stamp, even if another lookup knows the new stamp', async () => {
    const { store, cache } = cacheOver();
    const asOf = cache.stamp();
    store.stamp = 2;
    await nextTick();
    expect(cache.get('another')).toBeUndefined();
    cache.set('key', 'old value', asOf);
    expect(cache.get('key')).toBeUndefined();
  });

  it('drops in the next tick a result that it stored in the same tick as a change of the stamp', async () => {
    const { store, cache } = cacheOver();
    const asOf = cache.stamp();
    store.stamp = 2;
    cache.set('key', 'old value', asOf);
    await nextTick();
    expect(cache.get('key')).toBeUndefined();
  });

  it('returns a value until the value expires', () => {
    const { store, cache } = cacheOver();
    cache.set('key', 'value', cache.stamp(), 60_000);
    cache.set('endless', 'value', cache.stamp());
    store.now = 59_999;
    expect(cache.get('key')).toBe('value');
    store.now = 60_000;
    expect(cache.get('key')).toBeUndefined();
    expect(cache.get('endless')).toBe('value');
  });

  it('contains at most its maximum number of values', () => {
    const { cache } = cacheOver({ max: 3 });
    const keys = ['a', 'b', 'c', 'd'];
    for (const key of keys) cache.set(key, key, cache.stamp());
    expect(keys.map(cache.get)).toEqual([undefined, undefined, undefined, 'd']);
  });

  it('returns no value after it is cleared', () => {
    const { cache } = cacheOver();
    cache.set('key', 'value', cache.stamp());
    cache.clear();
    expect(cache.get('key')).toBeUndefined();
  });

  it('reads the stamp each time if requests refresh the stamp, and returns no value while the stamp is unknown', () => {
    const { store, cache } = cacheOver({ stores: { refreshStamps: () => Promise.resolve() } });
    cache.set('key', 'value', cache.stamp());
    expect(cache.get('key')).toBe('value');
    store.stamp = undefined;
    expect(cache.get('key')).toBeUndefined();
    cache.set('key', 'value', cache.stamp());
    store.stamp = 1;
    expect(cache.get('key')).toBeUndefined();
  });

  it('caches nothing if the store has no stamp', () => {
    const cache = stampedCache<string>(undefined, { max: 10, now: () => 0 });
    cache.set('key', 'value', cache.stamp());
    expect(cache.get('key')).toBeUndefined();
  });
});
