import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { type ForSale, loadCatalogue } from '@charter/catalogue';
import { type Database, openDatabase, type ViewStore } from '@charter/database';
import { aggregates } from '@charter/aggregates';
import { type EventLog, EventStoreLog, SqliteLog, StoreRefused, takeServerLock } from '@charter/event-log';
import type { Signer } from '@charter/integrity';
import { organizationDecider, type OrganizationDraft } from '@charter/organization';
import { organizationView } from '@charter/organization-view';
import { type AccountService, accountService } from './accounts/accounts';
import { verifyBackupNote, removeBackupNote } from './restore-detection/backup-note';
import { type CertificateStore, certificateStore } from './accounts/erasure-certificates';
import { signerFrom } from './history/checkpoint-key';
import type { Settings } from '@charter/settings';
import { type PasswordHasher, passwordHasher } from './accounts/passwords';
import { type KeyFor, keysFrom } from './derived-keys';
import { shareSecrets } from './shared-secrets';
import { type AuditTrail, auditTrail } from './accounts/audit-trail';
import type { Organizations } from './organizations/organizations';

/** Charter, opened: its stores, and the rules over them. What the api serves and the command line works on. */
export type Charter = Readonly<{
  settings: Settings;
  catalogue: ForSale;
  log: EventLog;
  documents: Database;
  view: ViewStore<OrganizationDraft>;
  organizations: Organizations;
  /** Keys that the session secret is good for. */
  keyFor: KeyFor;
  /** Signs checkpoints. */
  signer: Signer;
  /** The audit streams of accounts and keys. */
  trail: AuditTrail;
  accounts: AccountService;
  /** That accounts were erased, for those who must do it again. */
  certificates: CertificateStore;
  passwords: PasswordHasher;
  close: () => Promise<void>;
}>;

/**
 * Opens what the settings name. One `server` at a time on the embedded stores; the command line comes `beside` it.
 * @throws StoreRefused, CatalogueRefused: one clear sentence each
 */
export async function openCharter(
  settings: Settings,
  role: 'server' | 'beside',
  warn?: (sentence: string) => void,
): Promise<Charter> {
  const { catalogueFile, planProviderIds } = settings;
  const catalogue = loadCatalogue({ file: catalogueFile, planProviderIds });
  verifyBackupNote(settings.data);
  signerFrom(settings); // refused before anything is open
  const log = await openLog(settings, role, warn);
  const documents = await openTables(settings, role).catch(async (error: unknown) => {
    await log.close();
    throw error;
  });
  if (role === 'server') removeBackupNote(settings.data);
  return charterOver(settings, { catalogue, log, documents });
}

/** The embedded tables, for one server at a time; or the server that the settings name, for as many as come. */
async function openTables(settings: Settings, role: 'server' | 'beside'): Promise<Database> {
  const { documents: file, documentsServer: server } = settings;
  const serving = role === 'server';
  if (server) {
    const documents = await openDatabase({ server, serving, holder: processName() });
    await shareSecrets(documents, settings, role).catch(async (error: unknown) => {
      await documents.close();
      throw error;
    });
    return documents;
  }
  const release = serving ? placeOf(file) : () => undefined;
  try {
    const documents = await openDatabase({ file, serving });
    return { ...documents, close: () => documents.close().finally(release) };
  } catch (error) {
    release();
    throw error;
  }
}

/** The one server's place on a file. What keeps it from being taken keeps the file from being written. */
function placeOf(file: string): () => void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    return takeServerLock(file);
  } catch (cause) {
    if (cause instanceof StoreRefused) throw cause;
    throw new StoreRefused(`The documents file ${file} cannot be written: check its owner and rights.`, { cause });
  }
}

/** Which process this is, for whoever looks for the one that holds a lease. Another one for every start. */
const processName = () => `${hostname()}/${process.pid}/${randomBytes(3).toString('hex')}`;

/** The mark that says where the server of these stores answered last, for links that the command line prints. */
export const SERVED_AT = 'served-at';

/** The origin that people see: as it was set, else where the server of these stores answered last. */
export const originOf = async ({ settings, documents }: Pick<Charter, 'settings' | 'documents'>): Promise<string> =>
  settings.isPublicUrlSet ? settings.publicUrl : ((await documents.marks.get(SERVED_AT)) ?? settings.publicUrl);

/** The embedded log, or the server that the settings name. */
function openLog({ eventLog, eventStore }: Settings, role: 'server' | 'beside', warn?: (sentence: string) => void) {
  const options = { role, ...(warn && { warn }) };
  return eventStore
    ? EventStoreLog.open({ address: eventStore, ...options })
    : SqliteLog.open({ file: eventLog, ...options });
}

/** The rules over stores that are open already. */
export function charterOver(settings: Settings, stores: Pick<Charter, 'catalogue' | 'log' | 'documents'>): Charter {
  const { catalogue, log, documents } = stores;
  const trail = auditTrail(log);
  const view = documents.view<OrganizationDraft>(organizationView);
  const organizations = aggregates(log, organizationDecider(catalogue));
  const signer = signerFrom(settings);
  const certificates = certificateStore(log, signer, settings);
  return {
    settings,
    ...stores,
    view,
    keyFor: keysFrom(settings),
    signer,
    trail,
    accounts: accountService(documents, trail, { log, view, organizations }, certificates),
    certificates,
    passwords: passwordHasher(),
    organizations,
    close: async () => {
      await documents.close();
      await log.close();
    },
  };
}
