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
 * Opens the tables in a PostgreSQL, makes them if there are none, and brings them to the newest shape. Any number of
 * processes may do so.
 * @throws StoreRefused with one sentence: not to be reached, not to be trusted, from a newer version
 */
export async function openPostgres(address: PostgresAddress, holder: string = randomUUID()): Promise<Database> {
  const { synchronousCommit } = await checkServer(address);
  const open = (options: Omit<PoolOptions, 'synchronousCommit'>) =>
    new Kysely<Schema>({ dialect: postgresDialect(poolOf(address, { ...options, synchronousCommit })) });

  const asked = open({ max: address.connections, ...inRequests });
  const worked = open({ max: WORKERS, ...atWork });
  const close = async () => {
    await asked.destroy();
    await worked.destroy();
  };
  try {
    await migrateSchema(worked, address.schema);
  } catch (why) {
    await close();
    if (why instanceof StoreRefused) throw why;
    const { host, port, schema } = address;
    const said = why instanceof DatabaseUnavailable ? why.message : String(why);
    throw new StoreRefused(`The schema ${schema} of the PostgreSQL at ${host}:${port} cannot be used: ${said}.`, {
      cause: why,
    });
  }
  const stores = databaseOver(asked, {
    projected: worked,
    allOrNothing: inTransaction(worked),
    lease: (name, options) => leaseOf(worked, name, { holder, lasts: LEASE, ...options }, serverClock),
    close,
  });
  return { ...stores, people: { ...stores.people, accounts: vacuuming(stores.people.accounts, worked) } };
}

/** Vacuums after an erasure, so that erased rows soon leave the files too. Only `close` waits for it. */
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

/** However often it is asked for meanwhile, it is then done once more. */
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

/** Milliseconds. People wait for these: better no answer than a late one (`acceptance.md` R6). */
const inRequests = { statement: 1_400, acquire: 1_000 };

/** Milliseconds. Projections, and what goes over many rows. */
const atWork = { statement: 30_000, acquire: 5_000 };

/** Milliseconds; another process has taken over well within ten seconds after its holder was killed. */
const LEASE = 6_000;

/** Connections beside those for requests, so that neither waits for the other. */
const WORKERS = 4;
