// The thread that brings what was written from the WAL into the file, so that no request waits for that. It imports
// nothing of ours, so that Node can load it as it stands.
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

const MiB = 1024 * 1024;
/** Sizes of the WAL: from where on it is worth the work, and where the writer must let it begin anew. */
const sizes = { worthIt: 4 * MiB, growing: 64 * MiB };

const port = parentPort!; // this file is only ever a thread
const { file } = workerData as { file: string };
const database = new DatabaseSync(file, { timeout: 250 });
const version = database.prepare('PRAGMA data_version');
/** Extended codes: busy, full, no room for the index of the WAL. */
const PASSING = [5, 13, 4874];
let seen: unknown;

const clock = setInterval(() => {
  const before = seen;
  seen = version.get()?.['data_version'];
  const size = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (seen === before && size > 0)
    checkpoint('TRUNCATE'); // idle
  else if (size > sizes.worthIt) checkpoint('PASSIVE');
  if (size > sizes.growing) port.postMessage('truncate');
}, 1000);

port.on('message', () => {
  clearInterval(clock);
  database.close();
  port.close();
});

/**
 * Tries again in a second when the file is busy or the disk is full. Any other failure ends this thread with an error.
 */
function checkpoint(mode: 'PASSIVE' | 'TRUNCATE') {
  try {
    database.exec(`PRAGMA wal_checkpoint(${mode})`);
  } catch (why) {
    if (!PASSING.includes((why as { errcode?: number }).errcode ?? 0)) throw why;
  }
}
