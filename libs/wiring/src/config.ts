import { statSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { z } from 'zod';

/** Every setting, checked once (`api.md`, Settings). */
export type Settings = Readonly<{
  port: number;
  host: string;
  /** The origin that people see. */
  publicUrl: string;
  /** The folder of the embedded stores. */
  data: string;
  /** The file of the embedded event log. */
  eventLog: string;
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
    data,
    eventLog: set.EVENT_LOG ? resolve(set.EVENT_LOG) : join(data, 'events.db'),
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
  };
  const conflicts = conflictsIn(all);
  if (conflicts.length > 0) throw new SettingsRefused(conflicts);
  return all;
}

/** Whether everything stays on this machine: where it listens, and what people type. */
export const isOnLoopback = ({ host, publicUrl }: Pick<Settings, 'host' | 'publicUrl'>): boolean =>
  loopbacks.includes(host) && loopbacks.includes(new URL(publicUrl).hostname);

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

const Environment = z.object({
  PORT: Port.prefault('3000'),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be an address such as https://charter.example.com' })
    .optional(),
  CHARTER_DATA: z.string().default('./data'),
  EVENT_LOG: file('sqlite', 'esdb://…').optional(),
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
  if (taken.has(all.productKey))
    conflicts.push('PRODUCT_NAME: gives a key that is another field of an organization. Set PRODUCT_KEY.');
  if (all.productKey === '') conflicts.push('PRODUCT_NAME: has no letters to make a key from. Set PRODUCT_KEY.');
  return conflicts;
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
