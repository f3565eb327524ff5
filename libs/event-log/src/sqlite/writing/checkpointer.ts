// The thread that brings what was written from the WAL into the file, so that the writer never has to wait for that.
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { failureOf } from '../failure';
import type { FromCheckpointer } from './messages';
import { writerPragmas } from '../schema';

const MiB = 1024 * 1024;
/** Sizes of the WAL: from where on it is worth the work, cannot keep pace, and is a fault. */
const sizes = { worthIt: 4 * MiB, growing: 64 * MiB, fault: 256 * MiB };

const port = parentPort!; // this file is only ever a thread
const { file } = workerData as { file: string };
const db = new DatabaseSync(file, { timeout: 250 });
db.exec(writerPragmas);
const version = db.prepare('PRAGMA data_version');
let seen: unknown;
let broken = false;

const report = (message: FromCheckpointer) => port.postMessage(message);

const clock = setInterval(() => {
  const before = seen;
  seen = version.get()?.['data_version'];
  const size = walBytes();
  if (seen === before && size > 0)
    checkpoint('TRUNCATE'); // idle
  else if (size > sizes.worthIt) keepPace();
}, 1000);

port.on('message', () => {
  if (!broken) checkpoint('TRUNCATE');
  clearInterval(clock);
  db.close();
  port.close();
});

/** A passive checkpoint never ends beside a busy writer. What it leaves over is little, so the writer is asked for that. */
function keepPace() {
  checkpoint('PASSIVE');
  const size = walBytes();
  if (size > sizes.growing) report('truncate');
  if (size > sizes.fault) report({ large: size });
}

function checkpoint(mode: 'PASSIVE' | 'TRUNCATE') {
  try {
    db.exec(`PRAGMA wal_checkpoint(${mode})`);
  } catch (error) {
    const { kind, why } = failureOf(error);
    if (kind === 'busy' || kind === 'full') return; // the next second tries again
    // after a failed fsync another one may succeed without having written: the WAL must stay as it is
    broken = true;
    clearInterval(clock);
    report({ broken: why });
  }
}

function walBytes() {
  return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}
