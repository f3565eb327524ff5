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
  let onOutcome = () => {};

  /**
   * Starts the next step of the source. The outcome stays in `step` until a batch takes the item. A failure stays in
   * `step`, so that every later call throws it.
   */
  const begin = (): Step<T> => {
    const begun: Step<T> = { outcome: undefined };
    const settle = (outcome: Outcome<T>) => {
      begun.outcome = outcome;
      onOutcome();
    };
    iterator.next().then(
      (result) => settle({ result }),
      (error: unknown) => settle({ error }),
    );
    return begun;
  };
  const nextItem = async (deadline: Promise<typeof late>) => {
    const { outcome } = (step ??= begin());
    const taken = outcome ?? (await firstOf(step, deadline));
    if (taken === late) return late;
    if ('error' in taken) throw taken.error;
    if (taken.result.done) throw new LogError('closed', 'The subscription has ended.');
    step = undefined;
    return taken.result.value;
  };
  /**
   * Waits for the outcome of the step or for the deadline. Without new events, `Promise.race` would make the memory
   * grow: it would keep a reaction for each ended wait until the step has an outcome.
   */
  const firstOf = async (current: Step<T>, deadline: Promise<typeof late>) => {
    await new Promise<void>((resolve) => {
      onOutcome = resolve;
      void deadline.then(() => resolve());
    });
    onOutcome = () => {};
    return current.outcome ?? late;
  };
  const next = async (wait: number) => {
    const batch: T[] = [];
    const { promise, resolve: stopWaiting } = Promise.withResolvers<typeof late>();
    const endWait = () => stopWaiting(late);
    const timer = setTimeout(endWait, signal?.aborted ? 0 : wait);
    signal?.addEventListener('abort', endWait);
    let deadline = promise;
    try {
      while (batch.length < max) {
        const item = await nextItem(deadline);
        if (item === late) break;
        if (batch.push(item) % RENEW_AFTER === 1) deadline = soon();
      }
    } catch (error) {
      if (batch.length === 0) throw error;
    } finally {
      signal?.removeEventListener('abort', endWait);
      clearTimeout(timer);
    }
    return batch;
  };
  return { next, close: () => end(iterator) };
}

/** A step of the source. `outcome` is undefined while the step is running. */
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
