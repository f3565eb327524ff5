import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';

/** Work after the answer, so that its time reveals nothing and its failure does not reach the caller. */
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
const AT_ONCE_MAX = 4;

export function createBackgroundWork(logger: Pick<Logger, 'warn'>): BackgroundWork {
  const waiting: (() => Promise<void>)[] = [];
  const underWay = new Set<Promise<void>>();
  const resting = new Map<NodeJS.Timeout, () => void>();

  const begin = (): void => {
    while (underWay.size < AT_ONCE_MAX) {
      const next = waiting.shift();
      if (!next) return;
      const work = next().finally(() => {
        underWay.delete(work);
        begin();
      });
      underWay.add(work);
    }
  };
  const rest = (take: () => void, withinMs: number): void => {
    const timer = setTimeout(() => {
      resting.delete(timer);
      take();
      begin();
    }, randomInt(withinMs));
    resting.set(timer, take);
  };
  /** At a stop, delayed work begins at once. */
  const wake = (): void => {
    for (const [timer, take] of resting) {
      clearTimeout(timer);
      take();
    }
    resting.clear();
  };
  return {
    add: (what, work, withinMs) => {
      if (waiting.length + resting.size >= WAITING_MAX) {
        logger.warn({ what, result: 'dropped' }, 'background work was dropped: its queue is full');
        return false;
      }
      const take = () =>
        waiting.push(async () => {
          try {
            await work();
          } catch (error) {
            logger.warn({ what, why: nameOf(error) }, 'background work failed');
          }
        });
      if (withinMs === undefined) {
        take();
        setImmediate(begin);
      } else rest(take, withinMs);
      return true;
    },
    settled: async () => {
      wake();
      while (waiting.length + underWay.size > 0) {
        begin();
        await Promise.all(underWay);
      }
    },
  };
}

/** Retries work a few times, so that a short outage of a store does not lose it. */
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
