import { randomUUID } from 'node:crypto';
import { StoreRefused } from '@charter/event-log';
import type { AccountStore } from '@charter/identity';
import { Kysely } from 'kysely';
import { inTransaction } from '../transactions/atomic-write';
import type { Schema, Tables } from '../schema/schema';
import { leaseOf } from '../leases';
import { type Database, databaseOver } from '../database';
import { DatabaseUnavailable } from '../unavailable';
import type { PostgresAddress } from './address';
import { checkServer } from './server-check';
import { postgresDialect } from './dialect';
import { serverClock } from './clock';
import { migrateSchema } from './migrate';
import { poolOf, type PoolOptions } from './pool';
import { vacuumPeople } from './vacuum';

/**
 * Opens the tables in a PostgreSQL server, creates missing ones, and migrates them to the newest schema. Several
 * processes may do this at the same time.
 * @throws StoreRefused with a one-sentence reason: the server is unreachable, may lose confirmed writes, or has tables
 * of a newer version
 */
export async function openPostgres(address: PostgresAddress, holder: string = randomUUID()): Promise<Database> {
  const { synchronousCommit } = await checkServer(address);
  const open = (options: Omit<PoolOptions, 'synchronousCommit'>) =>
    new Kysely<Schema>({ dialect: postgresDialect(poolOf(address, { ...options, synchronousCommit })) });

  const requestTables = open({ max: address.connections, ...inRequests });
  const worked = open({ max: WORKERS, ...inBackground });
  const close = async () => {
    await requestTables.destroy();
    await worked.destroy();
  };
  try {
    await migrateSchema(worked, address.schema);
  } catch (why) {
    await close();
    if (why instanceof StoreRefused) throw why;
    const { host, port, schema } = address;
    const reason = why instanceof DatabaseUnavailable ? why.message : String(why);
    throw new StoreRefused(`The schema ${schema} of the PostgreSQL at ${host}:${port} cannot be used: ${reason}.`, {
      cause: why,
    });
  }
  const stores = databaseOver(requestTables, {
    projected: worked,
    allOrNothing: inTransaction(worked),
    lease: (name, options) => leaseOf(worked, name, { holder, lasts: LEASE, ...options }, serverClock),
    close,
  });
  return { ...stores, people: { ...stores.people, accounts: vacuuming(stores.people.accounts, worked) } };
}

/** Vacuums after an erasure, so that the server soon removes erased rows from its files. Only `close` waits for it. */
function vacuuming(accounts: AccountStore, tables: Tables): AccountStore {
  const vacuum = oneAtATime(() => vacuumPeople(tables));
  return {
    ...accounts,
    erase: async (id, now) => {
      const done = await accounts.erase(id, now);
      if (done) vacuum();
      return done;
    },
  };
}

/** Calls during a run share one further run. */
function oneAtATime(work: () => Promise<unknown>): () => void {
  let [isAsked, isBusy] = [false, false];
  const run = async () => {
    isBusy = true;
    while (isAsked) {
      isAsked = false;
      await work();
    }
    isBusy = false;
  };
  return () => {
    isAsked = true;
    if (!isBusy) void run();
  };
}

/** Time limits for requests in milliseconds: an early failure is better than a late answer (`acceptance.md` R6). */
const inRequests = { statement: 1_400, acquire: 1_000 };

/** Time limits in milliseconds for projections and for statements over many rows. */
const inBackground = { statement: 30_000, acquire: 5_000 };

/**
 * Milliseconds until a lease expires without renewal. A process takes over within ten seconds after the holder was
 * killed.
 */
const LEASE = 6_000;

/** The number of connections for background work, beside those for requests, so that neither waits for the other. */
const WORKERS = 4;
