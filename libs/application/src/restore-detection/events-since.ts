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

/** How far some tables have followed some streams; the mark goes back with them when they are restored. */
export type LogBookmark = Readonly<{
  mark: string;
  streams: readonly string[];
  /** Types of what nothing takes back: it is followed at once, for it is as true while somebody is still at it. */
  final?: readonly string[];
}>;

const PEOPLE: LogBookmark = { mark: 'people-follow', streams: ['account-', 'key-'], final: ['AccountErased'] };
/** Followed more often than all else about people, so by a mark of their own: theirs passes nothing else by. */
export const ERASURE_BOOKMARK: LogBookmark = { mark: 'erasures-follow', streams: ['account-'] };

type Stores = Readonly<{ log: EventLog; documents: Readonly<{ marks: InstallationMarks }> }>;

/** What was told since the tables last followed, and how to say that they have followed it. */
export type EventsSince = Readonly<{ events: AsyncIterable<StoredEvent>; followed: () => Promise<void> }>;

/**
 * What the streams, those of accounts and keys unless others are named, say that these tables may not know: all of it where they never followed, or followed
 * another log.
 * @param upTo milliseconds since 1970: what was told later may be under way at this moment, and waits for the next
 * time, but for what is final
 */
export async function eventsSinceBookmark(
  { log, documents: { marks } }: Stores,
  upTo: number,
  following = PEOPLE,
): Promise<EventsSince> {
  const mark = await believed(log, await marks.get(following.mark));
  const store = await log.identity();
  const end = await lastOf(log);
  let reached: Place | undefined;

  async function* events() {
    if (!end) return;
    let isLate = false;
    for await (const event of readSince(log, mark?.position ?? EMPTY_LOG_POSITION, following.streams)) {
      if (event.position > end.position) break;
      if (event.position <= (mark?.position ?? EMPTY_LOG_POSITION)) continue;
      isLate ||= momentOf(event) > upTo;
      if (isLate && !following.final?.includes(event.type)) continue;
      yield event;
      if (!isLate) reached = placeOf(event);
    }
    if (!isLate && momentOf(end) <= upTo) reached = placeOf(end); // so that the next time begins there, whoever wrote last
  }
  const followed = async () => {
    const lastEvent = reached;
    if (lastEvent) await marks.set(following.mark, JSON.stringify({ store, position: lastEvent.position, lastEvent }));
  };
  return { events: events(), followed };
}

/** Other tables are in the place of those that followed, so that all of it is followed again. */
export async function resetBookmark(marks: InstallationMarks): Promise<void> {
  for (const { mark } of [PEOPLE, ERASURE_BOOKMARK]) await marks.set(mark, '');
}

/** How far the tables of people have followed, and of which log. */
export async function peopleBookmark(marks: InstallationMarks): Promise<ProjectionCheckpoint | undefined> {
  const text = await marks.get(PEOPLE.mark);
  return text ? (JSON.parse(text) as ProjectionCheckpoint) : undefined;
}

type Place = NonNullable<ProjectionCheckpoint['lastEvent']>;
const placeOf = ({ position, id }: StoredEvent): Place => ({ position, id });
const momentOf = ({ metadata }: StoredEvent) => Date.parse((metadata as Metadata | undefined)?.at ?? '') || 0;

/** Undefined where there is none, or none of this log. */
async function believed(log: EventLog, text: string | undefined): Promise<ProjectionCheckpoint | undefined> {
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
