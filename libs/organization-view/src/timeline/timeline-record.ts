import { hash } from 'node:crypto';
import type { Folded, Immutable, Recorded } from '@charter/decider';
import {
  changedPart,
  entitles,
  eventTypes,
  limitOf,
  type Organization,
  type OrganizationEvent,
  Resource,
} from '@charter/organization';
import { effectiveAtOf } from '../steps/step';

/**
 * The parts of a history that a time bar shows, in about 25 bytes for each event. A record never changes: for a longer
 * history, `continueTimeline` makes a new record from it.
 */
export type TimelineRecord = Immutable<{ events: number; over: OverLane[] }> & Readonly<{ columns: TimelineColumns }>;

/** Each array has one value for each event. Moments are milliseconds since 1970. */
type TimelineColumns = Readonly<{
  at: Float64Array;
  /** NaN if the event contains no `effectiveAt`. */
  effectiveAt: Float64Array;
  /** The index of the type in `eventTypes`. */
  type: Uint8Array;
  /** A hash of the id of the entry that the event is about; 0 if the event is about a whole field. */
  entry: Float64Array;
}>;

/**
 * A period in which a limit was exceeded. `to` is the first event after which the limit was no longer exceeded; null
 * while the limit is exceeded.
 */
type OverLane = {
  resource: Resource;
  from: number;
  to: number | null;
  /** The revisions at which the number of entries over the limit was higher than ever before in this period. */
  peaks: { revision: number; most: number }[];
};

export const emptyTimeline: TimelineRecord = { events: 0, columns: columnsOf(0), over: [] };

/** Builds a longer record: an earlier record and the events after it. The caller passes these events in order. */
export type TimelineBuilder = Readonly<{
  /** @param after the state after the event */
  take: (event: Recorded<OrganizationEvent>, after: Folded<Organization>) => void;
  end: () => TimelineRecord;
}>;

export function continueTimeline(record: TimelineRecord = emptyTimeline): TimelineBuilder {
  let { events } = record;
  let columns = resized(record.columns, events + LEAST_GROWTH);
  const over: OverLane[] = record.over.map((lane) => ({ ...lane, peaks: [...lane.peaks] }));
  const open = new Map(over.flatMap((lane) => (lane.to === null ? [[lane.resource, lane] as const] : [])));

  const noteOver = (resource: Resource, most: number, revision: number) => {
    const lane = open.get(resource);
    if (!lane && most > 0) {
      const begun: OverLane = { resource, from: revision, to: null, peaks: [{ revision, most }] };
      open.set(resource, begun);
      over.push(begun);
    } else if (lane && most === 0) {
      lane.to = revision;
      open.delete(resource);
    } else if (lane && most > lane.peaks.at(-1)!.most) lane.peaks.push({ revision, most });
  };

  return {
    take: (event, { state }) => {
      const { revision, metadata } = event;
      if (events === columns.at.length) columns = resized(columns, events * 2);
      const { effectiveAt } = effectiveAtOf(event);
      const [, id] = changedPart(event);
      columns.at[events] = Date.parse(metadata.at);
      columns.effectiveAt[events] = effectiveAt === undefined ? NaN : Date.parse(effectiveAt);
      columns.type[events] = eventTypes.indexOf(event.type);
      columns.entry[events] = id === undefined ? 0 : entryHash(id);
      events += 1;
      // an override can end between two events, so any event can be the first after its end
      if (!entitles(event) && state.override?.until == null) return;
      for (const resource of Resource.options) noteOver(resource, overOf(resource, state, metadata.at), revision);
    },
    end: () => ({ events, columns: resized(columns, events), over }),
  };
}

/**
 * The number of entries by which the organization exceeds a limit. A limit with a gate counts only while the gate's
 * feature is on.
 */
function overOf(resource: Resource, organization: Organization, at: string): number {
  const { gate, used, effective } = limitOf(resource, organization, at);
  return gate?.on === false ? 0 : Math.max(0, used - effective);
}

/** 52 bits of a hash. Among a million ids, the probability that two have the same hash is 1 in 9,000. */
export const entryHash = (id: string): number => parseInt(hash('sha256', id).slice(0, 13), 16) + 1;

const LEAST_GROWTH = 64;

function columnsOf(size: number): TimelineColumns {
  return {
    at: new Float64Array(size),
    effectiveAt: new Float64Array(size),
    type: new Uint8Array(size),
    entry: new Float64Array(size),
  };
}

/** A copy of the columns with room for `size` events. */
function resized(columns: TimelineColumns, size: number): TimelineColumns {
  const larger = columnsOf(size);
  for (const name of ['at', 'effectiveAt', 'type', 'entry'] as const)
    larger[name].set(columns[name].subarray(0, Math.min(size, columns[name].length)));
  return larger;
}
