import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { type Lease, StoreRefused } from '@charter/event-log';
import type { KeyStore, People } from '@charter/identity';
import { Kysely } from 'kysely';
import { type AllOrNothing, inTransaction } from './all-or-nothing';
import { apiKeysIn, type Changes } from './api-keys';
import { type Attempts, attemptsIn } from './attempts';
import { type LeaseOptions, leaseOf } from './leases';
import { type Mails, mailsIn } from './mails';
import { type Marks, marksIn } from './marks';
import { migrate } from './migrations';
import { type Receipts, receiptsIn } from './receipts';
import { peopleIn } from './people/people';
import type { Schema } from './schema';
import { checkpointAside } from './sqlite/checkpointing';
import { commitAside } from './sqlite/committing';
import { reasonOf } from './sqlite/failure';
import { nodeSqliteDialect } from './sqlite/node-sqlite-dialect';
import { openFile } from './sqlite/open-file';
import { type AskSync, type ViewShape, type ViewStore, viewStore } from './view-store';

/** Everything that is kept in tables. */
export type Documents = Readonly<{
  view<State>(shape: ViewShape<State>): ViewStore<State>;
  lease(name: string, options?: Partial<LeaseOptions>): Lease;
  receipts: Receipts;
  keys: KeyStore;
  people: People;
  attempts: Attempts;
  mails: Mails;
  marks: Marks;
  close(): Promise<void>;
}>;

export type OpenOptions = Readonly<{
  file: string;
  /**
   * The one server of these stores: projections are committed and checkpoints made by threads beside it, so that no request
   * waits for them, and it goes on with the leases of the server before it, which may have died with them in its hand.
   */
  serving?: boolean;
}>;

/**
 * Opens the tables in a file, makes it if there is none, and brings them to the newest shape.
 * @throws StoreRefused with one sentence: damaged, foreign, from a newer version, or not to be written
 */
export async function openDocuments({ file, serving = false }: OpenOptions): Promise<Documents> {
  const { writing, reading } = openFile(file);
  const tables = new Kysely<Schema>({ dialect: nodeSqliteDialect(writing) });
  const close = async () => {
    reading.close();
    await tables.destroy();
  };
  try {
    await migrate(tables);
  } catch (why) {
    await close();
    if (why instanceof StoreRefused) throw why;
    throw new StoreRefused(`The documents file ${file} ${reasonOf(why) ?? `cannot be used: ${String(why)}`}.`, {
      cause: why,
    });
  }
  const aside = serving ? writeAside(file, writing, inTransaction(tables)) : undefined;
  const askSync = askingSync(reading);
  const version = versionOf(writing);
  const keyChanges: Changes = { count: 0 };
  return {
    view: (shape) => viewStore(tables, shape, askSync, aside?.allOrNothing),
    lease: (name, options = {}) => leaseOf(tables, name, { holder: serving ? 'server' : randomUUID(), ...options }),
    receipts: receiptsIn(tables),
    keys: apiKeysIn(tables, { askSync, version }, keyChanges),
    people: peopleIn(tables, { askSync, version }, keyChanges),
    attempts: attemptsIn(tables),
    mails: mailsIn(tables),
    marks: marksIn(tables),
    close: async () => {
      await aside?.end();
      await close();
    },
  };
}

/** What takes long is done by threads; whoever finds them at it tries again soon, and does not wait with all others. */
function writeAside(file: string, writing: DatabaseSync, otherwise: AllOrNothing) {
  writing.exec('PRAGMA busy_timeout = 5');
  const committing = commitAside(file, otherwise);
  const endCheckpoints = checkpointAside(file, writing, committing.restartLog);
  return {
    allOrNothing: committing.allOrNothing,
    end: async () => {
      await committing.end();
      await endCheckpoints();
    },
  };
}

/** Reads on the connection that never sees half a transaction. */
const askingSync = (reading: DatabaseSync): AskSync => {
  return (sql) => {
    const statement = reading.prepare(sql);
    return (...parameters) => statement.get(...parameters);
  };
};

/** Asked of the writing connection, the version counts the commits of all others. */
const versionOf = (writing: DatabaseSync) => {
  const statement = writing.prepare('PRAGMA data_version');
  return () => (statement.get() as { data_version: number }).data_version;
};
