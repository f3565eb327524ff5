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
  let step: Step<T> | undefined;
  let arrived = () => {};

  /** Starts a step of the source. Its outcome stays in `step` until a batch takes the item; a failure stays there. */
  const begin = (): Step<T> => {
    const begun: Step<T> = { outcome: undefined };
    const settle = (outcome: Outcome<T>) => {
      begun.outcome = outcome;
      arrived();
    };
    iterator.next().then(
      (result) => settle({ result }),
      (error: unknown) => settle({ error }),
    );
    return begun;
  };
  /**
   * `Promise.race` would keep a reaction of each ended wait until the next item arrives. Without new events, the memory
   * of the process would grow.
   */
  const one = async (deadline: Promise<typeof late>) => {
    const { outcome } = (step ??= begin());
    const taken = outcome ?? (await firstOf(step, deadline));
    if (taken === late) return late;
    if ('error' in taken) throw taken.error;
    if (taken.result.done) throw new LogError('closed', 'The subscription has ended.');
    step = undefined;
    return taken.result.value;
  };
  const firstOf = async (current: Step<T>, deadline: Promise<typeof late>) => {
    await new Promise<void>((resolve) => {
      arrived = resolve;
      void deadline.then(() => resolve());
    });
    arrived = () => {};
    return current.outcome ?? late;
  };
  const next = async (wait: number) => {
    const batch: T[] = [];
    const { promise, resolve: stopWaiting } = Promise.withResolvers<typeof late>();
    const end = () => stopWaiting(late);
    const timer = setTimeout(end, signal?.aborted ? 0 : wait);
    signal?.addEventListener('abort', end);
    let deadline = promise;
    try {
      while (batch.length < max) {
        const item = await one(deadline);
        if (item === late) break;
        if (batch.push(item) % RENEW_AFTER === 1) deadline = soon();
      }
    } catch (error) {
      if (batch.length === 0) throw error;
    } finally {
      signal?.removeEventListener('abort', end);
      clearTimeout(timer);
    }
    return batch;
  };
  return { next, close: () => end(iterator) };
}

/** A step of the source, and its outcome once it has one. */
type Step<T> = { outcome: Outcome<T> | undefined };
type Outcome<T> = Readonly<{ result: IteratorResult<T, unknown> }> | Readonly<{ error: unknown }>;

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
