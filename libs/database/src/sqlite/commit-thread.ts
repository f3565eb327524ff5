import type { AtomicWrite } from '../transactions/atomic-write';
import type { CommitOutcome, ToCommitter } from './committer';
import { threadFor } from './thread';
import type { FileHealth } from './file-health';

/** The way to the thread that commits, and back. */
export type CommitThread = Readonly<{
  /** @throws the error of SQLite with its code; if the thread ends, the outcome is unknown */
  allOrNothing: AtomicWrite;
  /** Lets the write-ahead log begin anew, between two transactions. */
  restartLog: () => void;
  end: () => Promise<void>;
}>;

/**
 * Commits in a thread of its own: a transaction that writes a thousand documents takes a while, and its disk takes
 * longer. If the thread fails, `otherwise` does it from then on.
 */
export function startCommitThread(file: string, trust: FileHealth, otherwise: AtomicWrite): CommitThread {
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
      trust.judge(why);
      reject(why);
    }
  });
  thread.on('error', (why: Error) => {
    trust.judge(why);
    process.emitWarning(`${file} is written by the main thread now: ${String(why)}`);
  });
  thread.on('exit', () => {
    ended = true;
    for (const { reject } of waiting.splice(0)) reject(new Error(`The thread that writes ${file} has ended.`));
  });
  return {
    allOrNothing: async (queries) => {
      trust.check();
      if (ended) return otherwise(queries);
      const answer = Promise.withResolvers<boolean>();
      waiting.push(answer);
      send(queries.map(({ sql, parameters }) => ({ sql, parameters })));
      return answer.promise;
    },
    restartLog: () => send('restart'),
    end: async () => {
      send('end');
      if (!ended) await exit;
    },
  };
}
