import { randomUUID } from 'node:crypto';
import { StoreRefused } from '@charter/event-log';
import { Kysely } from 'kysely';
import { inTransaction } from '../transactions/atomic-write';
import type { Schema } from '../schema/schema';
import { leaseOf } from '../leases';
import { type Database, databaseOver, type PurgeResult } from '../database';
import { DatabaseUnavailable } from '../unavailable';
import type { PostgresAddress } from './address';
import { checkServer } from './server-check';
import { postgresDialect } from './dialect';
import { serverClock } from './clock';
import { migrateSchema } from './migrate';
import { poolOf, type PoolOptions } from './pool';
import { serverStamps } from './server-stamps';
import { vacuuming, type Vacuuming } from './vacuum';

/**
 * Opens the tables in a PostgreSQL server, creates missing tables, and migrates all tables to the newest schema.
 * Several processes may open the tables at the same time.
 * @throws StoreRefused with a one-sentence reason: the server is unreachable, may lose confirmed writes, or has tables
 * of a newer version
 */
export async function openPostgres(
  address: PostgresAddress,
  { serving = false, holder = randomUUID() }: Readonly<{ serving?: boolean; holder?: string }> = {},
): Promise<Database> {
  const { synchronousCommit } = await checkServer(address);
  const open = (options: Omit<PoolOptions, 'synchronousCommit'>) =>
    new Kysely<Schema>({ dialect: postgresDialect(poolOf(address, { ...options, synchronousCommit })) });

  const requestTables = open({ max: address.connections, ...inRequests });
  const worked = open({ max: WORKERS, ...inBackground });
  const vacuum = vacuuming(address);
  const stamps = serverStamps(address, { ...inRequests, synchronousCommit });
  const close = async () => {
    await vacuum.end();
    await stamps.end();
    await requestTables.destroy();
    await worked.destroy();
  };
  try {
    const migrating = open({ max: 1, ...inMigration });
    await migrateSchema(migrating, address.schema).finally(() => migrating.destroy());
  } catch (why) {
    await close();
    if (why instanceof StoreRefused) throw why;
    const { host, port, schema } = address;
    const reason = why instanceof DatabaseUnavailable ? why.message : String(why);
    throw new StoreRefused(`The schema ${schema} of the PostgreSQL at ${host}:${port} cannot be used: ${reason}.`, {
      cause: why,
    });
  }
  return databaseOver(requestTables, {
    projected: worked,
    polled: stamps,
    allOrNothing: inTransaction(worked),
    lease: (name, options) => leaseOf(worked, name, { holder, lasts: LEASE_MS, ...options }, serverClock),
    purgeErased: ({ untilDone = !serving } = {}) => purge(vacuum, untilDone),
    close,
  });
}

/**
 * Vacuums the tables of people. Without `untilDone` the vacuum runs in the background, so that the caller's answer does
 * not wait for the vacuum.
 */
async function purge(vacuum: Vacuuming, untilDone: boolean): Promise<PurgeResult> {
  const vacuumed = vacuum.start();
  if (!untilDone) return { outcome: 'under-way', remains: `${SOON} ${REMAINS}` };
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), VACUUM_MS);
  const isDone = await Promise.race([vacuumed, late]).finally(() => clearTimeout(timer));
  if (isDone) return { outcome: 'done', remains: REMAINS };
  const why = vacuum.failure() ?? 'the vacuum still runs, or another session locks a table';
  return { outcome: 'failed', remains: `PostgreSQL has not vacuumed the tables within a minute (${why}).` };
}

const SOON = 'PostgreSQL removes the old rows from its tables and indexes within a minute.';
const REMAINS =
  'Rows that an open transaction can still see stay until a later vacuum. Bytes in unused space of the files of PostgreSQL, ' +
  'in its write-ahead log and in backups stay until PostgreSQL overwrites them.';

/** The maximum number of milliseconds to wait for a vacuum. */
const VACUUM_MS = 60_000;

/** Time limits for requests in milliseconds: an early failure is better than a late answer (`acceptance.md` R6). */
const inRequests = { statement: 1_400, acquire: 1_000 };

/** Time limits in milliseconds for projections and for statements over many rows. */
const inBackground = { statement: 30_000, acquire: 5_000 };

/**
 * Time limits in milliseconds for the migration at the start. A migration of a large table takes minutes, and a second
 * process waits as long.
 */
const inMigration = { statement: 3_600_000, acquire: 5_000 };

/**
 * Milliseconds until a lease expires without renewal. The value is short enough that another process takes over within
 * ten seconds after a crash of the holder.
 */
const LEASE_MS = 6_000;

/**
 * The number of connections for background work. Requests have separate connections, so requests and background work
 * never wait for each other's connections.
 */
const WORKERS = 4;
