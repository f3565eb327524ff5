import { statSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { type EventStoreAddress, eventStoreAddress, StoreRefused } from '@charter/event-log';
import { z } from 'zod';

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
  /** The file of the embedded tables. */
  documents: string;
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
  /** Undefined: made once and kept in the data folder. */
  sessionSecret: string | undefined;
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

/** Reads `.env` if there is one, then the environment, which wins. @throws SettingsRefused, naming every wrong one */
export function settings(): Settings {
  if (statSync('.env', { throwIfNoEntry: false })?.isFile()) process.loadEnvFile('.env');
  return settingsFrom(process.env);
}

export function settingsFrom(environment: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = Environment.safeParse(given);
  if (!parsed.success) throw new SettingsRefused(parsed.error.issues.map(sentence));

  const { data: set } = parsed;
  const data = resolve(set.CHARTER_DATA);
  const publicUrl = set.PUBLIC_URL ?? `http://localhost:${set.PORT}`;
  const productName = set.PRODUCT_NAME;
  const all: Settings = {
    port: set.PORT,
    host: set.HOST,
    publicUrl: new URL(publicUrl).origin,
    isPublicUrlSet: set.PUBLIC_URL !== undefined,
    data,
    eventLog: set.EVENT_LOG?.file ? resolve(set.EVENT_LOG.file) : join(data, 'events.db'),
    eventStore: eventStoreIn(set.EVENT_LOG?.server, set.EVENT_LOG_ALLOW_INSECURE === 'true'),
    documents: set.DOCUMENTS ? resolve(set.DOCUMENTS) : join(data, 'documents.db'),
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
    sessionSecret: set.SESSION_SECRET,
    sessionIdle: set.SESSION_IDLE,
    sessionMax: set.SESSION_MAX,
    redirectOrigins: set.REDIRECT_ORIGINS,
    smtpUrl: set.SMTP_URL,
    mailFrom: set.MAIL_FROM ?? `Charter <charter@${new URL(publicUrl).hostname}>`,
    google:
      set.GOOGLE_CLIENT_ID && set.GOOGLE_CLIENT_SECRET
        ? { clientId: set.GOOGLE_CLIENT_ID, clientSecret: set.GOOGLE_CLIENT_SECRET, issuer: set.GOOGLE_ISSUER_URL }
        : undefined,
    sentryDsn: set.SENTRY_DSN,
  };
  const conflicts = [...conflictsIn(all), ...halvesIn(set)];
  if (conflicts.length > 0) throw new SettingsRefused(conflicts);
  return all;
}

function eventStoreIn(text: string | undefined, allowInsecure: boolean): EventStoreAddress | undefined {
  if (text === undefined) return undefined;
  try {
    return eventStoreAddress(text, { allowInsecure });
  } catch (error) {
    if (error instanceof StoreRefused) throw new SettingsRefused([error.message]);
    throw error;
  }
}

/** Whether everything stays on this machine: where it listens, and what people type. */
export const isOnLoopback = ({ host, publicUrl }: Pick<Settings, 'host' | 'publicUrl'>): boolean =>
  isLoopback(host) && isLoopback(new URL(publicUrl).hostname);

/** Whether a host is this machine, as it may be written in a setting or an address. */
export const isLoopback = (host: string): boolean => loopbacks.includes(host);

const loopbacks = ['127.0.0.1', '::1', '[::1]', 'localhost'];

const portly = 'must be a port: a number from 0 to 65535';
const Port = z
  .string()
  .regex(/^\d{1,5}$/, portly)
  .transform(Number)
  .refine((port) => port <= 65_535, portly);
const list = z.string().transform((text) => text.split(',').map((item) => item.trim()));
const Proxies = list.refine(
  (proxies) => proxies.every(isNetwork),
  'must be IP addresses or networks such as 10.0.0.0/8, with commas between them',
);
function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return more.length === 0 && most > 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most));
}
const file = (scheme: string, later: string) =>
  z
    .string()
    .regex(new RegExp(`^${scheme}:.+`), `must be ${scheme}:FILE (${later} is not supported by this version)`)
    .transform((text) => text.slice(scheme.length + 1));

/** `90s`, `15m`, `24h`, `30d`, as milliseconds. */
const duration = z
  .string()
  .regex(/^[1-9]\d{0,5}[smhd]$/, 'must be a duration such as 30m, 24h or 30d')
  .transform((text) => Number(text.slice(0, -1)) * { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }[text.at(-1)!]!);

const originly = 'must be origins such as https://help.example.com, with commas between them';
const isOrigin = (text: string) => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text;
};

const Environment = z.object({
  PORT: Port.prefault('3000'),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be an address such as https://charter.example.com' })
    .optional(),
  CHARTER_DATA: z.string().default('./data'),
  EVENT_LOG: z
    .string()
    .regex(/^(sqlite:.+|[a-z+]+:\/\/.*)$/s, 'must be sqlite:FILE or esdb://user:password@host:2113')
    .transform((text): { file?: string; server?: string } =>
      text.startsWith('sqlite:') ? { file: text.slice('sqlite:'.length) } : { server: text },
    )
    .optional(),
  EVENT_LOG_ALLOW_INSECURE: z.enum(['true', 'false']).optional(),
  DOCUMENTS: file('sqlite', 'postgres://…').optional(),
  CHARTER_DEMO: z.enum(['on', 'off']).optional(),
  PRODUCT_NAME: z.string().trim().min(1).max(50).default('Pulse'),
  PRODUCT_KEY: z
    .string()
    .regex(/^[a-z][a-zA-Z0-9]*$/, 'must be a lowerCamelCase word such as pulse')
    .refine((key) => !taken.has(key), 'must not be the name of another field of an organization')
    .optional(),
  CATALOGUE_FILE: z.string().optional(),
  PLAN_PROVIDER_IDS: list.default([]),
  TRUST_PROXY: Proxies.default([]),
  METRICS_PORT: Port.optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  RATE_LIMITS: z.enum(['on', 'off']).default('on'),
  RELEASE: z.string().max(100).optional(),
  SESSION_SECRET: z.string().min(32, 'must be at least 32 characters').optional(),
  SESSION_IDLE: duration.prefault('24h'),
  SESSION_MAX: duration.prefault('30d'),
  REDIRECT_ORIGINS: list.default([]).refine((origins) => origins.every(isOrigin), originly),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be smtp://… or smtps://…' }).optional(),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]*@[^\r\n]+$/, 'must be an address such as Charter <charter@example.com>')
    .optional(),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  GOOGLE_ISSUER_URL: z
    .url({ protocol: /^https?$/, error: 'must be the address of an OpenID provider' })
    .default('https://accounts.google.com'),
  SENTRY_DSN: z.url({ protocol: /^https?$/, error: 'must be https://KEY@HOST/PROJECT' }).optional(),
  ROLE: z.literal('all', 'must be all: several processes come with a later version').optional(),
});

/** The fields of the public document that the product's key must not hide. */
const taken = new Set([
  '_id',
  'name',
  'closed',
  'plans',
  'limits',
  'members',
  'sites',
  'qualityAssurance',
  'webAnalytics',
  'serviceLevel',
  'addOns',
]);

function conflictsIn(all: Settings): string[] {
  const conflicts: string[] = [];
  if (all.demo === 'on' && !isOnLoopback(all))
    conflicts.push('CHARTER_DEMO: is on, but HOST and PUBLIC_URL are not both on loopback.');
  if (!all.rateLimits && !isOnLoopback(all))
    conflicts.push('RATE_LIMITS: is off, which is only for measurements on loopback.');
  if (all.sessionMax < all.sessionIdle) conflicts.push('SESSION_IDLE: is longer than SESSION_MAX.');
  if (taken.has(all.productKey))
    conflicts.push('PRODUCT_NAME: gives a key that is another field of an organization. Set PRODUCT_KEY.');
  if (all.productKey === '') conflicts.push('PRODUCT_NAME: has no letters to make a key from. Set PRODUCT_KEY.');
  return conflicts;
}

/** One half of a pair says that the other was forgotten. */
const halvesIn = ({ GOOGLE_CLIENT_ID: id, GOOGLE_CLIENT_SECRET: secret }: z.infer<typeof Environment>): string[] =>
  (id === undefined) === (secret === undefined)
    ? []
    : [`GOOGLE_CLIENT_${id === undefined ? 'SECRET' : 'ID'}: is of no use without the other half.`];

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
