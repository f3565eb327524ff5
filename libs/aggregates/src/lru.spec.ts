import { recent } from './lru';

describe('what is kept', () => {
  it('is what was used last', () => {
    const kept = recent<{ n: number }>(2);
    kept.keep('a', { n: 1 });
    kept.keep('b', { n: 2 });
    expect(kept.get('a')).toEqual({ n: 1 }); // now b is the one that was not used for longest
    kept.keep('c', { n: 3 });
    expect(['a', 'b', 'c'].map((key) => kept.get(key)?.n)).toEqual([1, undefined, 3]);
    expect(kept.count()).toBe(2);
  });

  it('is the newest value of its key, until it is dropped', () => {
    const kept = recent<{ n: number }>(2);
    kept.keep('a', { n: 1 });
    kept.keep('a', { n: 2 });
    expect(kept.get('a')).toEqual({ n: 2 });
    kept.drop('a');
    expect(kept.get('a')).toBeUndefined();
    expect(kept.count()).toBe(0);
  });
});
