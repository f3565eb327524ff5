import type { DatabaseSync } from 'node:sqlite';
import { threadFor } from './thread';
import type { FileHealth } from './file-health';

/**
 * Makes checkpoints in a separate thread, because on the writing connection a checkpoint blocks all writers until the
 * disk has finished. If the thread fails, the writing connection makes the checkpoints.
 * @param restartLog lets the busiest writer restart the write-ahead log, which otherwise only grows under load
 * @returns a function that ends the thread
 */
export function startCheckpointThread(
  file: string,
  writing: DatabaseSync,
  health: FileHealth,
  restartLog: () => void,
): () => Promise<void> {
  const thread = threadFor('checkpointer', file);
  const ended = new Promise((resolve) => thread.once('exit', resolve));

  writing.exec('PRAGMA wal_autocheckpoint = 0');
  thread.on('message', restartLog);
  health.whenLost(() => thread.postMessage('end'));
  thread.on('error', (why) => {
    health.judge(why);
    if (health.lost() !== undefined) return; // after a failed flush, a later flush could succeed although data is lost
    writing.exec('PRAGMA wal_autocheckpoint = 1000');
    process.emitWarning(`The checkpoints of ${file} are made by the writer now: ${String(why)}`);
  });
  return async () => {
    thread.ref(); // nothing else may hold a process that waits for this
    thread.postMessage('end');
    if (thread.threadId !== -1) await ended;
  };
}
