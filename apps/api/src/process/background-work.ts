import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';

/**
 * Work after the answer, so that its time reveals nothing and its failure does not reach the caller. It has its own
 * queue, because the event log's `concurrencyLimit` has no random delays that a stop of the process can end.
 */
export type BackgroundWork = Readonly<{
  /**
   * Adds work; `what` names it in the log if it fails. False: the queue is full and the work was dropped. With
   * `withinMs` the work begins at a random moment within that time, so that the next request's time does not reveal
   * it.
   */
  add: (what: string, work: () => Promise<unknown>, withinMs?: number) => boolean;
  /** Resolves once all added work is done. */
  settled: () => Promise<void>;
}>;

const WAITING_MAX = 1_000;
const RUNNING_MAX = 4;

export function createBackgroundWork(logger: Pick<Logger, 'warn'>): BackgroundWork {
  const queue: (() => Promise<void>)[] = [];
  const running = new Set<Promise<void>>();
  const delayed = new Map<NodeJS.Timeout, () => void>();

  const begin = (): void => {
    while (running.size < RUNNING_MAX) {
      const next = queue.shift();
      if (!next) return;
      const work = next().finally(() => {
        running.delete(work);
        begin();
      });
      running.add(work);
    }
  };
  const delay = (enqueue: () => void, withinMs: number): void => {
    const timer = setTimeout(() => {
      delayed.delete(timer);
      enqueue();
      begin();
    }, randomInt(withinMs));
    delayed.set(timer, enqueue);
  };
  /** At a stop, delayed work begins at once. */
  const endDelays = (): void => {
    for (const [timer, enqueue] of delayed) {
      clearTimeout(timer);
      enqueue();
    }
    delayed.clear();
  };
  return {
    add: (what, work, withinMs) => {
      if (queue.length + delayed.size >= WAITING_MAX) {
        logger.warn({ what, result: 'dropped' }, 'background work was dropped: its queue is full');
        return false;
      }
      const enqueue = () =>
        queue.push(async () => {
          try {
            await work();
          } catch (error) {
            logger.warn({ what, why: nameOf(error) }, 'background work failed');
          }
        });
      if (withinMs === undefined) {
        enqueue();
        setImmediate(begin);
      } else delay(enqueue, withinMs);
      return true;
    },
    settled: async () => {
      endDelays();
      while (queue.length + running.size > 0) {
        begin();
        await Promise.all(running);
      }
    },
  };
}

/** Repeats failed work a few times, so that a short outage of a store does not lose it. */
export const retrying =
  (work: () => Promise<unknown>): (() => Promise<unknown>) =>
  async () => {
    for (const ms of PAUSES_MS) {
      try {
        return await work();
      } catch {
        await pause(ms);
      }
    }
    return work();
  };
const PAUSES_MS = [100, 300, 900];

/** Only the name: a store's error message may quote stored data. */
const nameOf = (error: unknown) => (error instanceof Error ? error.name : typeof error);
