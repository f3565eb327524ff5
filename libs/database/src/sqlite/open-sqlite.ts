import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { type AtomicWrite, inTransaction } from '../transactions/atomic-write';
import { leaseOf, processClock } from '../leases';
import { type Database, databaseOver } from '../database';
import { syncQueriesOn } from './sync-queries';
import { startCheckpointThread } from './checkpoint-thread';
import { purge, truncateLog } from './purge';
import { startCommitThread } from './commit-thread';
import { openTables } from './open-tables';
import type { FileHealth } from './file-health';

/**
 * Opens the tables in a file, and migrates the tables to the newest schema. Creates the file if it is missing.
 * @throws StoreRefused with a one-sentence reason: the file is damaged, belongs to another program, comes from a newer
 * version, or is not writable
 */
export async function openSqlite(file: string, serving: boolean): Promise<Database> {
  const { tables, health, writing, reading, close } = await openTables(file);
  const threads = serving ? startThreads(file, writing, health, inTransaction(tables)) : undefined;
  return databaseOver(tables, {
    allOrNothing: threads?.allOrNothing,
    lost: health.lost,
    purgeErased: () => purge(file, health, async () => (await threads?.truncateLog()) ?? truncateLog(writing, health)),
    syncReads: { askSync: syncQueriesOn(reading), version: versionOf(writing) },
    // A server takes over the leases of the previous server, which may have crashed without releasing them.
    lease: (name, { now, ...options }) =>
      leaseOf(
        tables,
        name,
        { holder: serving ? 'server' : randomUUID(), lasts: LEASE_MS, ...options },
        processClock(now),
      ),
    close: async () => {
      await threads?.end();
      await close();
    },
  });
}

/** Milliseconds until a lease expires without renewal. */
const LEASE_MS = 10_000;

/**
 * Starts the threads that commit and make checkpoints. If a thread has locked the file, a statement of the main thread
 * is repeated after a short wait.
 */
function startThreads(file: string, writing: DatabaseSync, health: FileHealth, fallback: AtomicWrite) {
  writing.exec('PRAGMA busy_timeout = 5');
  const committing = startCommitThread(file, health, fallback);
  const checkpoints = startCheckpointThread(file, writing, health, committing.restartLog);
  return {
    allOrNothing: committing.allOrNothing,
    truncateLog: checkpoints.truncateLog,
    end: async () => {
      await committing.end();
      await checkpoints.end();
    },
  };
}

/**
 * Returns a function that reads `data_version`. On the writing connection, this number changes each time another
 * connection commits.
 */
const versionOf = (writing: DatabaseSync) => {
  const version = syncQueriesOn(writing)('PRAGMA data_version');
  return () => (version() as { data_version: number }).data_version;
};
