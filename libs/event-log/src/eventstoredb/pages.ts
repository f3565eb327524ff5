import { isLogError, LogError } from '../errors';
import { type ReadAllOptions, POSITION_MAX, positionOf, type StoredEvent, type ReadStreamOptions } from '../port';
import { checkedCount, checkedRevision, matchesPrefixes, isSystemEvent, positionNumber } from '../reading/read-rule';
import type { ServerCalls, PageRequest } from './calls';
import { commitPositionOf, storedEventOf, type ServerEvent } from './stored-event';
import { closedError } from './time-bound';

type Pages = AsyncGenerator<StoredEvent[], undefined>;

/** The number of events on the first page and on each later page. The first page is enough for most reads. */
const FIRST = 64;
const PAGE = 1_000;

/** The largest position that the server accepts. No event has a larger position. */
const farthest = BigInt(POSITION_MAX);

/** A read treats this revision and all larger revisions as the end of the stream, because no stream is that long. */
const endOfStream = 2n ** 53n;

/** The events of the whole log. This function filters by prefixes itself, because the server's reads cannot filter. */
export async function* serverPagesOfAll(calls: ServerCalls, options: ReadAllOptions): Pages {
  const { direction = 'forwards', streamPrefixes = [], maxCount, deadline: ms = calls.ms } = options;
  const most = checkedCount(maxCount);
  const from = await beginning(calls, options, ms);
  if (from === 'nothing' || most === 0) return;

  const first = streamPrefixes.length === 0 ? Math.min(most, FIRST) : FIRST;
  const firstPage = () => calls.page({ direction, ms, from, maxCount: first });
  const raw = await firstPage().catch((error: unknown) => emptyBeyondTheEnd(calls, from, ms, error));
  /**
   * Reads the page after the event `last`. A forward read includes its start position, so the server repeats `last`,
   * and this function drops it.
   */
  const next = async (last: ServerEvent): Promise<Page> => {
    const position = commitPositionOf(last);
    const page = await calls.page({ direction, ms, from: BigInt(position), maxCount: PAGE });
    const isRepeated = page[0] && commitPositionOf(page[0]) === position;
    return { events: isRepeated ? page.slice(1) : page, isLast: page.length < PAGE };
  };
  const wanted = (event: ServerEvent) => matchesPrefixes(event.streamId, streamPrefixes);
  yield* walk(calls, { events: raw, isLast: raw.length < first }, next, wanted, most);
}

/** The events of a stream. @throws LogError `not-found` if the stream does not exist */
export async function* serverPagesOfStream(calls: ServerCalls, stream: string, options: ReadStreamOptions): Pages {
  const { direction = 'forwards', maxCount, deadline: ms = calls.ms } = options;
  const most = checkedCount(maxCount);
  const from = options.from ?? (direction === 'forwards' ? 'start' : 'end');
  const requested = typeof from === 'bigint' ? checkedRevision(from) : from === 'start' ? 0n : endOfStream;
  refuseIfClosed(calls);
  if (most === 0) return;

  const at = requested < endOfStream ? requested : endOfStream;
  const step = direction === 'forwards' ? 1n : -1n;
  const page = (revision: bigint, count: number): Promise<readonly ServerEvent[]> => {
    const start = direction === 'backwards' && revision >= endOfStream ? 'end' : revision;
    return calls.page({ stream, direction, ms, from: start, maxCount: count });
  };
  const next = async (last: ServerEvent): Promise<Page> => {
    const revision = last.revision + step;
    if (revision < 0n) return { events: [], isLast: true };
    const events = await page(revision, PAGE);
    return { events, isLast: events.length < PAGE };
  };
  const first = Math.min(most, PAGE);
  const events = await page(at, first).catch((error: unknown) => {
    if (options.absent === 'empty' && isLogError(error, 'not-found')) return [];
    throw error;
  });
  yield* walk(calls, { events, isLast: events.length < first }, next, () => true, most);
}

type Page = Readonly<{ events: readonly ServerEvent[]; isLast: boolean }>;

/** Yields page after page without system events. Loads the next page while the consumer works on the current page. */
async function* walk(
  calls: ServerCalls,
  first: Page,
  next: (last: ServerEvent) => Promise<Page>,
  wanted: (event: ServerEvent) => boolean,
  most: number,
): Pages {
  let left = most;
  let page = first;
  for (let pages = 1; ; pages += 1) {
    const last = page.events.at(-1);
    const follow = page.isLast || !last ? undefined : () => next(last);
    const ahead = pages > 1 && most === Infinity ? follow?.() : undefined;
    ahead?.catch(() => undefined); // `await ahead` below throws this error, unless the consumer stops first
    const events = page.events.filter(
      (event) => !isSystemEvent({ stream: event.streamId, type: event.type }) && wanted(event),
    );
    const found = (events.length > left ? events.slice(0, left) : events).map(storedEventOf);
    left -= found.length;
    if (found.length > 0) yield found;
    refuseIfClosed(calls);
    if (left === 0 || !follow) return undefined;
    page = await (ahead ?? follow());
  }
}

/** The position at which a read of the whole log begins; `nothing` if the read has no event. */
async function beginning(
  calls: ServerCalls,
  options: ReadAllOptions,
  ms: number,
): Promise<PageRequest['from'] | 'nothing'> {
  const { direction = 'forwards' } = options;
  const from = options.from ?? (direction === 'forwards' ? 'start' : 'end');
  const position = from === 'start' || from === 'end' ? undefined : positionNumber(from);
  refuseIfClosed(calls);
  if (position === 0n) throw new LogError('invalid-position', `No event begins at ${from}.`);
  if (direction === 'forwards')
    return from === 'end' || (position ?? 0n) >= farthest ? 'nothing' : (position ?? 'start');
  if (from === 'start') return 'nothing';
  // If the position is beyond the end, a backward read begins at the end, because the server does not accept such a
  // position.
  return position === undefined || position > BigInt(await headOf(calls, ms)) ? 'end' : position;
}

/**
 * The server refuses a forward read that begins beyond the end. For a read that begins beyond the end, returns no
 * events.
 */
async function emptyBeyondTheEnd(calls: ServerCalls, from: PageRequest['from'], ms: number, error: unknown) {
  const isPosition = error instanceof LogError && error.kind === 'invalid-position' && typeof from === 'bigint';
  if (isPosition && from > BigInt(await headOf(calls, ms))) return [];
  throw error;
}

/** The position of the last event in the log, including system events. */
export async function headOf(calls: ServerCalls, ms = calls.ms): Promise<string> {
  refuseIfClosed(calls);
  const [last] = await calls.page({ direction: 'backwards', from: 'end', maxCount: 1, ms });
  return last ? commitPositionOf(last) : positionOf(0n);
}

export function refuseIfClosed({ closing }: ServerCalls): void {
  if (closing.aborted) throw closedError();
}
