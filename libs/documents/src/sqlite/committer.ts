// The thread that writes what projections have worked out, so that no request waits until the disk has it. It imports
// nothing of ours, so that Node can load it as it stands.
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/** What runs in one transaction, as long as the first statement changes one row. */
export type Statements = readonly Readonly<{ sql: string; parameters: readonly unknown[] }>[];
export type Outcome = Readonly<{ done: boolean }> | Readonly<{ why: string; errcode: number | undefined }>;
/** `restart`: the write-ahead log is to begin anew. */
export type ToCommitter = Statements | 'restart' | 'end';

const port = parentPort!; // this file is only ever a thread
const { file } = workerData as { file: string };
const database = new DatabaseSync(file, { timeout: 4_000 });
database.exec('PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF; PRAGMA wal_autocheckpoint = 0');
database.exec('PRAGMA cache_size = -32768'); // KiB; lists are written all over the file
const prepared = new Map<string, StatementSync>(); // compiling a statement costs more than running it
const PREPARED_MAX = 500;

port.on('message', (message: ToCommitter) => {
  if (message === 'restart') database.exec('PRAGMA wal_checkpoint(RESTART)');
  else if (message === 'end') end();
  else port.postMessage(outcomeOf(message));
});

function outcomeOf(statements: Statements): Outcome {
  try {
    return { done: runAll(statements) };
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    const { message, errcode } = error as Error & { errcode?: number };
    return { why: message, errcode };
  }
}

function runAll([first, ...others]: Statements): boolean {
  database.exec('BEGIN IMMEDIATE');
  const holds = !first || run(first) === 1;
  if (holds) for (const statement of others) run(statement);
  database.exec(holds ? 'COMMIT' : 'ROLLBACK');
  return holds;
}

function run({ sql, parameters }: Statements[number]): number {
  const statement = prepared.get(sql) ?? database.prepare(sql);
  if (prepared.size < PREPARED_MAX) prepared.set(sql, statement);
  return Number(statement.run(...(parameters as SQLInputValue[])).changes); // as the columns' types allow
}

function end() {
  database.close();
  port.close();
}
