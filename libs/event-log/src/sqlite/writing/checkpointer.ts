// The thread that moves committed events from the WAL into the main file (`event-log.md` C4). The separate thread saves
// the writer from moving events.
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { failureOf } from '../failure';
import type { FromCheckpointer } from './messages';
import { setWriterPragmas } from '../schema';

const MiB = 1024 * 1024;
/**
 * Sizes of the WAL in bytes. Above `checkpoint` the thread runs a passive checkpoint. Above `truncate` it requests that
 * the writer truncate the WAL. Above `warn` it warns the operator.
 */
const sizes = { checkpoint: 4 * MiB, truncate: 64 * MiB, warn: 256 * MiB };

const port = parentPort!; // this file runs only as a thread
const { file } = workerData as { file: string };
const db = new DatabaseSync(file, { timeout: 250 });
setWriterPragmas(db, file);
const version = db.prepare('PRAGMA data_version');
let seen: unknown;

const report = (message: FromCheckpointer) => port.postMessage(message);

const timer = setInterval(() => {
  const before = seen;
  seen = version.get()?.['data_version'];
  const size = walBytes();
  if (seen === before && size > 0)
    checkpoint('TRUNCATE'); // no process has written during the last second
  else if (size > sizes.checkpoint) limitWal();
}, 1000);

port.on('message', () => {
  checkpoint('TRUNCATE');
  clearInterval(timer);
  db.close();
  port.close();
});

/**
 * Runs a passive checkpoint, and requests a truncation of a large WAL. While the writer is busy, a passive checkpoint
 * does not reach the end of the WAL. The writer quickly moves the small rest before it truncates the WAL.
 */
function limitWal() {
  checkpoint('PASSIVE');
  const size = walBytes();
  if (size > sizes.truncate) report('truncate');
  if (size > sizes.warn) report({ large: size });
}

function checkpoint(mode: 'PASSIVE' | 'TRUNCATE') {
  try {
    db.exec(`PRAGMA wal_checkpoint(${mode})`);
  } catch (error) {
    const { kind } = failureOf(error);
    // The error ends the thread. After a failed fsync, the next fsync may report success without having written the
    // data. The WAL must therefore stay unchanged.
    if (kind !== 'full' && kind !== 'busy') throw error;
  }
}

function walBytes() {
  return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}
