import { hash } from 'node:crypto';
import { type EventLog, isLogError, lastEventOf, type Position, type StoredEvent } from '@charter/event-log';
import { z } from 'zod';
import { cursorsOf } from '../../http/input/paging';
import { ProblemError } from '../../http/problems/problem';
import { feedPrefixes } from './change-source';

/**
 * The content of a cursor: the id of the store, the position of the last event that the reader received, and a hash of
 * this event's id.
 */
const checkpoint = z.tuple([z.string().max(100), z.string().regex(/^\d{20}$/), z.string().regex(/^[\da-f]{16}$/)]);
const cursors = cursorsOf(checkpoint, 400);

const END = 'end';
export const FeedStart = z.union([z.literal(END), cursors.Cursor], 'must be end, or a cursor of this feed');
export type FeedStart = z.infer<typeof FeedStart>;

export const feedCursor = (store: string, { position, id }: Pick<StoredEvent, 'position' | 'id'>): string =>
  cursors.at([store, position, markOf(id)]);

/** The cursor that a reader has sent. */
export const cursorAt = (start: Exclude<FeedStart, typeof END>): string => cursors.at(start);

const markOf = (id: string) => hash('sha256', id).slice(0, 16);

/**
 * The position after which the feed continues; undefined if it begins with the first event.
 * @throws ProblemError 409 `unknown-checkpoint` if the log was replaced by another store or by an older copy
 * (`event-log.md` D5)
 */
export async function feedPositionAfter(
  log: Pick<EventLog, 'identity' | 'head' | 'readAll'>,
  after: FeedStart | undefined,
): Promise<Position | undefined> {
  if (after === undefined) return undefined;
  if (after === END) return (await newestEvent(log))?.position;
  const [store, position, mark] = after;
  if (store !== (await log.identity())) throw unknown('belongs to another event store');
  if (position > (await log.head())) throw unknown('lies beyond the end of the event store');
  if (!(await hasEvent(log, position, mark))) throw unknown('names an event that is not in the event store');
  return position;
}

/** The newest event of all organizations; undefined if there is none. */
export async function newestEvent(log: Pick<EventLog, 'readAll'>): Promise<StoredEvent | undefined> {
  const newest = { direction: 'backwards', maxCount: 1, streamPrefixes: feedPrefixes } as const;
  for await (const event of log.readAll(newest)) return event;
  return undefined;
}

/**
 * The position after which the feed of one organization continues.
 * @throws ProblemError 409 `unknown-checkpoint`
 */
export const positionInStream = async (
  log: Pick<EventLog, 'identity' | 'head' | 'readAll' | 'readStream'>,
  stream: string,
  after: FeedStart | undefined,
): Promise<Position | undefined> =>
  after === END ? (await lastEventOf(log, stream))?.position : feedPositionAfter(log, after);

async function hasEvent(log: Pick<EventLog, 'readAll'>, from: Position, mark: string): Promise<boolean> {
  try {
    for await (const { position, id } of log.readAll({ from, maxCount: 1 }))
      return position === from && markOf(id) === mark;
    return false;
  } catch (error) {
    if (isLogError(error, 'invalid-position')) return false;
    throw error;
  }
}

const unknown = (why: string) =>
  new ProblemError(
    409,
    'unknown-checkpoint',
    `The cursor ${why}. Begin again without a cursor, and compare the events with those that you have.`,
  );
