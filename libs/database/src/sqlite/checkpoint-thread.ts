import type { DatabaseSync } from 'node:sqlite';
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
  const thread = threadFor('checkpointer', file);
  const waiting: ((truncated: boolean | undefined) => void)[] = []; // in the order in which the thread answers
  const send = (message: CheckpointerRequest) => thread.postMessage(message);
  let hasEnded = false;
  const exit = new Promise<void>((resolve) => {
    thread.once('exit', () => {
      hasEnded = true;
      for (const answer of waiting.splice(0)) answer(undefined);
      resolve();
    });
  });

  writing.exec('PRAGMA wal_autocheckpoint = 0');
  thread.on('message', (message: CheckpointerAnswer) => {
    if (message === 'growing') restartLog();
    else waiting.shift()?.(message.truncated);
  });
  health.whenLost(() => send('end'));
  thread.on('error', (why) => {
    health.judge(why);
    // After a failed flush, the process makes no more checkpoints, because a later flush could succeed although data is
    // lost.
    if (health.lost() !== undefined) return;
    writing.exec('PRAGMA wal_autocheckpoint = 1000');
    process.emitWarning(`The checkpoints of ${file} are made by the writer now: ${String(why)}`);
  });
  return {
    truncateLog: () => {
      if (hasEnded) return Promise.resolve(undefined);
      const { promise, resolve } = Promise.withResolvers<boolean | undefined>();
      waiting.push(resolve);
      send('truncate');
      return promise;
    },
    end: async () => {
      thread.ref(); // without `ref`, the process could end while it waits for the thread
      send('end');
      await exit;
    },
  };
}
