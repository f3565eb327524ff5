/** Random numbers that are the same for the same seed, so that each demo has the same history. */
export type SeededRandom = Readonly<{
  /** A whole number from `from` to `to`, both included. */
  between: (from: number, to: number) => number;
  /** True with this probability, from 0 to 1. */
  chance: (probability: number) => boolean;
  /** One of the items; undefined if there are none. */
  oneOf: <Item>(items: readonly Item[]) => Item | undefined;
}>;

/**
 * The algorithm Mulberry32 is fast, and its numbers are distributed evenly enough for example data. The numbers are
 * predictable, so they are only for example data.
 */
export function seededRandom(seed: number): SeededRandom {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    between,
    chance: (probability) => next() < probability,
    oneOf: (items) => items[between(0, items.length - 1)],
  };
}
