import { setImmediate as breath } from 'node:timers/promises';
import { LogError } from '../../errors';
import type { ReadAllOptions, StoredEvent, ReadStreamOptions } from '../../port';
import { checkedCount, checkedRevision, positionNumber } from '../../reading/read-rule';
import type { EventPage, TableReader } from './table-reader';

/** Puts a question to the tables; waits for a lock no longer than the deadline, in milliseconds. Throws a `LogError`. */
export type ReaderQuery = <Answer>(question: (reader: TableReader) => Answer, deadline?: number) => Promise<Answer>;

type Pages = AsyncGenerator<readonly StoredEvent[], undefined>;

/** What lies in the whole log when the reading begins. */
export async function* pagesOfAll(ask: ReaderQuery, options: ReadAllOptions): Pages {
  const { direction = 'forwards', streamPrefixes = [], maxCount, deadline } = options;
  const most = checkedCount(maxCount);
  const from = options.from ?? startingAt(direction);
  const place = from === 'start' ? 1 : from === 'end' ? Infinity : numberOf(positionNumber(from));
  if (place === 0) throw new LogError('invalid-position', `No event begins at ${from}.`);
  if (most === 0) return;

  const end = (await ask((reader) => reader.head(), deadline)) + 1;
  if (direction === 'forwards') {
    const page = (at: number, left: number) =>
      ask((reader) => reader.after(at - 1, end - 1, streamPrefixes, left), deadline);
    yield* walk({ page, from: place, to: end, step: 1 }, most);
  } else {
    const page = (at: number, left: number) => ask((reader) => reader.before(at + 1, streamPrefixes, left), deadline);
    yield* walk({ page, from: Math.min(place, end) - 1, to: 0, step: -1 }, most);
  }
}

/** What lies in a stream when the reading begins. Throws `not-found` if it never existed. */
export async function* pagesOfStream(ask: ReaderQuery, stream: string, options: ReadStreamOptions): Pages {
  const { direction = 'forwards', maxCount, deadline } = options;
  const most = checkedCount(maxCount);
  const from = options.from ?? startingAt(direction);
  const revision = typeof from === 'bigint' ? numberOf(checkedRevision(from)) : from === 'start' ? 0 : Infinity;
  if (most === 0) return;

  const last = await ask((reader) => reader.lastOf(stream), deadline);
  if (last === undefined) throw new LogError('not-found', `There is no stream ${stream}.`);
  if (direction === 'forwards') {
    const page = (at: number, left: number) => ask((reader) => reader.stream(stream, at, last, left), deadline);
    yield* walk({ page, from: revision, to: last + 1, step: 1 }, most);
  } else {
    const page = (at: number, left: number) => ask((reader) => reader.stream(stream, at, 0, left), deadline);
    yield* walk({ page, from: Math.min(revision, last), to: -1, step: -1 }, most);
  }
}

/** From one place to just before another. `page` answers from its place on (inclusive). */
type Way = Readonly<{ page: (at: number, left: number) => Promise<EventPage>; from: number; to: number; step: 1 | -1 }>;

async function* walk({ page, from, to, step }: Way, most: number): Pages {
  let left = most;
  let at = from;
  while (left > 0 && (to - at) * step > 0) {
    if (at !== from) await breath(); // a long history leaves everyone else their turn
    const { events, through } = await page(at, left);
    left -= events.length;
    at = through + step;
    if (events.length > 0) yield events;
  }
  return undefined;
}

const startingAt = (direction: 'forwards' | 'backwards') => (direction === 'forwards' ? 'start' : 'end');

/** A place as SQLite counts; what is larger lies behind the end anyway. */
export const numberOf = (place: bigint) => Number(place < maxSafe ? place : maxSafe);
const maxSafe = BigInt(Number.MAX_SAFE_INTEGER) - 1n; // leaves room for one more step
