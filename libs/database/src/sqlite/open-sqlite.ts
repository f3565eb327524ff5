import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { type AtomicWrite, inTransaction } from '../transactions/atomic-write';
import { leaseOf, processClock } from '../leases';
import { type Database, databaseOver } from '../database';
import type { QuerySync } from '../read-model/view-store';
import { startCheckpointThread } from './checkpoint-thread';
import { startCommitThread } from './commit-thread';
import { openTables } from './open-tables';
import type { FileHealth } from './file-health';

/**
 * Opens the tables in a file, makes it if there is none, and brings them to the newest shape.
 * @throws StoreRefused with one sentence: damaged, foreign, from a newer version, or not to be written
 */
export async function openSqlite(file: string, serving: boolean): Promise<Database> {
  const { tables, trust, writing, reading, close } = await openTables(file);
  const aside = serving ? writeAside(file, writing, trust, inTransaction(tables)) : undefined;
  return databaseOver(tables, {
    allOrNothing: aside?.allOrNothing,
    lost: trust.lost,
    hot: { askSync: askingSync(reading), version: versionOf(writing) },
    // The one server takes over the leases of the previous server, which may have crashed while it held them.
    lease: (name, { now, ...options }) =>
      leaseOf(tables, name, { holder: serving ? 'server' : randomUUID(), lasts: LEASE, ...options }, processClock(now)),
    close: async () => {
      await aside?.end();
      await close();
    },
  });
}

/** Milliseconds. */
const LEASE = 10_000;

/** Threads do the long work. A statement that meets a lock of theirs tries again soon. */
function writeAside(file: string, writing: DatabaseSync, trust: FileHealth, otherwise: AtomicWrite) {
  writing.exec('PRAGMA busy_timeout = 5');
  const committing = startCommitThread(file, trust, otherwise);
  const endCheckpoints = startCheckpointThread(file, writing, trust, committing.restartLog);
  return {
    allOrNothing: committing.allOrNothing,
    end: async () => {
      await committing.end();
      await endCheckpoints();
    },
  };
}

/** Reads on the connection that never sees half a transaction. */
const askingSync = (reading: DatabaseSync): QuerySync => {
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
