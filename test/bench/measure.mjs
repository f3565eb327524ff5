/**
 * Runs every measurement once in each round. The order is reversed in every second round, so a gradual change of the
 * machine's speed affects all measurements alike. Resolves with the figures of each measurement, in the order of the
 * rounds.
 */
export async function rounds(count, measures) {
  const figures = Object.fromEntries(Object.keys(measures).map((name) => [name, []]));
  for (let round = 0; round < count; round += 1) {
    const turn = Object.keys(measures);
    if (round % 2 === 1) turn.reverse();
    for (const name of turn) figures[name].push(await measures[name](round));
  }
  return figures;
}

/**
 * One line of the table. `values` has the figures of the product, and `floor` the figures of the program to compare
 * with, from the same rounds. The ratio is the median of the rounds' ratios. `target` has the bounds: `ratio` and
 * `value` as [least, most], and `more` as the largest allowed difference from the floor. `grows` has the medians of the
 * same figure with ten times and with a hundred times as much data.
 */
export function row({ name, unit, values, floor, target = {}, grows = {} }) {
  const value = median(values);
  const ratio = floor && median(values.map((each, round) => each / floor[round]));
  const more = floor && median(values.map((each, round) => each - floor[round]));
  return {
    name,
    value,
    unit,
    floor: floor && median(floor),
    ratio,
    target: textOf(target, unit),
    met: Object.keys(target).length === 0 ? null : isMet(target, { value, ratio, more }),
    spread: [Math.min(...values), Math.max(...values)],
    grows,
  };
}

export const median = (values) => quantile(values, 0.5);

/** A quantile: the value below which this share of the values lies, interpolated. */
export function quantile(values, share) {
  const sorted = Float64Array.from(values).sort();
  const place = (sorted.length - 1) * share;
  const below = Math.floor(place);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - below);
}

/** Runs the work, which has `count` operations, and resolves with the number of operations a second. */
export async function perSecond(count, work) {
  const begun = performance.now();
  await work();
  return (count * 1000) / (performance.now() - begun);
}

/** The duration of the work in milliseconds. */
export async function duration(work) {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

const isMet = (target, figures) =>
  Object.entries(target).every(([of, [least, most]]) => figures[of] >= least && figures[of] <= most);

const textOf = (target, unit) =>
  Object.entries(target)
    .map(([of, [least, most]]) => {
      const bound = most === Infinity ? `≥ ${least.toLocaleString('en')}` : `≤ ${most.toLocaleString('en')}`;
      return bound + { ratio: ' ×', value: ` ${unit}`, more: ` ${unit} more` }[of];
    })
    .join(', ');

export const atLeast = (bound) => [bound, Infinity];
export const atMost = (bound) => [-Infinity, bound];
