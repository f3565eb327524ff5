import type { Lease } from '@charter/projections';
import type { KeyStore, People } from '@charter/identity';
import type { AtomicWrite } from './transactions/atomic-write';
import { apiKeysIn, type ChangeCounter, type SyncDatabase } from './api-keys/api-keys';
import { type RateLimitCounters, rateLimitCountersIn } from './rate-limit-counters';
import { type Customers, customersIn } from './billing-inbox/customers';
import { billingInboxIn } from './billing-inbox/inbox';
import type { LeaseOptions } from './leases';
import { type DeferredWorkStore, deferredWorkIn } from './outbox/deferred-work';
import { type OutboxStore, outboxStoreIn } from './outbox/mails';
import { type ProvenDomains, provenDomainsIn } from './email-domains';
import { type HistoryReads, historyReadsIn } from './history-reads';
import { type HistorySnapshots, historySnapshotsIn } from './history-snapshots';
import { type InstallationMarks, installationMarksIn } from './installation-marks';
import { isOnServer } from './dialect';
import { peopleIn } from './people/people';
import { databaseNow } from './database-clock';
import { type IdempotencyRecords, idempotencyRecordsIn } from './idempotency/idempotency-records';
import type { Tables } from './schema/schema';
import { type SignedHeads, signedHeadsIn } from './signed-heads';
import type { PolledStamps } from './stamps/polled-stamps';
import { openTables } from './sqlite/open-tables';
import { type ImportedRows, importPeople } from './people/people-import';
import { type ViewStore, viewStore } from './read-model/view-store';
import type { ViewShape } from './read-model/view-shape';
import type { BillingInbox } from './billing-inbox/billing-message';

/** The stores whose data is in database tables. */
export type Database = Readonly<{
  view<State>(shape: ViewShape<State>): ViewStore<State>;
  lease(name: string, options?: Partial<LeaseOptions>): Lease;
  receipts: IdempotencyRecords;
  keys: KeyStore;
  people: People;
  attempts: RateLimitCounters;
  mails: OutboxStore;
  deferred: DeferredWorkStore;
  marks: InstallationMarks;
  /** The messages of payment providers. */
  inbox: BillingInbox;
  /** The customers of payment providers that are linked to organizations. */
  customers: Customers;
  /** The e-mail domains that organizations have proven. */
  provenDomains: ProvenDomains;
  signedHeads: SignedHeads;
  historyReads: HistoryReads;
  historySnapshots: HistorySnapshots;
  /**
   * Milliseconds since 1970 by the clock that all processes on these tables share. If absent, the process uses its own
   * clock.
   */
  now?: () => Promise<number>;
  /**
   * Copies people, API keys, stored answers, mails and billing messages from a documents file, at most once.
   * Migrates a file with an older schema, and changes nothing else in that file.
   * @throws StoreRefused
   */
  importPeople(file: string): Promise<ImportedRows>;
  /** Removes the bytes of erased people from the files (`acceptance.md` U6). */
  purgeErased(options?: PurgeOptions): Promise<PurgeResult>;
  /**
   * A value that changes whenever any process changes API keys, accounts, sessions, introductions or documents.
   * Undefined if the value is unknown.
   */
  stamp?(): string | number | undefined;
  /**
   * Reads the stamps of the tables, with which the process checks that cached rows are current. All waiting calls share
   * one query, which starts after the last of them. Absent with SQLite, whose stamps are always current.
   */
  refreshStamps?(): Promise<void>;
  /** Why the database accepts no writes until Charter restarts; undefined while the database accepts writes. */
  lost?: () => string | undefined;
  close(): Promise<void>;
}>;

/**
 * `untilDone`: whether the purge waits, for at most a minute, until PostgreSQL has removed the bytes. By default, only
 * the command line waits, and a server does not. For a SQLite file, every process repeats its attempts for some
 * seconds.
 */
export type PurgeOptions = Readonly<{ untilDone?: boolean }>;
export type PurgeResult = Readonly<{
  /**
   * `under-way`: the database server removes the bytes soon. `failed`: the caller must call the function again later.
   */
  outcome: 'done' | 'under-way' | 'failed';
  /** A sentence that says which bytes remain, where and until when; null if no bytes remain. */
  remains: string | null;
}>;

/** The functions that SQLite and PostgreSQL implement differently. */
export type DatabaseAdapter = Readonly<{
  lease: (name: string, options: Partial<LeaseOptions>) => Lease;
  /** Commits changes of projections; by default on the connection of the tables. */
  allOrNothing?: AtomicWrite | undefined;
  /**
   * Separate connections for projections and for statements over many rows, so that no request waits for them; by
   * default the same connections as requests.
   */
  projected?: Tables;
  /** Synchronous queries, which only SQLite offers. */
  syncReads?: SyncDatabase;
  /** The stamps of a server's tables. */
  polled?: PolledStamps;
  lost?: () => string | undefined;
  purgeErased: (options?: PurgeOptions) => Promise<PurgeResult>;
  close: () => Promise<void>;
}>;

/** Creates the stores on open tables of either database. */
export function databaseOver(
  tables: Tables,
  { lease, allOrNothing, projected = tables, syncReads, polled, lost, purgeErased, close }: DatabaseAdapter,
): Database {
  const keyChanges: ChangeCounter = { count: 0 };
  return {
    view: (shape) => {
      const polledStamp = polled && (() => polled.of(`view ${shape.name}`));
      return viewStore(tables, shape, { askSync: syncReads?.askSync, polledStamp, allOrNothing, projected });
    },
    lease: (name, options = {}) => lease(name, options),
    receipts: idempotencyRecordsIn(tables),
    keys: apiKeysIn(tables, syncReads, keyChanges, polled && (() => polled.of('keys'))),
    people: peopleIn(tables, syncReads, keyChanges, polled && (() => polled.of('people')), projected),
    attempts: rateLimitCountersIn(tables),
    mails: outboxStoreIn(tables),
    deferred: deferredWorkIn(tables),
    marks: installationMarksIn(tables),
    inbox: billingInboxIn(tables),
    customers: customersIn(tables),
    provenDomains: provenDomainsIn(tables),
    signedHeads: signedHeadsIn(tables),
    historyReads: historyReadsIn(tables, projected),
    ...(syncReads && { stamp: commitStampOf(syncReads) }),
    ...(polled && { stamp: polled.all, refreshStamps: polled.refresh }),
    historySnapshots: historySnapshotsIn(tables, projected),
    ...(isOnServer(tables) && { now: () => databaseNow(tables) }),
    importPeople: async (file) => {
      const { tables: from, close: leave } = await openTables(file);
      return importPeople(from, projected).finally(leave);
    },
    ...(lost && { lost }),
    purgeErased,
    close,
  };
}

/**
 * `data_version` counts the commits of other connections. The connection of `askSync` never writes, so the value
 * changes with each commit.
 */
const commitStampOf = ({ askSync }: SyncDatabase) => {
  const commits = askSync('pragma data_version');
  return () => commits()!['data_version'] as number;
};
