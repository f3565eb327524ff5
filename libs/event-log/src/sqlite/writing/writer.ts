// The thread that writes events. The writer has a separate thread because SQLite is synchronous: it blocks its thread
// while it waits for the disk or for a lock.
import { DatabaseSync } from 'node:sqlite';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { committing } from './commit';
import { failureOf } from '../failure';
import { type FromWriter, type AppendJob, type ToWriter, transactionLimits as most } from './messages';
import { setWriterPragmas } from '../schema';

const port = parentPort!; // this file runs only as a thread
const { file } = workerData as { file: string };
const db = new DatabaseSync(file, { timeout: 250 });
setWriterPragmas(db, file);
const commit = committing(db);
const queue: AppendJob[] = [];
let closing: 'close' | 'truncate-and-close' | undefined;
let broken = false;

const answer = (message: FromWriter) => port.postMessage(message);

port.on('message', (message: ToWriter) => {
  take(message);
  while (queue.length > 0) {
    const committed = commit(queue.splice(0, fitting(queue)));
    broken ||= committed.stopped !== undefined;
    answer(committed);
    for (let more = receiveMessageOnPort(port); more; more = receiveMessageOnPort(port)) take(more.message as ToWriter);
  }
  if (closing === 'truncate-and-close') truncate();
  if (closing) close();
});
answer('ready');

function take(message: ToWriter) {
  if (message === 'close' || message === 'truncate-and-close') closing = message;
  else if (message === 'truncate') truncate();
  else queue.push(...message);
}

/** The number of jobs for the next transaction: at least one, even if that job exceeds the limits. */
function fitting(jobs: readonly AppendJob[]): number {
  let [count, events, bytes] = [0, 0, 0];
  for (const [, , , weight, ofJob] of jobs) {
    events += ofJob.length;
    bytes += weight;
    if (count > 0 && (count === most.appends || events > most.events || bytes > most.bytes)) break;
    count++;
  }
  return count;
}

/**
 * Empties the WAL between two transactions. No other connection can write between two transactions, so SQLite quickly
 * moves the part of the WAL that the checkpointer has left.
 */
function truncate() {
  // After a failed fsync, the next fsync may report success without having written the data.
  if (broken) return;
  try {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    const { kind } = failureOf(error);
    if (kind !== 'full' && kind !== 'busy') throw error; // the error ends the thread, because a failed fsync is final
  }
}

function close() {
  db.close();
  port.close();
}
