import { distinguishablePairs, sampled, type Samples, isDistinguishable } from './timing';

/** Random values around a mean. The same seed gives the same values in every run. */
const around = (middle: number, seed: number): readonly number[] =>
  Array.from({ length: 200 }, (_, index) => middle + (((index * 7_919 + seed * 104_729) % 1_000) / 1_000 - 0.5));
const runs = (middles: Readonly<Record<string, number>>): Samples[] =>
  [1, 2, 3].map((run) =>
    Object.fromEntries(Object.entries(middles).map(([name, middle], arm) => [name, around(middle, run * 10 + arm)])),
  );

describe('The timing rule', () => {
  it('does not distinguish samples with the same mean', () => {
    expect(isDistinguishable(runs({ known: 30, unknown: 30, disabled: 30 }))).toEqual([]);
  });

  it('finds a small difference that occurs in every run', () => {
    expect(isDistinguishable(runs({ known: 30.2, unknown: 30, disabled: 30 })).map(({ pair }) => pair)).toEqual([
      'known / unknown',
      'known / disabled',
    ]);
  });

  it('ignores a difference in one run of three, but not in two runs', () => {
    const [first, second, third] = runs({ known: 30, unknown: 30 }) as [Samples, Samples, Samples];
    const odd = { ...third, known: around(30.3, 5) };
    expect(isDistinguishable([first, second, odd])).toEqual([]);
    expect(isDistinguishable([first, odd, odd])).toHaveLength(1);
  });

  it('distinguishes samples whose medians are far apart, even if the statistical test finds no difference', () => {
    const wild = (middle: number) => [middle - 500, middle, middle + 500];
    const run = { known: wild(104), unknown: wild(100) };
    expect(isDistinguishable([run, run, run])).toMatchObject([{ often: false, difference: 4, bound: 3 }]);
  });

  it('calls each function equally often after some calls without a measurement, and finds the slower function', async () => {
    let calls = 0;
    const samples = await sampled(
      {
        quick: () => Promise.resolve((calls += 1) % 3),
        slow: () => Promise.resolve(100),
      },
      30,
    );
    expect([samples['quick']!.length, samples['slow']!.length, calls]).toEqual([30, 30, 50]);
    expect(isDistinguishable([samples, samples, samples])).toHaveLength(1);
  });

  it('judges after three runs, even if only the medians differ', async () => {
    const calls = { known: 0, unknown: 0 };
    const wild = (name: keyof typeof calls, middle: number) => () =>
      Promise.resolve(middle + (((calls[name] += 1) * 7_919) % 1_000) - 500);
    const found = await distinguishablePairs(
      { known: wild('known', 104), unknown: wild('unknown', 100) },
      () => Promise.resolve(),
      200,
    );
    expect(found).toMatchObject([{ often: false }]);
    expect(calls).toEqual({ known: 3 * (20 + 200), unknown: 3 * (20 + 200) });
  });
});
