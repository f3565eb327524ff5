// The thread that writes the results of projections, so that no request waits for the disk. This file imports no other
// file of Charter, because Node loads it without a build.
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/** The statements of one transaction. The transaction commits only if its first statement changes exactly one row. */
export type TransactionStatements = readonly Readonly<{ sql: string; parameters: readonly unknown[] }>[];
export type CommitOutcome = Readonly<{ done: boolean }> | Readonly<{ why: string; errcode: number | undefined }>;
/** The requests to the thread. `restart`: the thread restarts the write-ahead log. */
export type ToCommitter = TransactionStatements | 'restart' | 'end';

const port = parentPort!; // this file runs only as a thread
const { file } = workerData as { file: string };
const database = new DatabaseSync(file, { timeout: 4_000 });
database.exec('PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF; PRAGMA wal_autocheckpoint = 0');
if (database.prepare('PRAGMA synchronous').get()?.['synchronous'] !== 2) {
  throw new Error(`${file} cannot be set to synchronous = FULL, which durable writes need.`);
}
// A negative number is the size of the page cache in KiB. The cache is large, because writes to lists change pages in
// all parts of the file.
database.exec('PRAGMA cache_size = -32768');
const prepared = new Map<string, StatementSync>();
const PREPARED_MAX = 500;
/**
 * SQLite's extended codes for a disk that failed during a write. After such a failed write, the thread writes nothing
 * until a restart.
 */
const DISK_FAILURES = [778, 1034, 1290, 1546];
/** SQLite's extended codes of temporary failures: file busy, disk full, no space for the index of the WAL. */
const TEMPORARY_FAILURES = [5, 13, 4874];
let failed: CommitOutcome | undefined;

port.on('message', (message: ToCommitter) => {
  if (message === 'restart') restart();
  else if (message === 'end') end();
  else port.postMessage(failed ?? outcomeOf(message));
});

function outcomeOf(statements: TransactionStatements): CommitOutcome {
  try {
    return { done: runAll(statements) };
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    const { message, errcode } = error as Error & { errcode?: number };
    const outcome = { why: message, errcode };
    if (DISK_FAILURES.includes(errcode ?? 0)) failed = outcome;
    return outcome;
  }
}

/**
 * Restarts the write-ahead log. If the file is busy or the disk is full, a later call tries again. Any failure except a
 * busy file and a full disk ends this thread with an error.
 */
function restart() {
  try {
    if (!failed) database.exec('PRAGMA wal_checkpoint(RESTART)');
  } catch (why) {
    if (!TEMPORARY_FAILURES.includes((why as { errcode?: number }).errcode ?? 0)) throw why;
  }
}

function runAll([first, ...others]: TransactionStatements): boolean {
  database.exec('BEGIN IMMEDIATE');
  const holds = !first || run(first) === 1;
  if (holds) for (const statement of others) run(statement);
  database.exec(holds ? 'COMMIT' : 'ROLLBACK');
  return holds;
}

function run({ sql, parameters }: TransactionStatements[number]): number {
  const statement = prepared.get(sql) ?? database.prepare(sql);
  if (prepared.size < PREPARED_MAX) prepared.set(sql, statement);
  // The types of the columns allow only text, numbers and null.
  return Number(statement.run(...(parameters as SQLInputValue[])).changes);
}

function end() {
  database.close();
  port.close();
}
