import type { Logger } from 'pino';

/** Work that goes on when the answer is out: so that its time says nothing, and its failure is nobody's but ours. */
export type Afterwards = Readonly<{
  /** `what` names it in the log if it fails. Beyond a bound it is not taken on; false says so. */
  add: (what: string, work: () => Promise<unknown>) => boolean;
  /** Once everything that was taken on is done. */
  settled: () => Promise<void>;
}>;

const WAITING_MAX = 1_000;
const AT_ONCE_MAX = 4;

export function afterwards(logger: Pick<Logger, 'warn'>): Afterwards {
  const waiting: (() => Promise<void>)[] = [];
  const underWay = new Set<Promise<void>>();

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
  return {
    add: (what, work) => {
      if (waiting.length >= WAITING_MAX) {
        logger.warn({ what, result: 'dropped' }, 'too much waits to be done afterwards');
        return false;
      }
      waiting.push(async () => {
        try {
          await work();
        } catch (error) {
          logger.warn({ what, why: nameOf(error) }, 'something was not done afterwards');
        }
      });
      setImmediate(begin);
      return true;
    },
    settled: async () => {
      while (waiting.length + underWay.size > 0) {
        begin();
        await Promise.all(underWay);
      }
    },
  };
}

/** A message of a store may hold what was stored. */
const nameOf = (error: unknown) => (error instanceof Error ? error.name : typeof error);
