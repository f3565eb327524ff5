import type { DatabaseSync } from 'node:sqlite';
import type { Worker } from 'node:worker_threads';
import type { CheckpointerAnswer, CheckpointerRequest } from './checkpointer';
import { threadFor } from './thread';
import type { FileHealth } from './file-health';

/** The functions with which the process controls the thread that makes checkpoints of the write-ahead log. */
export type CheckpointThread = Readonly<{
  /** Tries once to empty the write-ahead log. Undefined if the thread has ended. */
  truncateLog: () => Promise<boolean | undefined>;
  end: () => Promise<void>;
}>;

/**
 * Makes checkpoints in a separate thread, because a checkpoint on the writing connection blocks all writers until the
 * disk has finished. If the thread fails, the writing connection makes the checkpoints.
 * @param restartLog makes the commit thread restart the write-ahead log; without restarts, the log would grow without
 * limit under load
 */
export function startCheckpointThread(
  file: string,
  writing: DatabaseSync,
  health: FileHealth,
  restartLog: () => void,
): CheckpointThread {
  const waiting: ((truncated: boolean | undefined) => void)[] = []; // in the order in which the thread answers
  let thread: Worker | undefined;
  let hasEnded = false;
  const exit = Promise.withResolvers<undefined>();

  writing.exec('PRAGMA wal_autocheckpoint = 0');
  const start = (): Worker => {
    clearTimeout(timer);
    const started = threadFor('checkpointer', file);
    started.once('exit', () => {
      hasEnded = true;
      for (const answer of waiting.splice(0)) answer(undefined);
      exit.resolve(undefined);
    });
    started.on('message', (message: CheckpointerAnswer) => {
      if (message === 'growing') restartLog();
      else waiting.shift()?.(message.truncated);
    });
    started.on('error', (why) => {
      health.stopWritesIfLost(why);
      // After a failed flush, the process makes no more checkpoints, because a later flush could succeed although data
      // is lost.
      if (health.lost() !== undefined) return;
      writing.exec('PRAGMA wal_autocheckpoint = 1000');
      process.emitWarning(`The writer now makes the checkpoints of ${file}, because the thread failed: ${String(why)}`);
    });
    return started;
  };
  // A command or a spec usually ends before this delay, and then needs no thread.
  const timer = setTimeout(() => (thread = start()), START_DELAY_MS).unref();
  const end = () => {
    clearTimeout(timer);
    hasEnded ||= thread === undefined;
    thread?.postMessage('end' satisfies CheckpointerRequest);
  };

  health.whenLost(() => {
    end();
    void thread?.terminate(); // a request that waits in the thread must not repeat the flush
  });
  return {
    truncateLog: () => {
      if (hasEnded) return Promise.resolve(undefined);
      const { promise, resolve } = Promise.withResolvers<boolean | undefined>();
      waiting.push(resolve);
      thread ??= start();
      thread.postMessage('truncate' satisfies CheckpointerRequest);
      return promise;
    },
    end: async () => {
      thread?.ref(); // without `ref`, the process could end while it waits for the thread
      end();
      if (thread !== undefined) await exit.promise;
    },
  };
}

/** Milliseconds before the thread starts. */
const START_DELAY_MS = 3_000;
