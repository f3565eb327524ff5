import { setImmediate as yieldToLoop } from 'node:timers/promises';
import { LogError } from '../../errors';
import type {
  BatchOptions,
  EventToFold,
  EventWithTexts,
  ReadAllOptions,
  StoredEvent,
  ReadStreamOptions,
} from '../../port';
import { checkedCount, checkedRevision, positionNumber } from '../../reading/read-rule';
import type { EventPage, TableReader } from './table-reader';

/** Runs a read on the tables. The read waits for a lock at most `deadline` milliseconds. @throws LogError */
export type ReaderQuery = <Answer>(read: (reader: TableReader) => Answer, deadline?: number) => Promise<Answer>;

type Pages<Item = StoredEvent> = AsyncGenerator<Item[], undefined>;

/** The events of the whole log, up to the last position that the log has when the read begins. */
export async function* pagesOfAll(query: ReaderQuery, options: ReadAllOptions): Pages {
  const { direction = 'forwards', streamPrefixes = [], maxCount, deadline } = options;
  const most = checkedCount(maxCount);
  const from = options.from ?? startingAt(direction);
  const position = firstPosition(from);
  if (most === 0) return;

  const end = (await query((reader) => reader.head(), deadline)) + 1;
  if (direction === 'forwards') {
    const page = (at: number, left: number) =>
      query((reader) => reader.after(at - 1, end - 1, streamPrefixes, left), deadline);
    yield* walk({ page, from: position, to: end, step: 1 }, most);
  } else {
    const page = (at: number, left: number) => query((reader) => reader.before(at + 1, streamPrefixes, left), deadline);
    yield* walk({ page, from: Math.min(position, end) - 1, to: 0, step: -1 }, most);
  }
}

/** The same events as `pagesOfAll` forwards, with the fields that a fold needs. */
export async function* pagesToFold(query: ReaderQuery, options: BatchOptions): Pages<EventToFold> {
  const { from = 'start', streamPrefixes = [], deadline } = options;
  const position = firstPosition(from);
  const end = await query((reader) => reader.head(), deadline);
  const page = (at: number) => query((reader) => reader.eventsToFoldAfter(at - 1, end, streamPrefixes), deadline);
  yield* walk({ page, from: position, to: end + 1, step: 1 }, Infinity);
}

/** The position with which a read begins. @throws LogError `invalid` or `invalid-position` */
function firstPosition(from: NonNullable<ReadAllOptions['from']>): number {
  const position = from === 'start' ? 1 : from === 'end' ? Infinity : numberOf(positionNumber(from));
  if (position === 0) throw new LogError('invalid-position', `No event begins at ${from}.`);
  return position;
}

/**
 * The events of a stream with their JSON texts, up to its last revision when the read begins.
 * @throws LogError `not-found`
 */
export async function* pagesOfStream(
  query: ReaderQuery,
  stream: string,
  options: ReadStreamOptions,
): Pages<EventWithTexts> {
  const { direction = 'forwards', maxCount, deadline } = options;
  const most = checkedCount(maxCount);
  const from = options.from ?? startingAt(direction);
  const revision = typeof from === 'bigint' ? numberOf(checkedRevision(from)) : from === 'start' ? 0 : Infinity;
  if (most === 0) return;

  const last = await query((reader) => reader.lastOf(stream), deadline);
  if (last === undefined && options.absent === 'empty') return;
  if (last === undefined) throw new LogError('not-found', `There is no stream ${stream}.`);
  if (direction === 'forwards') {
    const page = (at: number, left: number) => query((reader) => reader.stream(stream, at, last, left), deadline);
    yield* walk({ page, from: revision, to: last + 1, step: 1 }, most);
  } else {
    const page = (at: number, left: number) => query((reader) => reader.stream(stream, at, 0, left), deadline);
    yield* walk({ page, from: Math.min(revision, last), to: -1, step: -1 }, most);
  }
}

/**
 * The positions or revisions of a read: the read begins at `from` and ends just before `to`. `page` reads a page that
 * begins with the given number.
 */
type Walk<Item> = Readonly<{
  page: (at: number, left: number) => Promise<EventPage<Item>>;
  from: number;
  to: number;
  step: 1 | -1;
}>;

async function* walk<Item>({ page, from, to, step }: Walk<Item>, most: number): Pages<Item> {
  let left = most;
  let at = from;
  while (left > 0 && (to - at) * step > 0) {
    if (at !== from) await yieldToLoop(); // lets other work of this thread run while a long history is read
    const { events, through } = await page(at, left);
    left -= events.length;
    at = through + step;
    if (events.length > 0) yield events;
  }
  return undefined;
}

const startingAt = (direction: 'forwards' | 'backwards') => (direction === 'forwards' ? 'start' : 'end');

/**
 * A position or revision as a JavaScript number. If the value is larger than any log can contain, returns a number
 * beyond the end of every log.
 */
export const numberOf = (value: bigint) => Number(value < maxSafe ? value : maxSafe);
const maxSafe = BigInt(Number.MAX_SAFE_INTEGER) - 1n; // one less than the maximum, so that adding 1 stays exact
