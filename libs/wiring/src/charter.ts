import { type ForSale, loadCatalogue } from '@charter/catalogue';
import { type Documents, openDocuments, type ViewStore } from '@charter/documents';
import { type Aggregates, aggregates, type EventLog, EventStoreLog, SqliteLog } from '@charter/event-log';
import {
  type OrganizationCommand,
  organizationDecider,
  type OrganizationDraft,
  type OrganizationEvent,
  type Reason,
} from '@charter/organization';
import { organizationView } from '@charter/organization-view';
import { type AccountKeeping, accountKeeping } from './accounts';
import type { Settings } from './config';
import { type Passwords, passwords } from './passwords';
import { type KeyFor, keysFrom } from './secret';
import { type AuditTrail, auditTrail } from './trail';

export type Organizations = Aggregates<OrganizationDraft, OrganizationCommand, OrganizationEvent, Reason>;

/** Charter, opened: its stores, and the rules over them. What the api serves and the command line works on. */
export type Charter = Readonly<{
  settings: Settings;
  catalogue: ForSale;
  log: EventLog;
  documents: Documents;
  view: ViewStore<OrganizationDraft>;
  organizations: Organizations;
  /** Keys that the session secret is good for. */
  keyFor: KeyFor;
  /** The audit streams of accounts and keys. */
  trail: AuditTrail;
  accounts: AccountKeeping;
  passwords: Passwords;
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
  const log = await openLog(settings, role, warn);
  const documents = await openDocuments({ file: settings.documents, serving: role === 'server' }).catch(
    async (error: unknown) => {
      await log.close();
      throw error;
    },
  );
  return charterOver(settings, { catalogue, log, documents });
}

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
  return {
    settings,
    ...stores,
    view,
    keyFor: keysFrom(settings),
    trail,
    accounts: accountKeeping(documents, trail, { log, view, organizations }),
    passwords: passwords(),
    organizations,
    close: async () => {
      await documents.close();
      await log.close();
    },
  };
}
