import { type HistoryPoint, UnknownRevision } from '@charter/aggregates';
import type { Folded, Moment } from '@charter/decider';
import { countFirstEvents, hasMetadata, lastEventOf, metadataOf, type StoredEvent } from '@charter/event-log';
import type { Organization } from '@charter/organization';
import type { Charter } from '../../charter';

/** Which state to read: an event counts if it is recorded up to `until` and is in force at `valid`. */
type StateRange = Readonly<{ until?: HistoryPoint | undefined; valid?: Moment | undefined }>;

/** A prepared read of a state. */
type StateRead = Readonly<{
  /** The number of events that `read` would read. */
  events: number;
  /**
   * Resolves with the state; undefined before the first event. The caller may keep the state.
   * @throws UnreadableStream; the reason of `gone`
   */
  read: (gone?: AbortSignal) => Promise<Folded<Organization> | undefined>;
}>;

/** Reads past states of long histories, beginning with cached states. */
export type StateReader = Readonly<{
  /** @throws UnknownRevision if the point is a revision beyond the end */
  prepare: (stream: string, range: StateRange) => Promise<StateRead>;
}>;

export function createStateReader({
  log,
  snapshotReplay: { replay, load, distance },
}: Pick<Charter, 'log' | 'snapshotReplay'>): StateReader {
  return {
    prepare: async (stream, { until, valid }) => {
      const to = await revisionUntil(log, stream, until);
      if (to < 0) return { events: 0, read: () => Promise.resolve(undefined) };
      // The replay reads at least one event, because the event's hash shows whether another log has replaced this log.
      const from = to - 1;
      await load(stream, from, valid);
      return {
        events: distance(stream, from, valid) + 1,
        read: (gone) => replay(stream, { from, to, valid }, () => (_event, _before, fold) => void fold(), gone),
      };
    },
  };
}

/**
 * The revision of the last event at or before a point; −1 if there is none. If the point is a moment, a binary search
 * finds the event. If the search ends at an event without metadata, the result is this event's revision, so that the
 * caller's fold reports the event as unreadable.
 * @throws UnknownRevision if the point is a revision beyond the end
 */
export async function revisionUntil(
  log: Charter['log'],
  stream: string,
  until: HistoryPoint | undefined,
): Promise<number> {
  const last = Number((await lastEventOf(log, stream))?.revision ?? -1);
  if (!until || last < 0) return last;
  if ('revision' in until) {
    if (until.revision > last) throw new UnknownRevision(stream, until.revision, last);
    return until.revision;
  }
  const unreadable = new Set<number>();
  const isBy = (event: StoredEvent) => {
    if (hasMetadata(event)) return metadataOf(event).at! <= until.moment;
    unreadable.add(Number(event.revision));
    return false;
  };
  const count = await countFirstEvents(log, stream, last, isBy);
  return unreadable.has(count) ? count : count - 1;
}
