import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';

/**
 * Work after the answer that may be lost: only with the process, or when its queue is full. Work that must not be lost
 * is deferred work. The event log's `concurrencyLimit` has no share for each caller and no end to wait for.
 */
export type BackgroundWork = Readonly<{
  /** False: the queue of this kind is full, or `whose` has used its share of it. The work is dropped and counted. */
  add: (kind: BackgroundKind, whose: string, work: () => Promise<unknown>) => boolean;
  /** Resolves once all work after answers is done, deferred work included. */
  settled: () => Promise<void>;
}>;

/** Each kind has its own queue. The log names failed work by these texts. */
const kinds = {
  /** A lost one is recorded at the key's next use on that day. */
  'key-use': 'the use of a key',
  /** The second attempt, after the outbox has failed during the request. */
  notice: 'an account notice',
  /** A lost one is made at the next sign-in. */
  rehash: 'a new hash of a password',
  /** A lost one is made by the retries of billing messages. */
  billing: 'messages that waited for a customer',
} as const;
export type BackgroundKind = keyof typeof kinds;
export const backgroundKinds = Object.keys(kinds) as BackgroundKind[];

/** For each kind. */
const WAITING_MAX = 1_000;
const RUNNING_MAX = 4;
/** The part of a queue for one address or account. */
const SHARE_MAX = WAITING_MAX / 8;

export function createBackgroundWork(
  logger: Pick<Logger, 'warn'>,
  countDropped: (kind: BackgroundKind) => void,
): BackgroundWork {
  const queues = new Map(
    backgroundKinds.map((kind) => {
      const count = () => countDropped(kind);
      return [kind, queueOf(kinds[kind], logger, count)] as const;
    }),
  );
  return {
    add: (kind, whose, work) => queues.get(kind)!.add(whose, work),
    settled: async () => {
      await Promise.all([...queues.values()].map(({ settled }) => settled()));
    },
  };
}

function queueOf(what: string, logger: Pick<Logger, 'warn'>, countDropped: () => void) {
  const queue: Readonly<{ whose: string; work: () => Promise<unknown> }>[] = [];
  const shares = new Map<string, number>();
  const running = new Set<Promise<void>>();

  const share = (whose: string, more: number) => {
    const count = (shares.get(whose) ?? 0) + more;
    if (count > 0) shares.set(whose, count);
    else shares.delete(whose);
  };
  const begin = (): void => {
    while (running.size < RUNNING_MAX) {
      const next = queue.shift();
      if (!next) return;
      const work = next
        .work()
        .catch((error: unknown) => logger.warn({ what, why: nameOf(error) }, 'background work failed'))
        .then(() => {
          running.delete(work);
          share(next.whose, -1);
          begin();
        });
      running.add(work);
    }
  };
  return {
    add: (whose: string, work: () => Promise<unknown>) => {
      if (queue.length >= WAITING_MAX || (shares.get(whose) ?? 0) >= SHARE_MAX) {
        countDropped();
        logger.warn({ what, result: 'dropped' }, 'background work was dropped: its queue is full');
        return false;
      }
      queue.push({ whose, work });
      share(whose, 1);
      setImmediate(begin);
      return true;
    },
    settled: async () => {
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
export const nameOf = (error: unknown) => (error instanceof Error ? error.name : typeof error);
