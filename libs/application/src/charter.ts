import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { type ForSale, loadCatalogue } from '@charter/catalogue';
import { type Database, openDatabase, type ViewStore } from '@charter/database';
import { aggregates } from '@charter/aggregates';
import {
  createFolder,
  type EventLog,
  EventStoreLog,
  SqliteLog,
  StoreRefused,
  takeServerLock,
} from '@charter/event-log';
import type { Signer } from '@charter/integrity';
import { organizationDecider, type OrganizationDraft } from '@charter/organization';
import { organizationView } from '@charter/organization-view';
import { type AccountService, accountService } from './accounts/accounts';
import { emptyBackupNote, verifyBackupNote } from './restore-detection/backup-note';
import { type CertificateStore, certificateStore } from './accounts/erasure-certificates';
import { createSnapshotReplay, type SnapshotReplay } from './history/snapshots/snapshot-replay';
import { createStoredSnapshots, type StoredSnapshots } from './history/snapshots/stored-snapshots';
import { signerFrom } from './history/checkpoint-key';
import type { Settings } from '@charter/settings';
import { type PasswordHasher, passwordHasher } from './accounts/passwords';
import { type KeyFor, keysFrom } from './derived-keys';
import { shareSecrets } from './shared-secrets';
import { type AuditTrail, auditTrail } from './accounts/audit-trail';
import type { Organizations } from './organizations/organizations';

/** The opened stores and the services that use them, for the API and the command line. */
export type Charter = Readonly<{
  settings: Settings;
  catalogue: ForSale;
  log: EventLog;
  database: Database;
  view: ViewStore<OrganizationDraft>;
  organizations: Organizations;
  /** Folded states of long histories in the database. */
  storedSnapshots: StoredSnapshots;
  /** The replay that all readers of a process share, so that the process has only one cache. */
  snapshotReplay: SnapshotReplay;
  /** Derives a key for one purpose from the session secret. */
  keyFor: KeyFor;
  signer: Signer;
  trail: AuditTrail;
  accounts: AccountService;
  /**
   * The certificates of erasures. With the certificates of erasures, an operator can repeat erasures in restored
   * stores.
   */
  certificates: CertificateStore;
  passwords: PasswordHasher;
  close: () => Promise<void>;
}>;

/**
 * Opens the stores that the settings select. Only one process may open embedded stores as `server`. The command line
 * opens the stores as `beside`, even while a server runs.
 * @throws StoreRefused or CatalogueRefused, each with one sentence for the operator
 */
export async function openCharter(
  settings: Settings,
  role: 'server' | 'beside',
  warn?: (sentence: string) => void,
): Promise<Charter> {
  const { catalogueFile, planProviderIds } = settings;
  const catalogue = loadCatalogue({ file: catalogueFile, planProviderIds });
  verifyBackupNote(settings);
  // Checks the signing key before any store is open. For stores that a server has used, `shareSecrets` checks the key.
  if (role === 'server' || !existsSync(settings.documents)) signerFrom(settings);
  const log = await openLog(settings, role, warn);
  const database = await openTables(settings, role).catch(async (error: unknown) => {
    await log.close();
    throw error;
  });
  if (role === 'server') emptyBackupNote(settings);
  return charterOver(settings, { catalogue, log, database }, role);
}

/**
 * Opens the embedded tables, or connects to a database server if the settings name such a server. Only one server at a
 * time may use embedded tables; any number of servers may share a database server.
 */
async function openTables(settings: Settings, role: 'server' | 'beside'): Promise<Database> {
  const { documents: file, documentsServer: server } = settings;
  const serving = role === 'server';
  const withComparedSecrets = async (database: Database): Promise<Database> => {
    const { marks, lease } = database;
    await shareSecrets({ marks, ...(server && { lease }) }, settings, role).catch(async (error: unknown) => {
      await database.close();
      throw error;
    });
    return database;
  };
  if (server) return withComparedSecrets(await openDatabase({ server, serving, holder: processName() }));
  const release = serving ? serverLockOn(file) : () => undefined;
  try {
    const database = await withComparedSecrets(await openDatabase({ file, serving }));
    return { ...database, close: () => database.close().finally(release) };
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * Takes a lock, so that only one server uses the file. Throws if the process cannot write the lock, because the process
 * then cannot write the file either.
 */
function serverLockOn(file: string): () => void {
  try {
    createFolder(dirname(file));
    return takeServerLock(file);
  } catch (cause) {
    if (cause instanceof StoreRefused) throw cause;
    throw new StoreRefused(`The documents file ${file} cannot be written: check its owner and rights.`, { cause });
  }
}

/** The name under which this process holds leases. The name is new at each start. */
const processName = () => `${hostname()}/${process.pid}/${randomBytes(3).toString('hex')}`;

/**
 * The name of the installation mark (a named value in the tables) that contains the public address of the server that
 * last used these stores. The command line prints links with the stored public address.
 */
export const SERVED_AT = 'served-at';

/**
 * The public origin: the address in the settings or, if the settings contain none, the public address of the server
 * that last used these stores.
 */
export const originOf = async ({ settings, database }: Pick<Charter, 'settings' | 'database'>): Promise<string> =>
  settings.isPublicUrlSet ? settings.publicUrl : ((await database.marks.get(SERVED_AT)) ?? settings.publicUrl);

/** Opens the embedded log, or connects to an event store server if the settings name such a server. */
function openLog({ eventLog, eventStore }: Settings, role: 'server' | 'beside', warn?: (sentence: string) => void) {
  const options = { role, ...(warn && { warn }) };
  return eventStore
    ? EventStoreLog.open({ address: eventStore, ...options })
    : SqliteLog.open({ file: eventLog, ...options });
}

/** Creates Charter from stores that are already open. */
export function charterOver(
  settings: Settings,
  stores: Pick<Charter, 'catalogue' | 'log' | 'database'>,
  role: 'server' | 'beside',
): Charter {
  const { catalogue, log, database } = stores;
  const trail = auditTrail(log);
  const view = database.view<OrganizationDraft>(organizationView);
  const organizations = aggregates(log, organizationDecider(catalogue));
  const keyFor = keysFrom(settings);
  // The command line writes no states, so that no command waits for such a write.
  const storedSnapshots = createStoredSnapshots(stores, { key: keyFor('snapshots'), writes: role === 'server' });
  const signer = signerFrom(settings);
  const certificates = certificateStore(log, signer, settings);
  const passwords = passwordHasher();
  return {
    settings,
    ...stores,
    view,
    keyFor,
    signer,
    trail,
    accounts: accountService(database, trail, { log, view, organizations }, certificates),
    certificates,
    passwords,
    organizations,
    storedSnapshots,
    snapshotReplay: createSnapshotReplay({ organizations }, { stored: storedSnapshots }),
    close: async () => {
      await passwords.close();
      await storedSnapshots.close();
      await database.close();
      await log.close();
    },
  };
}
