import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { postgresAddress } from '@charter/database';
import { eventStoreAddress, StoreRefused } from '@charter/event-log';
import type { z } from 'zod';
import { settingsConflicts } from './conflicts';
import { Environment } from './environment';
import { isOnLoopback } from './loopback';
import type { Settings } from './settings';

/**
 * The error for settings with which a process cannot start. The message names each wrong setting and the expected form.
 * The message never contains a value, because a value may be a secret.
 */
export class SettingsRefused extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'SettingsRefused';
  }
}

/**
 * Reads the environment and, if it exists, the file `.env`. Variables of the environment replace variables of the file.
 * `overrides` come from the command line and replace the variables of both.
 * @param documentFields the fixed field names of the public document of an organization; the product's key must not
 * equal such a name
 * @throws SettingsRefused, which names every wrong setting
 */
export function readSettings(
  documentFields: ReadonlySet<string>,
  overrides: Readonly<Record<string, string>> = {},
): Settings {
  if (statSync('.env', { throwIfNoEntry: false })?.isFile()) process.loadEnvFile('.env');
  return parseSettings({ ...process.env, ...overrides }, documentFields);
}

export function parseSettings(
  environment: Readonly<Record<string, string | undefined>>,
  documentFields: ReadonlySet<string> = new Set(),
): Settings {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = Environment.safeParse(given);
  if (!parsed.success) throw new SettingsRefused(parsed.error.issues.map(sentence));

  const { data: set } = parsed;
  const data = resolve(set.CHARTER_DATA);
  const publicUrl = set.PUBLIC_URL ?? `http://localhost:${set.PORT}`;
  const productName = set.PRODUCT_NAME;
  const allowInsecure = set.EVENT_LOG_ALLOW_INSECURE === 'true';
  const all: Settings = {
    port: set.PORT,
    host: set.HOST,
    publicUrl: new URL(publicUrl).origin,
    isPublicUrlSet: set.PUBLIC_URL !== undefined,
    data,
    eventLog: set.EVENT_LOG?.file ? resolve(set.EVENT_LOG.file) : join(data, 'events.db'),
    eventStore: addressIn(set.EVENT_LOG?.server, (text) => eventStoreAddress(text, { allowInsecure })),
    documents: set.DOCUMENTS?.file ? resolve(set.DOCUMENTS.file) : join(data, 'documents.db'),
    documentsServer: addressIn(set.DOCUMENTS?.server, postgresAddress),
    demo: set.CHARTER_DEMO,
    productName,
    productKey: set.PRODUCT_KEY ?? lowerCamelCase(productName),
    catalogueFile: set.CATALOGUE_FILE,
    planProviderIds: set.PLAN_PROVIDER_IDS,
    trustProxy: set.TRUST_PROXY,
    metricsPort: set.METRICS_PORT,
    dnsServers: set.DNS_SERVERS,
    logLevel: set.LOG_LEVEL,
    rateLimits: set.RATE_LIMITS !== 'off',
    release: set.RELEASE ?? version,
    role: set.ROLE,
    sessionSecret: set.SESSION_SECRET,
    checkpointKey: set.CHECKPOINT_KEY,
    checkpointEvery: set.CHECKPOINT_EVERY,
    sessionIdle: set.SESSION_IDLE,
    sessionMax: set.SESSION_MAX,
    redirectOrigins: set.REDIRECT_ORIGINS,
    flagsOrigins: set.FLAGS_ORIGINS,
    smtpUrl: set.SMTP_URL,
    mailFrom: set.MAIL_FROM ?? `Charter <charter@${new URL(publicUrl).hostname}>`,
    google:
      set.GOOGLE_CLIENT_ID && set.GOOGLE_CLIENT_SECRET
        ? { clientId: set.GOOGLE_CLIENT_ID, clientSecret: set.GOOGLE_CLIENT_SECRET, issuer: set.GOOGLE_ISSUER_URL }
        : undefined,
    stripeWebhookSecrets: set.STRIPE_WEBHOOK_SECRETS,
    stripeSecretKey: set.STRIPE_SECRET_KEY,
    stripeApi: new URL(set.STRIPE_API_URL).origin,
    countsStripeTests: set.STRIPE_SECRET_KEY
      ? /^.._test_/.test(set.STRIPE_SECRET_KEY)
      : isOnLoopback({ host: set.HOST, publicUrl }),
    sentryDsn: set.SENTRY_DSN,
  };
  const conflicts = settingsConflicts(all, set, documentFields);
  if (conflicts.length > 0) throw new SettingsRefused(conflicts);
  return all;
}

/** Whether several server processes may use the same stores. Only one server can use the file of an embedded store. */
export const mayHaveSeveralProcesses = ({
  eventStore,
  documentsServer,
}: Pick<Settings, 'eventStore' | 'documentsServer'>): boolean =>
  eventStore !== undefined && documentsServer !== undefined;

/**
 * Parses a store's address. If the store's adapter refuses the address, throws SettingsRefused with the adapter's
 * message.
 */
function addressIn<Address>(text: string | undefined, read: (text: string) => Address): Address | undefined {
  if (text === undefined) return undefined;
  try {
    return read(text);
  } catch (error) {
    if (error instanceof StoreRefused) throw new SettingsRefused([error.message]);
    throw error;
  }
}

const sentence = ({ path, message }: z.core.$ZodIssue) => `${path.join('.')}: ${message}.`;

const lowerCamelCase = (name: string) => {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .split(/[^a-zA-Z0-9]+/)
    .filter(Boolean);
  return words
    .map((word, index) => (index === 0 ? word.charAt(0).toLowerCase() : word.charAt(0).toUpperCase()) + word.slice(1))
    .join('')
    .replace(/^[0-9]+/, '');
};

/** The version of Charter. A spec checks that package.json contains the same version. */
export const version = '0.1.0';
