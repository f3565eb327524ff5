/**
 * The two-sided p of the Mann-Whitney U test: the probability that two samples of one distribution differ at least
 * this much. The test uses the normal approximation with corrections for ties and continuity. This approximation is
 * good for samples of 20 values or more.
 */
export function mannWhitney(one: readonly number[], other: readonly number[]): number {
  const [m, n] = [one.length, other.length];
  const total = m + n;
  const { sum, ties } = rankSum(one, other);
  const u = sum - (m * (m + 1)) / 2;
  const variance = ((m * n) / 12) * (total + 1 - ties / (total * (total - 1)));
  if (variance === 0) return 1; // the values are all equal
  const z = Math.max(0, Math.abs(u - (m * n) / 2) - 0.5) / Math.sqrt(variance);
  return Math.min(1, 2 * upperTail(z));
}

/**
 * `sum`: the sum of the ranks that the values of `one` have among all values; equal values get their mean rank. `ties`:
 * the sum of t³ − t over all groups of t equal values.
 */
function rankSum(one: readonly number[], other: readonly number[]): { sum: number; ties: number } {
  const all = [...one.map((value) => ({ value, mine: 1 })), ...other.map((value) => ({ value, mine: 0 }))].sort(
    (left, right) => left.value - right.value,
  );
  let [sum, ties] = [0, 0];
  for (let from = 0; from < all.length;) {
    let to = from;
    while (to < all.length && all[to]!.value === all[from]!.value) to += 1;
    const rank = (from + 1 + to) / 2;
    for (let index = from; index < to; index += 1) sum += rank * all[index]!.mine;
    ties += (to - from) ** 3 - (to - from);
    from = to;
  }
  return { sum, ties };
}

/**
 * The probability that a standard normal value exceeds z, for z >= 0. Formula 26.2.17 of Abramowitz and Stegun, with an
 * error below 7.5e-8.
 */
function upperTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const polynomial = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * polynomial;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The quantile of a sample at `part`, between 0 and 1. Interpolates between the two nearest values. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  const place = (sorted.length - 1) * part;
  const [below, above] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!];
  return below + (above - below) * (place - Math.floor(place));
}

/** Which of several tests are significant at a level, corrected for their number (Holm 1979). */
export function holm(ps: readonly number[], level: number): readonly boolean[] {
  const order = ps.map((p, index) => ({ p, index })).sort((left, right) => left.p - right.p);
  const counts = ps.map(() => false);
  for (const [step, { p, index }] of order.entries()) {
    if (p > level / (ps.length - step)) break;
    counts[index] = true;
  }
  return counts;
}
