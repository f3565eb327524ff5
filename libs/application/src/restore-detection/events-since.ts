import type { Metadata } from '@charter/decider';
import {
  isLogError,
  type ProjectionCheckpoint,
  type EventLog,
  EMPTY_LOG_POSITION,
  readSince,
  type StoredEvent,
} from '@charter/event-log';
import { validateCheckpoint } from '@charter/projections';
import type { InstallationMarks } from '@charter/database';

/**
 * A mark in the tables that says up to which event some streams were replayed into the tables. A restore of older
 * tables also restores the older mark.
 */
export type LogBookmark = Readonly<{
  mark: string;
  streams: readonly string[];
  /**
   * Types of events whose effect is always final. They are replayed at once, even if the action that recorded them is
   * still running.
   */
  final?: readonly string[];
}>;

const PEOPLE: LogBookmark = { mark: 'people-follow', streams: ['account-', 'key-'], final: ['AccountErased'] };
/** Erasures are replayed more often than other changes, so they have a separate bookmark. */
export const ERASURE_BOOKMARK: LogBookmark = { mark: 'erasures-follow', streams: ['account-'] };

type Stores = Readonly<{ log: EventLog; database: Readonly<{ marks: InstallationMarks }> }>;

/** The events after the bookmark. `followed` moves the bookmark behind these events. */
export type EventsSince = Readonly<{ events: AsyncIterable<StoredEvent>; followed: () => Promise<void> }>;

/**
 * The events whose effects the tables may lack; by default the events of accounts and keys. If the tables have no
 * bookmark, or a bookmark of another log, these are all events.
 * @param upTo milliseconds since 1970. A later event may belong to an action that is still running, so it waits for the
 * next call. Events of final types do not wait.
 */
export async function eventsSinceBookmark(
  { log, database: { marks } }: Stores,
  upTo: number,
  bookmark = PEOPLE,
): Promise<EventsSince> {
  const mark = await validCheckpoint(log, await marks.get(bookmark.mark));
  const store = await log.identity();
  const end = await lastOf(log);
  let reached: LastEvent | undefined;

  async function* events() {
    if (!end) return;
    let isLate = false;
    for await (const event of readSince(log, mark?.position ?? EMPTY_LOG_POSITION, bookmark.streams)) {
      if (event.position > end.position) break;
      if (event.position <= (mark?.position ?? EMPTY_LOG_POSITION)) continue;
      isLate ||= momentOf(event) > upTo;
      if (isLate && !bookmark.final?.includes(event.type)) continue;
      yield event;
      if (!isLate) reached = lastEventOf(event);
    }
    // The next call begins after this event, even if it belongs to a stream that is not replayed.
    if (!isLate && momentOf(end) <= upTo) reached = lastEventOf(end);
  }
  const followed = async () => {
    const lastEvent = reached;
    if (lastEvent) await marks.set(bookmark.mark, JSON.stringify({ store, position: lastEvent.position, lastEvent }));
  };
  return { events: events(), followed };
}

/** Deletes the bookmarks after an import of tables, so that the next replay begins with the first event of the log. */
export async function resetBookmark(marks: InstallationMarks): Promise<void> {
  for (const { mark } of [PEOPLE, ERASURE_BOOKMARK]) await marks.set(mark, '');
}

/** The log, and the position up to which its events were replayed into the people tables. */
export async function peopleBookmark(marks: InstallationMarks): Promise<ProjectionCheckpoint | undefined> {
  const text = await marks.get(PEOPLE.mark);
  return text ? (JSON.parse(text) as ProjectionCheckpoint) : undefined;
}

type LastEvent = NonNullable<ProjectionCheckpoint['lastEvent']>;
const lastEventOf = ({ position, id }: StoredEvent): LastEvent => ({ position, id });
const momentOf = ({ metadata }: StoredEvent) => Date.parse((metadata as Metadata | undefined)?.at ?? '') || 0;

/** Parses a stored checkpoint. Undefined if there is none, or if it belongs to another log. */
async function validCheckpoint(log: EventLog, text: string | undefined): Promise<ProjectionCheckpoint | undefined> {
  if (!text) return undefined;
  const mark = JSON.parse(text) as ProjectionCheckpoint;
  try {
    await validateCheckpoint(log, mark);
    return mark;
  } catch (error) {
    if (isLogError(error, 'unknown-checkpoint')) return undefined;
    throw error;
  }
}

async function lastOf(log: EventLog): Promise<StoredEvent | undefined> {
  for await (const event of log.readAll({ direction: 'backwards', maxCount: 1 })) return event;
  return undefined;
}
