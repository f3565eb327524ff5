import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { namedCounts } from './named-counts';

/**
 * Work that the process does after the answer. The work is lost if the process crashes or the queue is full. Work that
 * must not be lost is deferred work. The queues do not use the event log's `concurrencyLimit`, which cannot limit each
 * caller or wait for the end of all work.
 */
export type BackgroundWork = Readonly<{
  /**
   * Returns false if the queue of this kind is full, or if `whose` has used its share of the queue. The process drops
   * and counts work that finds no place in the queue.
   */
  add: (kind: BackgroundKind, whose: string, work: () => Promise<unknown>) => boolean;
  /** Resolves when all background work and all deferred work is done. */
  settled: () => Promise<void>;
}>;

/** The kinds of work, each with its name in the log. Each kind has a separate queue. */
const kinds = {
  /** If this work is lost, the next use of the API key on that day is recorded instead. */
  'key-use': 'the use of a key',
  /**
   * Attempts to store a notice in the outbox. For an account, the request makes the first attempt, and this work makes
   * the others. For the owners of an organization without a free seat, this work makes all attempts.
   */
  notice: 'a notice by mail',
  /** If this work is lost, the audit trail lacks a sign-out. The request makes the first attempt. */
  'sign-out': 'the record of a sign-out',
  /** If this work is lost, the next sign-in hashes the password again. */
  rehash: 'a new hash of a password',
  /** If this work is lost, the next process that starts applies the waiting messages. */
  billing: 'messages that waited for a customer',
} as const;
export type BackgroundKind = keyof typeof kinds;
export const backgroundKinds = Object.keys(kinds) as BackgroundKind[];

/** The maximum length of the queue of each kind. */
const WAITING_MAX = 1_000;
const RUNNING_MAX = 4;
/** The maximum number of entries of a queue that one address, account or organization may use. */
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
  const shares = namedCounts();
  const running = new Set<Promise<void>>();

  const begin = (): void => {
    while (running.size < RUNNING_MAX) {
      const next = queue.shift();
      if (!next) return;
      const work = next
        .work()
        .catch((error: unknown) => logger.warn({ what, why: nameOf(error) }, 'background work failed'))
        .then(() => {
          running.delete(work);
          shares.change(next.whose, -1);
          begin();
        });
      running.add(work);
    }
  };
  return {
    add: (whose: string, work: () => Promise<unknown>) => {
      if (queue.length >= WAITING_MAX || shares.of(whose) >= SHARE_MAX) {
        countDropped();
        logger.warn({ what, result: 'dropped' }, 'background work was dropped: its queue is full');
        return false;
      }
      queue.push({ whose, work });
      shares.change(whose, 1);
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

/** The pauses before failed work is repeated, so that a short outage of a store does not lose the work. */
export const retrying =
  (work: () => Promise<unknown>, pauses: readonly number[] = PAUSES_MS): (() => Promise<unknown>) =>
  async () => {
    for (const ms of pauses) {
      try {
        return await work();
      } catch {
        await pause(ms);
      }
    }
    return work();
  };
const PAUSES_MS = [100, 300, 900];

/**
 * The name of an error for the log. The message is left out, because the message of a store may contain stored data.
 */
export const nameOf = (error: unknown) => (error instanceof Error ? error.name : typeof error);
