import { setTimeout as sleep } from 'node:timers/promises';
import { LogError } from '@charter/event-log';

/** A source, taken in batches: as much as is there without waiting. */
export type BatchReader<T> = Readonly<{
  /** Up to `max` items; none when nothing came within `wait` milliseconds. @throws what the source throws, in its place. */
  next(wait: number): Promise<readonly T[]>;
  close(): Promise<void>;
}>;

/** @param signal ends waiting at once; what has come is still answered */
export function readBatches<T>(source: AsyncIterable<T>, max: number, signal?: AbortSignal): BatchReader<T> {
  const iterator = source[Symbol.asyncIterator]();
  let pending: Promise<IteratorResult<T, unknown>> | undefined;

  /** A failure stays pending, so that it is thrown again after the items before it were taken. */
  const pull = () => {
    if (pending) return pending;
    pending = iterator.next();
    pending.catch(() => undefined);
    return pending;
  };
  const one = async (patience: Promise<typeof late>) => {
    const result = await Promise.race([pull(), patience]);
    if (result === late) return late;
    if (result.done) throw new LogError('closed', 'The subscription has ended.');
    pending = undefined;
    return result.value;
  };
  const next = async (wait: number) => {
    const batch: T[] = [];
    const timer = new AbortController();
    const giveUp = () => timer.abort();
    if (signal?.aborted) giveUp();
    signal?.addEventListener('abort', giveUp);
    let patience: Promise<typeof late> = sleep(wait, late, timer).catch(() => late);
    try {
      while (batch.length < max) {
        const item = await one(patience);
        if (item === late) break;
        if (batch.push(item) % RENEWED === 1) patience = soon();
      }
    } catch (why) {
      if (batch.length === 0) throw why;
    } finally {
      signal?.removeEventListener('abort', giveUp);
      timer.abort();
    }
    return batch;
  };
  return { next, close: () => end(iterator) };
}

const late = Symbol('late');

/** Two turns of the event loop: in one of them a source that reads in pages gets its next page. */
const soon = () => new Promise<typeof late>((resolve) => setImmediate(() => setImmediate(resolve, late)));

/** After how many items patience begins anew; fewer than any page of a log holds. */
const RENEWED = 100;

/** Some iterators answer `return` only after their pending step; nobody waits for that. */
async function end(iterator: AsyncIterator<unknown>): Promise<void> {
  const timer = new AbortController();
  const ended = Promise.resolve(iterator.return?.()).catch(() => undefined);
  await Promise.race([ended, sleep(PATIENCE, undefined, timer).catch(() => undefined)]);
  timer.abort();
}

/** Milliseconds that a subscription gets to end. */
const PATIENCE = 500;
