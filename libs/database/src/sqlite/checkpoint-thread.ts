import type { DatabaseSync } from 'node:sqlite';
import { threadFor } from './thread';
import type { FileHealth } from './file-health';

/**
 * Keeps the write-ahead log small from a thread of its own: on the writing connection a checkpoint blocks everyone for
 * as long as the disk takes. If the thread fails, the connection does it again.
 * @param restartLog makes the busiest writer restart the write-ahead log, which otherwise never ends under load
 * @returns ends it
 */
export function startCheckpointThread(
  file: string,
  writing: DatabaseSync,
  trust: FileHealth,
  restartLog: () => void,
): () => Promise<void> {
  const thread = threadFor('checkpointer', file);
  const ended = new Promise((resolve) => thread.once('exit', resolve));

  writing.exec('PRAGMA wal_autocheckpoint = 0');
  thread.on('message', restartLog);
  trust.whenLost(() => thread.postMessage('end'));
  thread.on('error', (why) => {
    trust.judge(why);
    if (trust.lost() !== undefined) return; // a flush that failed is not tried again as if it had not
    writing.exec('PRAGMA wal_autocheckpoint = 1000');
    process.emitWarning(`The checkpoints of ${file} are made by the writer now: ${String(why)}`);
  });
  return async () => {
    thread.postMessage('end');
    if (thread.threadId !== -1) await ended;
  };
}
