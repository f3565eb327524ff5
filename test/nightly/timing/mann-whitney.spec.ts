import { holm, mannWhitney, median, quantile } from './mann-whitney';

const upTo = (count: number, from = 1) => Array.from({ length: count }, (_, index) => from + index);

describe('The Mann-Whitney test', () => {
  // The expected values of p come from scipy.stats.mannwhitneyu(…, method='asymptotic').
  it.each([
    ['the example of the documentation of scipy', [19, 22, 16, 29, 24], [20, 11, 17, 12], 0.11134688653314041],
    ['equal samples', upTo(20), upTo(20), 1],
    ['samples that do not overlap', upTo(20), upTo(20, 21), 6.795615128173e-8],
    ['only ties', [5, 5, 5, 5], [5, 5, 5], 1],
  ])('gives the same p as scipy for %s', (_what, one, other, p) => {
    expect(mannWhitney(one, other)).toBeCloseTo(p, 6);
    expect(mannWhitney(other, one)).toBeCloseTo(p, 6);
  });

  it('corrects the variance for equal values (ties)', () => {
    // U = 1, mean 12.5, ties of 2, 3 and 2: variance 25/12 · (11 − 36/90), z = (11.5 − 0.5)/√22.0833
    expect(mannWhitney([1, 2, 2, 3, 3], [3, 4, 5, 5, 6])).toBeCloseTo(
      2 * (1 - phi(11 / Math.sqrt((25 / 12) * 10.6))),
      6,
    );
  });

  it('mostly distinguishes samples of 200 values between 0 and 3 if one is shifted by 0.25, but not samples of one distribution', () => {
    const random = randomFrom(42);
    const sample = (shift: number) => Array.from({ length: 200 }, () => random() + random() + random() + shift);
    const found = Array.from({ length: 40 }, () => mannWhitney(sample(0), sample(0.25)) <= 0.01);
    const imagined = Array.from({ length: 200 }, () => mannWhitney(sample(0), sample(0)) <= 0.01);
    expect(found.filter(Boolean).length).toBeGreaterThan(36);
    expect(imagined.filter(Boolean).length).toBeLessThan(9);
  });
});

it('A median can lie between two values of the sample, and the quantile 0.95 of the numbers from 0 to 100 is 95', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
  expect(quantile(upTo(101, 0), 0.95)).toBe(95);
});

it("Holm's correction accepts a p only if this p and all smaller p are within their bounds", () => {
  expect(holm([0.01, 0.04, 0.03], 0.05)).toEqual([true, false, false]);
  expect(holm([0.01, 0.02, 0.03], 0.05)).toEqual([true, true, true]);
  expect(holm([0.02, 0.9, 0.9], 0.05)).toEqual([false, false, false]);
});

/** The cumulative normal distribution, computed as a numerical integral of its density. */
function phi(z: number): number {
  const steps = 200_000;
  let sum = 0;
  for (let step = 0; step < steps; step += 1) sum += Math.exp(-((((step + 0.5) * z) / steps) ** 2) / 2);
  return 0.5 + (sum * z) / steps / Math.sqrt(2 * Math.PI);
}

/** Random numbers, in the same sequence in every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
