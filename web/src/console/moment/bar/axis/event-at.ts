import type { Timeline } from '@charter/client';

/** An event that was found for a moment. */
export type FoundEvent = Readonly<{
  revision: number;
  /**
   * Whether the loaded steps contain the moments of this event and of the next event. If a step is not loaded, the
   * revision is an estimate.
   */
  isExact: boolean;
}>;

type History = Readonly<{
  bins: Timeline['bins'];
  /** The revision of the last event. */
  head: number;
  /** The moment of an event in milliseconds; undefined if the event's step is not loaded. */
  momentOf: (revision: number) => number | undefined;
}>;

/**
 * The last event at or before a moment, in milliseconds. The search begins at an estimate from the bins of the
 * timeline, and continues through the loaded steps. If the search reaches a step that is not loaded, the result is an
 * estimate, and the caller should load that step.
 */
export function findEventAt(moment: number, { bins, head, momentOf }: History): FoundEvent {
  let revision = Math.min(head, estimate(bins, moment));
  /** Whether the event was recorded by the moment; undefined if its step is not loaded. */
  const isBy = (one: number) => {
    const at = momentOf(one);
    return at === undefined ? undefined : at <= moment;
  };
  while (revision > 0 && isBy(revision) === false) revision -= 1;
  while (revision < head && isBy(revision) === true && isBy(revision + 1) !== false) revision += 1;
  return { revision, isExact: isBy(revision) !== undefined };
}

/** Estimates the revision at a moment, as if the events of a bin were spread evenly over its time. */
function estimate(bins: Timeline['bins'], moment: number): number {
  const filled = bins.filter(({ first }) => first !== null);
  const bin = filled.findLast(({ from }) => Date.parse(from) <= moment) ?? filled[0];
  if (!bin) return 0;
  const [first, last] = [bin.first ?? 0, bin.last ?? 0];
  const [from, to] = [Date.parse(bin.from), Date.parse(bin.to)];
  const share = to > from ? Math.min(1, Math.max(0, (moment - from) / (to - from))) : 1;
  return Math.round(first + (last - first) * share);
}
