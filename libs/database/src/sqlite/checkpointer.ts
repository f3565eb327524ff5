// The thread that copies committed pages from the write-ahead log (WAL) into the file, so that no request waits for the
// copying. This file imports no other file of Charter, because Node loads it without a build.
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/** `truncate`: the thread tries once to copy all pages, and to empty the WAL. */
export type CheckpointerRequest = 'truncate' | 'end';
/** `growing`: the writer must restart the WAL. `truncated`: the outcome of `truncate`. */
export type CheckpointerAnswer = 'growing' | Readonly<{ truncated: boolean }>;

const MiB = 1024 * 1024;
/**
 * Sizes of the WAL in bytes: above `worthIt`, the thread makes a checkpoint; above `growing`, the writer must restart
 * the WAL.
 */
const sizes = { worthIt: 4 * MiB, growing: 64 * MiB };

const port = parentPort!; // this file runs only as a thread
const { file } = workerData as { file: string };
const database = new DatabaseSync(file, { timeout: 250 });
// With a weaker setting, a checkpoint could empty the WAL before the pages are on disk.
database.exec('PRAGMA synchronous = FULL');
if (database.prepare('PRAGMA synchronous').get()?.['synchronous'] !== 2) {
  throw new Error(`${file} cannot be set to synchronous = FULL, which durable writes need.`);
}
const version = database.prepare('PRAGMA data_version');
/** SQLite's extended codes of temporary failures: file busy, disk full, no space for the index of the WAL. */
const TEMPORARY_FAILURES = [5, 13, 4874];
let seen: unknown;

const clock = setInterval(() => {
  const before = seen;
  seen = version.get()?.['data_version'];
  const size = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (seen === before && size > 0)
    checkpoint('TRUNCATE'); // nothing was written in the last second
  else if (size > sizes.worthIt) checkpoint('PASSIVE');
  if (size > sizes.growing) port.postMessage('growing' satisfies CheckpointerAnswer);
}, 1000);

port.on('message', (message: CheckpointerRequest) => {
  if (message === 'truncate') port.postMessage({ truncated: checkpoint('TRUNCATE') } satisfies CheckpointerAnswer);
  else end();
});

function end() {
  clearInterval(clock);
  database.close();
  port.close();
}

/**
 * Makes a checkpoint, and returns whether it covered the whole WAL. When the file is busy or the disk is full, the
 * thread tries again a second later. Any failure except a busy file and a full disk ends this thread with an error.
 */
function checkpoint(mode: 'PASSIVE' | 'TRUNCATE'): boolean {
  try {
    return database.prepare(`PRAGMA wal_checkpoint(${mode})`).get()?.['busy'] === 0;
  } catch (why) {
    if (!TEMPORARY_FAILURES.includes((why as { errcode?: number }).errcode ?? 0)) throw why;
    return false;
  }
}
