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
 * A mark in the tables: up to which event they have replayed some streams. A restore of the tables also restores the
 * mark.
 */
export type LogBookmark = Readonly<{
  mark: string;
  streams: readonly string[];
  /**
   * Types of events whose action is never taken back. They are replayed at once, even while their action is in
   * progress.
   */
  final?: readonly string[];
}>;

const PEOPLE: LogBookmark = { mark: 'people-follow', streams: ['account-', 'key-'], final: ['AccountErased'] };
/** Erasures are replayed more often than other changes, so they have their own mark. */
export const ERASURE_BOOKMARK: LogBookmark = { mark: 'erasures-follow', streams: ['account-'] };

type Stores = Readonly<{ log: EventLog; database: Readonly<{ marks: InstallationMarks }> }>;

/** The events since the bookmark. `followed` moves the bookmark past them. */
export type EventsSince = Readonly<{ events: AsyncIterable<StoredEvent>; followed: () => Promise<void> }>;

/**
 * The events that the tables may lack; by default those of accounts and keys. All events when the tables have no
 * bookmark, or a bookmark of another log.
 * @param upTo milliseconds since 1970. Later events may belong to an action in progress, so they wait for the next
 * call. Events of final types do not wait.
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
    // The next call starts here, even if the event belongs to other streams.
    if (!isLate && momentOf(end) <= upTo) reached = lastEventOf(end);
  }
  const followed = async () => {
    const lastEvent = reached;
    if (lastEvent) await marks.set(bookmark.mark, JSON.stringify({ store, position: lastEvent.position, lastEvent }));
  };
  return { events: events(), followed };
}

/** Clears the bookmarks after tables were imported, so that the next replay begins at the start of the log. */
export async function resetBookmark(marks: InstallationMarks): Promise<void> {
  for (const { mark } of [PEOPLE, ERASURE_BOOKMARK]) await marks.set(mark, '');
}

/** The log, and the position up to which the people tables have replayed it. */
export async function peopleBookmark(marks: InstallationMarks): Promise<ProjectionCheckpoint | undefined> {
  const text = await marks.get(PEOPLE.mark);
  return text ? (JSON.parse(text) as ProjectionCheckpoint) : undefined;
}

type LastEvent = NonNullable<ProjectionCheckpoint['lastEvent']>;
const lastEventOf = ({ position, id }: StoredEvent): LastEvent => ({ position, id });
const momentOf = ({ metadata }: StoredEvent) => Date.parse((metadata as Metadata | undefined)?.at ?? '') || 0;

/** The stored checkpoint. Undefined: there is none, or it belongs to another log. */
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
