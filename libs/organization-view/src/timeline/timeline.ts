import { type Immutable, momentAt } from '@charter/decider';
import { EventGroup, type EventType, eventTypes, groupOf, partChangedBy, Resource } from '@charter/organization';
import { z } from 'zod';
import { At, Revision } from '../answer-fields';
import { matchOf } from '../steps/subject';
import { entryHash, type TimelineRecord } from './timeline-record';

const Point = z.strictObject({ revision: Revision, at: At }).meta({ id: 'TimelinePoint' });

const Bin = z
  .strictObject({
    first: Revision.nullable().meta({
      description: 'The revision of the first event in the bin; null if the bin has no event',
    }),
    last: Revision.nullable(),
    from: At,
    to: At,
    events: z.int().min(0),
    groups: z.partialRecord(EventGroup, z.int().min(1)),
  })
  .meta({ id: 'TimelineBin' });

const Mark = z
  .strictObject({
    revision: Revision,
    at: At,
    effectiveAt: At.exactOptional().meta({
      description: 'The moment at which the event takes effect; absent if the event names no such moment',
    }),
    backDated: z
      .literal(true)
      .exactOptional()
      .meta({ description: 'The event takes effect before the moment at which it was recorded' }),
    type: z.string(),
    group: EventGroup,
  })
  .meta({ id: 'TimelineMark' });

const Over = z
  .strictObject({
    resource: Resource,
    from: Point,
    to: Point.nullable().meta({ description: 'The first event after which the limit is no longer exceeded' }),
    most: z.int().min(1),
  })
  .meta({ id: 'TimelineOver' });

/** The parts of a history that a time bar shows: its range, its bins, its marks, and when limits were exceeded. */
export const timelineFields = {
  first: Point,
  last: Point,
  bins: z.array(Bin),
  marks: z.array(Mark).meta({ description: 'The newest 500 marks; the oldest of them is first' }),
  marksInAll: z.int().min(0),
  over: z.array(Over).meta({ description: 'The newest 500 periods over a limit; the oldest of them is first' }),
  overInAll: z.int().min(0),
};
export type Timeline = Immutable<z.infer<z.ZodObject<typeof timelineFields>>>;

/** The options of a request for a timeline. */
export type TimelineWanted = Readonly<{
  axis: 'event' | 'time';
  /** The maximum number of bins. A timeline has fewer bins only if it has fewer events, or spans fewer milliseconds. */
  bins: number;
  /**
   * The segments of a path: bins and marks contain only events about this path. The timeline's range still covers all
   * events.
   */
  about?: readonly string[] | undefined;
}>;

/** One answer contains at most this number of marks, and at most this number of periods over a limit. */
export const MARKS_MAX = 500;

/** Prints the timeline of the first `events` events of a record. `events` is at least 1. */
export function printedTimeline(record: TimelineRecord, events: number, wanted: TimelineWanted): Timeline {
  const { at, effectiveAt, type: types } = record.columns;
  const isWanted = filterOf(record, wanted.about);
  const momentOf = (revision: number) => momentAt(at[revision]!);
  const pointOf = (revision: number) => ({ revision, at: momentOf(revision) });

  const marked = Array.from({ length: events }, (_, revision) => revision).filter(
    (revision) => markedTypes.has(types[revision]!) && isWanted(revision),
  );
  const marks = marked.slice(-MARKS_MAX).map((revision) => {
    const type = eventTypes[types[revision]!]!;
    const holdsFrom = effectiveAt[revision]!;
    return {
      ...pointOf(revision),
      ...(!Number.isNaN(holdsFrom) && { effectiveAt: momentAt(holdsFrom) }),
      ...(holdsFrom < at[revision]! && { backDated: true as const }),
      ...{ type, group: groupOf(type) },
    };
  });
  const over = record.over.filter(({ from }) => from < events);
  return {
    first: pointOf(0),
    last: pointOf(events - 1),
    bins: binsOf(record, events, wanted, isWanted),
    ...{ marks, marksInAll: marked.length },
    over: over.slice(-MARKS_MAX).map(({ resource, from, to, peaks }) => ({
      resource,
      from: pointOf(from),
      to: to === null || to >= events ? null : pointOf(to),
      most: peaks.findLast(({ revision }) => revision < events)!.most,
    })),
    overInAll: over.length,
  };
}

/** The number of events that were recorded at or before a moment. */
export function eventsBy({ events, columns: { at } }: TimelineRecord, moment: number): number {
  let [least, most] = [0, events];
  while (least < most) {
    const middle = Math.floor((least + most) / 2);
    if (at[middle]! <= moment) least = middle + 1;
    else most = middle;
  }
  return least;
}

type RevisionFilter = (revision: number) => boolean;

/** Divides the range into bins of almost equal size. Each wanted event is in exactly one bin. */
function binsOf(
  { columns: { at, type: types } }: TimelineRecord,
  events: number,
  { axis, bins }: TimelineWanted,
  isWanted: RevisionFilter,
): Timeline['bins'] {
  const isByTime = axis === 'time';
  const begin = isByTime ? at[0]! : 0;
  const size = isByTime ? at[events - 1]! - begin + 1 : events;
  const count = Math.min(bins, size);
  const startOf = (bin: number) => begin + Math.floor((bin * size) / count);
  const momentOf = (value: number) => momentAt(isByTime ? value : at[value]!);

  let revision = 0;
  return Array.from({ length: count }, (_, bin) => {
    const [start, end] = [startOf(bin), startOf(bin + 1) - 1];
    const inBin: number[] = [];
    for (; revision < events && (isByTime ? at[revision]! : revision) <= end; revision += 1)
      if (isWanted(revision)) inBin.push(revision);
    const counts = Map.groupBy(inBin, (each) => groupOf(eventTypes[types[each]!]!));
    return {
      ...{ first: inBin[0] ?? null, last: inBin.at(-1) ?? null, from: momentOf(start), to: momentOf(end) },
      events: inBin.length,
      groups: Object.fromEntries(
        EventGroup.options.flatMap((group) => (counts.has(group) ? [[group, counts.get(group)!.length]] : [])),
      ),
    };
  });
}

/**
 * Whether the timeline marks events of this type: changes of plans, add-ons and limits, and the closing and reopening
 * of the organization.
 */
const isMarked = (type: EventType): boolean =>
  ['plan', 'add-ons', 'limits'].includes(groupOf(type)) || partChangedBy(type).field === 'closed';
const markedTypes: ReadonlySet<number> = new Set(eventTypes.flatMap((type, index) => (isMarked(type) ? [index] : [])));

function filterOf({ columns: { type, entry } }: TimelineRecord, about: readonly string[] | undefined): RevisionFilter {
  if (!about) return () => true;
  const matches = eventTypes.map((each) => matchOf(each, about));
  const wanted = entryHash(about.at(-1)!);
  return (revision) => {
    const match = matches[type[revision]!]!;
    return match === 'all' || (match !== 'none' && entry[revision] === wanted);
  };
}
