import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type PostgresAddress, postgresAddress } from '@charter/database';
import { type EventStoreAddress, eventStoreAddress, StoreRefused } from '@charter/event-log';
import type { z } from 'zod';
import { settingsConflicts } from './conflicts';
import { Environment, type ProcessRole } from './environment';
import { isOnLoopback } from './loopback';

/** Every setting, checked once (`api.md`, Settings). */
export type Settings = Readonly<{
  port: number;
  host: string;
  /** The origin that people see. */
  publicUrl: string;
  /** False: it is what follows from the port. */
  isPublicUrlSet: boolean;
  /** The folder of the embedded stores. */
  data: string;
  /** The file of the embedded event log; not looked at when there is an `eventStore`. */
  eventLog: string;
  /** The server that keeps the events instead. Holds its password. */
  eventStore: EventStoreAddress | undefined;
  /** The file of the embedded tables; not looked at when there is a `documentsServer`. */
  documents: string;
  /** The server that keeps the tables instead. Holds its password. */
  documentsServer: PostgresAddress | undefined;
  /** Undefined: on when the store is empty and everything is on loopback. */
  demo: 'on' | 'off' | undefined;
  productName: string;
  productKey: string;
  catalogueFile: string | undefined;
  planProviderIds: readonly string[];
  /** Addresses of proxies whose X-Forwarded-For counts. */
  trustProxy: readonly string[];
  metricsPort: number | undefined;
  logLevel: string;
  rateLimits: boolean;
  release: string;
  /** What this process does. */
  role: ProcessRole;
  /** Undefined: made once and kept in the data folder. */
  sessionSecret: string | undefined;
  /** The 32-byte Ed25519 seed that signs checkpoints. Undefined: made once and kept in the data folder. */
  checkpointKey: Buffer | undefined;
  /** Milliseconds without use after which a session ends, and after which it ends at the latest. */
  sessionIdle: number;
  sessionMax: number;
  /** Other origins that may be gone to after signing in. */
  redirectOrigins: readonly string[];
  /** Undefined: mails stay in the outbox. */
  smtpUrl: string | undefined;
  mailFrom: string;
  /** Undefined: nobody signs in with Google. */
  google: Readonly<{ clientId: string; clientSecret: string; issuer: string }> | undefined;
  /** Those that may sign messages of Stripe's; several while one takes the place of another, none: the way in is closed. */
  stripeWebhookSecrets: readonly string[];
  /** Undefined: no object is ever asked for. */
  stripeSecretKey: string | undefined;
  /** The origin of Stripe's interface, or of a stand-in on loopback. */
  stripeApi: string;
  /** Whether messages of Stripe's test mode count: with a key of test mode, or, without a key, where all is on loopback. */
  countsStripeTests: boolean;
  /** Undefined: errors are reported to nobody. */
  sentryDsn: string | undefined;
}>;

/** A setting that stops the start: its name and what was expected. Never its value, which may be a secret. */
export class SettingsRefused extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'SettingsRefused';
  }
}

/**
 * Reads `.env` if there is one, then the environment, which wins, and is itself won over by what was `said` on a command line.
 * @throws SettingsRefused, naming every wrong one
 */
export function readSettings(said: Readonly<Record<string, string>> = {}): Settings {
  if (statSync('.env', { throwIfNoEntry: false })?.isFile()) process.loadEnvFile('.env');
  return parseSettings({ ...process.env, ...said });
}

export function parseSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
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
    logLevel: set.LOG_LEVEL,
    rateLimits: set.RATE_LIMITS !== 'off',
    release: set.RELEASE ?? version,
    role: set.ROLE,
    sessionSecret: set.SESSION_SECRET,
    checkpointKey: set.CHECKPOINT_KEY,
    sessionIdle: set.SESSION_IDLE,
    sessionMax: set.SESSION_MAX,
    redirectOrigins: set.REDIRECT_ORIGINS,
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
  const conflicts = settingsConflicts(all, set);
  if (conflicts.length > 0) throw new SettingsRefused(conflicts);
  return all;
}

/** Whether there may be other processes on the same stores: a file is one server's alone. */
export const mayHaveSeveralProcesses = ({
  eventStore,
  documentsServer,
}: Pick<Settings, 'eventStore' | 'documentsServer'>): boolean =>
  eventStore !== undefined && documentsServer !== undefined;

/** What is wrong with an address is a wrong setting. */
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

/** What this code calls itself; the package's version, kept equal by a spec. */
export const version = '0.1.0';
