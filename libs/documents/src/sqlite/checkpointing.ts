import { extname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';

/**
 * Keeps the write-ahead log small from a thread of its own: on the writing connection a checkpoint blocks everyone for
 * as long as the disk takes. If the thread fails, the connection does it again.
 * @returns ends it
 */
export function checkpointAside(file: string, writing: DatabaseSync): () => Promise<void> {
  const ending = extname(__filename);
  const execArgv = ending === '.ts' ? ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'] : [];
  const thread = new Worker(join(__dirname, `checkpointer${ending}`), { workerData: { file }, execArgv });
  const ended = new Promise((resolve) => thread.once('exit', resolve));

  writing.exec('PRAGMA wal_autocheckpoint = 0');
  thread.on('message', () => {
    // Beside a busy writer the log never ends by itself; nearly all of it is in the file already.
    if (!writing.isTransaction) writing.exec('PRAGMA wal_checkpoint(RESTART)');
  });
  thread.on('error', (why) => {
    writing.exec('PRAGMA wal_autocheckpoint = 1000');
    process.emitWarning(`The checkpoints of ${file} are made by the writer now: ${String(why)}`);
  });
  thread.unref();
  return async () => {
    thread.postMessage('end');
    if (thread.threadId !== -1) await ended;
  };
}
