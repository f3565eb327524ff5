import type { AtomicWrite } from '../transactions/atomic-write';
import type { CommitOutcome, ToCommitter } from './committer';
import { threadFor } from './thread';
import type { FileHealth } from './file-health';

/** The functions with which the process controls the thread that commits. */
export type CommitThread = Readonly<{
  /** @throws the error of SQLite with its code; if the thread has ended, the outcome is unknown */
  allOrNothing: AtomicWrite;
  /** Restarts the write-ahead log when no transaction is running. */
  restartLog: () => void;
  end: () => Promise<void>;
}>;

/**
 * Commits in a separate thread, because a transaction over a thousand documents, with its flush, would block requests.
 * If the thread fails, `fallback` runs all later transactions.
 */
export function startCommitThread(file: string, health: FileHealth, fallback: AtomicWrite): CommitThread {
  const thread = threadFor('committer', file);
  const waiting: PromiseWithResolvers<boolean>[] = []; // in the order in which the thread answers
  let ended = false;
  const exit = new Promise((resolve) => thread.once('exit', resolve));
  const send = (message: ToCommitter) => thread.postMessage(message);

  thread.on('message', (outcome: CommitOutcome) => {
    const { resolve, reject } = waiting.shift()!;
    if ('done' in outcome) resolve(outcome.done);
    else {
      const why = Object.assign(new Error(outcome.why), { errcode: outcome.errcode });
      health.stopWritesIfLost(why);
      reject(why);
    }
  });
  thread.on('error', (why: Error) => {
    health.stopWritesIfLost(why);
    process.emitWarning(
      `The thread that writes ${file} failed, so the main thread writes this file now: ${String(why)}`,
    );
  });
  thread.on('exit', () => {
    ended = true;
    for (const { reject } of waiting.splice(0)) reject(new Error(`The thread that writes ${file} has ended.`));
  });
  // The thread may still have queued transactions and restarts of the write-ahead log.
  health.whenLost(() => void thread.terminate());
  return {
    allOrNothing: async (queries) => {
      health.check();
      if (ended) return fallback(queries);
      const answer = Promise.withResolvers<boolean>();
      waiting.push(answer);
      send(queries.map(({ sql, parameters }) => ({ sql, parameters })));
      return answer.promise;
    },
    restartLog: () => send('restart'),
    end: async () => {
      thread.ref(); // without `ref`, the process could end while it waits for the thread
      send('end');
      if (!ended) await exit;
    },
  };
}
