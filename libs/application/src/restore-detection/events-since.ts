import {
  isLogError,
  type ProjectionCheckpoint,
  type EventLog,
  EMPTY_LOG_POSITION,
  metadataOf,
  readSince,
  type StoredEvent,
} from '@charter/event-log';
import { validateCheckpoint } from '@charter/projections';
import { DatabaseUnavailable, type InstallationMarks } from '@charter/database';
import { organizationStreamPrefix } from '@charter/organization';

/**
 * An installation mark (a named value in the tables). The mark names the last event that Charter has replayed from some
 * streams into the tables. A restore of older tables also restores the older mark.
 */
export type LogBookmark = Readonly<{ mark: string; streams: readonly string[] }>;

const PEOPLE: LogBookmark = { mark: 'people-follow', streams: ['account-', 'key-'] };
/** Charter replays erasures more often than other changes, so erasures have a separate bookmark. */
export const ERASURE_BOOKMARK: LogBookmark = { mark: 'erasures-follow', streams: ['account-'] };
export const CLOSINGS_BOOKMARK: LogBookmark = { mark: 'closings-follow', streams: [organizationStreamPrefix] };

type Stores = Readonly<{ log: EventLog; database: Readonly<{ marks: InstallationMarks }> }>;

/**
 * The events after the bookmark. `isLate` is true from the first read event that is later than `upTo`. `moveBookmark`
 * moves the bookmark to the last event before this event. If no event is later than `upTo`, moves the bookmark to the
 * last event of the log. If the tables refuse the write, for example on a full disk, the bookmark stays, and the next
 * call replays the same events.
 */
export type EventsSince = Readonly<{
  events: AsyncIterable<StoredEvent>;
  isLate: () => boolean;
  moveBookmark: () => Promise<void>;
}>;

/**
 * The events whose effects the tables may lack; by default the events of accounts and keys. Returns all events of the
 * given streams if the tables contain no bookmark or a bookmark of another log.
 * @param upTo milliseconds since 1970. Later events may belong to actions that are still running, so the next call
 * returns them again.
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
  let isLate = false;

  async function* events() {
    if (!end) return;
    for await (const event of readSince(log, mark?.position ?? EMPTY_LOG_POSITION, bookmark.streams)) {
      if (event.position > end.position) break;
      if (event.position <= (mark?.position ?? EMPTY_LOG_POSITION)) continue;
      isLate ||= momentOf(event) > upTo;
      yield event;
      if (!isLate) reached = lastEventOf(event);
    }
    // Moves the bookmark to the log's last event, even if `bookmark.streams` does not contain the stream of this event.
    if (!isLate && momentOf(end) <= upTo) reached = lastEventOf(end);
  }
  const moveBookmark = async () => {
    const lastEvent = reached;
    if (!lastEvent) return;
    const text = JSON.stringify({ store, position: lastEvent.position, lastEvent });
    await marks.set(bookmark.mark, text).catch((why: unknown) => {
      if (!(why instanceof DatabaseUnavailable)) throw why;
    });
  };
  return { events: events(), isLate: () => isLate, moveBookmark };
}

/** Deletes the bookmarks after an import of tables, so that the next replay begins with the first event of the log. */
export async function resetBookmark(marks: InstallationMarks): Promise<void> {
  for (const { mark } of [PEOPLE, ERASURE_BOOKMARK, CLOSINGS_BOOKMARK]) await marks.set(mark, '');
}

/**
 * The identity of the log, and the position up to which Charter has replayed the log's events into the people tables.
 */
export async function peopleBookmark(marks: InstallationMarks): Promise<ProjectionCheckpoint | undefined> {
  const text = await marks.get(PEOPLE.mark);
  return text ? (JSON.parse(text) as ProjectionCheckpoint) : undefined;
}

type LastEvent = NonNullable<ProjectionCheckpoint['lastEvent']>;
const lastEventOf = ({ position, id }: StoredEvent): LastEvent => ({ position, id });
/**
 * The moment of an event in milliseconds since 1970. Zero if another tool wrote the event without a moment, so that the
 * event is never later than `upTo`.
 */
const momentOf = (event: StoredEvent) => Date.parse(metadataOf(event).at ?? '') || 0;

/**
 * Parses a stored checkpoint. Undefined if the tables contain no checkpoint, or if the checkpoint belongs to another
 * log.
 */
export async function validCheckpoint(
  log: EventLog,
  text: string | undefined,
): Promise<ProjectionCheckpoint | undefined> {
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

/** The last event of the log; undefined if the log is empty. */
export async function lastOf(log: EventLog): Promise<StoredEvent | undefined> {
  for await (const event of log.readAll({ direction: 'backwards', maxCount: 1 })) return event;
  return undefined;
}
