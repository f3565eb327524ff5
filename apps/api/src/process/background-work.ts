import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';

/** Work that goes on when the answer is out: so that its time says nothing, and its failure is nobody's but ours. */
export type BackgroundWork = Readonly<{
  /**
   * `what` names it in the log if it fails. Beyond a bound it is not taken on; false says so. With `withinMs` it begins at a
   * random moment of that time, so that the next request does not feel whether there was much to do.
   */
  add: (what: string, work: () => Promise<unknown>, withinMs?: number) => boolean;
  /** Once everything that was taken on is done. */
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
  /** A stop does not wait for chance. */
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
        logger.warn({ what, result: 'dropped' }, 'too much waits to be done afterwards');
        return false;
      }
      const take = () =>
        waiting.push(async () => {
          try {
            await work();
          } catch (error) {
            logger.warn({ what, why: nameOf(error) }, 'something was not done afterwards');
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

/** What must not be lost to a store that is silent for a moment: tried again, a few times. */
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

/** A message of a store may hold what was stored. */
const nameOf = (error: unknown) => (error instanceof Error ? error.name : typeof error);
