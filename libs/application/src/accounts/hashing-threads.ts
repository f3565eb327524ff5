import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { HashCost, HashingJob, HashingOutcome } from './hasher';

/** The threads that compute password hashes. Each thread computes one hash at a time, in the order of the calls. */
export type HashingThreads = Readonly<{
  hash: (password: string, cost: HashCost) => Promise<string>;
  verify: (stored: string, password: string) => Promise<boolean>;
  close: () => Promise<void>;
}>;

/**
 * Starts the threads at the first hash, because most processes of the command line hash no password. Node's thread pool
 * is not suitable for hashes: file operations and name lookups would wait behind the hashes. The pool's threads also
 * have the same priority as the thread of the requests.
 */
export function hashingThreads(count: number): HashingThreads {
  const threads: HashingThread[] = [];

  /**
   * The thread with the fewest unfinished jobs. Starts another thread only if all are busy, and replaces a thread that
   * has failed.
   */
  const leastBusy = (): HashingThread => {
    for (let index = 0; index < count; index += 1) {
      if (threads[index]?.hasEnded() !== false) return (threads[index] = startThread());
      if (threads[index]!.unfinished() === 0) return threads[index]!;
    }
    return threads.reduce((least, thread) => (thread.unfinished() < least.unfinished() ? thread : least));
  };
  const outcomeOf = async (job: HashingJob) => {
    const outcome = await leastBusy().run(job);
    if ('why' in outcome) throw new Error(`The password could not be hashed: ${outcome.why}`);
    return outcome;
  };

  return {
    hash: async (password, cost) => ((await outcomeOf({ password, cost })) as { hash: string }).hash,
    verify: async (stored, password) => ((await outcomeOf({ password, stored })) as { isRight: boolean }).isRight,
    close: async () => {
      await Promise.all(threads.splice(0).map((thread) => thread.end()));
    },
  };
}

type HashingThread = ReturnType<typeof startThread>;

/** The process may end while the thread is still running. */
function startThread() {
  // In specs the script is TypeScript, which Node can load because the script imports no other file of Charter.
  const ending = extname(__filename);
  const execArgv = ending === '.ts' ? ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'] : [];
  const worker = new Worker(join(__dirname, `hasher${ending}`), { execArgv });
  const waiting: PromiseWithResolvers<HashingOutcome>[] = []; // in the order in which the thread answers
  let hasEnded = false;
  let why = 'the thread has ended';
  worker.on('message', (outcome: HashingOutcome) => {
    waiting.shift()!.resolve(outcome);
    if (waiting.length === 0) worker.unref();
  });
  worker.on('error', (error: Error) => (why = String(error)));
  worker.on('exit', () => {
    hasEnded = true;
    for (const { resolve } of waiting.splice(0)) resolve({ why });
  });
  worker.unref();

  return {
    hasEnded: () => hasEnded,
    unfinished: () => waiting.length,
    run: (job: HashingJob) => {
      const answer = Promise.withResolvers<HashingOutcome>();
      waiting.push(answer);
      worker.ref(); // a process of the command line does not end before it has the hash
      worker.postMessage(job);
      return answer.promise;
    },
    end: () => worker.terminate(),
  };
}
