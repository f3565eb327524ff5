import { setTimeout as sleep } from 'node:timers/promises';
import { LogError } from '@charter/event-log';

/** Reads a source in batches. A batch contains all items that are available without waiting. */
export type BatchReader<T> = Readonly<{
  /**
   * Returns up to `max` items; none if no item arrives within `wait` milliseconds.
   * @throws the source's error, once all items before the error are returned
   */
  next(wait: number): Promise<readonly T[]>;
  close(): Promise<void>;
}>;

/** @param signal ends the wait at once; items that have already arrived are still returned */
export function readBatches<T>(source: AsyncIterable<T>, max: number, signal?: AbortSignal): BatchReader<T> {
  const iterator = source[Symbol.asyncIterator]();
  let pending: Promise<IteratorResult<T, unknown>> | undefined;

  /**
   * Starts the next step of the source. A failed step stays in `pending`, so that its error is thrown only after the
   * items before it were returned.
   */
  const pull = () => {
    if (pending) return pending;
    pending = iterator.next();
    pending.catch(() => undefined);
    return pending;
  };
  const one = async (deadline: Promise<typeof late>) => {
    const result = await Promise.race([pull(), deadline]);
    if (result === late) return late;
    if (result.done) throw new LogError('closed', 'The subscription has ended.');
    pending = undefined;
    return result.value;
  };
  const next = async (wait: number) => {
    const batch: T[] = [];
    const timer = new AbortController();
    const stopWaiting = () => timer.abort();
    if (signal?.aborted) stopWaiting();
    signal?.addEventListener('abort', stopWaiting);
    let deadline: Promise<typeof late> = sleep(wait, late, timer).catch(() => late);
    try {
      while (batch.length < max) {
        const item = await one(deadline);
        if (item === late) break;
        if (batch.push(item) % RENEW_AFTER === 1) deadline = soon();
      }
    } catch (error) {
      if (batch.length === 0) throw error;
    } finally {
      signal?.removeEventListener('abort', stopWaiting);
      timer.abort();
    }
    return batch;
  };
  return { next, close: () => end(iterator) };
}

const late = Symbol('late');

/** Waits for two iterations of the event loop. During the wait, a source that reads pages can get its next page. */
const soon = () => new Promise<typeof late>((resolve) => setImmediate(() => setImmediate(resolve, late)));

/** After this many items the batch waits for further items again. The number is smaller than any page of a log. */
const RENEW_AFTER = 100;

/** Ends the iterator. Some iterators end only after their pending step, so the wait for the end is limited. */
async function end(iterator: AsyncIterator<unknown>): Promise<void> {
  const timer = new AbortController();
  const ended = Promise.resolve(iterator.return?.()).catch(() => undefined);
  await Promise.race([ended, sleep(END_MS, undefined, timer).catch(() => undefined)]);
  timer.abort();
}

/** The maximum number of milliseconds to wait until a subscription has ended. */
const END_MS = 500;
