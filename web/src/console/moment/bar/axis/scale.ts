import type { Timeline } from '@charter/client';

/** The scale of the time bar: equal steps for events, or equal steps for minutes. */
export type Axis = 'event' | 'time';

export const MINUTE = 60_000;
/** The last minute of the year 9999, because an address can contain no later moment. */
const LAST_MINUTE = Date.UTC(9999, 11, 31, 23, 59) / MINUTE;

/** An event on the axis: its revision and its moment. */
type Point = Readonly<{ revision: number; at: string }>;

type ScaleOf = Readonly<{
  timeline: Timeline;
  axis: Axis;
  /** Whether the slider chooses a moment in force, which may be in the future. */
  isInForce: boolean;
  /** The revision of the last event. */
  head: number;
  /** Milliseconds since 1970. */
  now: number;
}>;

/**
 * Where the events and moments of a history appear in the picture. A place is a share of the picture's width between 0
 * and 1: 0 is the founding.
 */
export type Scale = Readonly<{
  /** The first and the last minute of a slider over minutes, counted since 1970. */
  minutes: Readonly<{ first: number; last: number }>;
  /** The share of the width that the slider covers. */
  sliderShare: number;
  placeOf: (point: Point) => number;
  placeOfMoment: (moment: number) => number;
  /** The place of an event whose moment is not known. */
  placeOfRevision: (revision: number) => number;
  now: number;
  /** The changes that are known to happen in the future, such as the end of an override. */
  ahead: readonly Readonly<{ at: string; place: number }>[];
}>;

/** The place of the present, if the picture also shows future changes that the slider cannot reach. */
const SHARE_BEFORE_NOW = 0.88;

export function scaleOf({ timeline, axis, isInForce, head, now }: ScaleOf): Scale {
  const begin = Math.floor(Date.parse(timeline.first.at) / MINUTE);
  const coming = (timeline.ahead ?? []).map(({ at }) => at);
  const isFutureInRange = isInForce && axis === 'time';
  const ends = [now, ...(isFutureInRange ? coming.map((at) => Date.parse(at) + MINUTE) : [])];
  const end = Math.min(LAST_MINUTE, Math.ceil(Math.max(...ends) / MINUTE));
  const minutes = { first: begin, last: Math.max(begin + 1, end) };
  const sliderShare = coming.length > 0 && !isFutureInRange ? SHARE_BEFORE_NOW : 1;

  const share = (value: number, from: number, to: number) =>
    to <= from ? 0 : Math.min(1, Math.max(0, (value - from) / (to - from))) * sliderShare;
  const placeOfMoment = (moment: number) => share(moment, minutes.first * MINUTE, minutes.last * MINUTE);
  const byEvent = (revision: number) => share(revision, 0, head);
  const isByEvent = axis === 'event';
  return {
    ...{ minutes, sliderShare, placeOfMoment },
    placeOf: ({ revision, at }) => (isByEvent ? byEvent(revision) : placeOfMoment(Date.parse(at))),
    placeOfRevision: (revision) =>
      isByEvent ? byEvent(revision) : placeOfMoment(estimatedMoment(timeline.bins, revision)),
    now: isFutureInRange ? placeOfMoment(now) : sliderShare,
    ahead: coming.map((at, index) => ({
      at,
      place: isFutureInRange
        ? placeOfMoment(Date.parse(at))
        : sliderShare + ((1 - sliderShare) * (index + 1)) / (coming.length + 1),
    })),
  };
}

/** The moment of an event, estimated from the bin that contains the event. */
function estimatedMoment(bins: Timeline['bins'], revision: number): number {
  const bin = bins.findLast(({ first }) => first !== null && first <= revision);
  if (!bin) return 0;
  const [first, last] = [bin.first ?? 0, bin.last ?? 0];
  const [from, to] = [Date.parse(bin.from), Date.parse(bin.to)];
  return last === first ? to : from + ((to - from) * Math.min(revision - first, last - first)) / (last - first);
}

/** A label below the picture: the year, month, day or time at which the bin above the label begins. */
type Tick = Readonly<{ at: string; place: number; label: string }>;

const units = ['year', 'month', 'day', 'hour'] as const;

/**
 * The labels below the picture, in the largest unit that has at least two different labels. The labels do not overlap.
 * @param print prints a moment in a unit, in the chosen time zone
 */
export function ticksOf(
  { bins }: Timeline,
  { placeOf, sliderShare }: Scale,
  print: (at: string, unit: (typeof units)[number]) => string,
): readonly Tick[] {
  const begun = bins.filter(({ first }) => first !== null);
  for (const unit of units) {
    const labels = begun.map(({ from }) => print(from, unit));
    const ticks = begun.flatMap(({ from: at, first }, index) => {
      const label = labels[index]!;
      return label === labels[index - 1] ? [] : [{ at, place: placeOf({ revision: first ?? 0, at }), label }];
    });
    if (ticks.length > 1) return apart(ticks, TICK_SHARE, sliderShare - TICK_SHARE);
  }
  return [];
}
const TICK_SHARE = 0.2;

/**
 * Leaves out each item that is closer than `distance` to the previous remaining item, or lies beyond the place `last`.
 */
export function apart<Item extends Readonly<{ place: number }>>(
  items: readonly Item[],
  distance: number,
  last = 1,
): readonly Item[] {
  let free = 0;
  return items.filter(({ place }) => {
    if (place < free || place > last) return false;
    free = place + distance;
    return true;
  });
}
