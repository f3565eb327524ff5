import { isIP } from 'node:net';
import { z } from 'zod';
import { isLoopback } from './loopback';

/**
 * The roles of a process (`settings.md`). `all`: the process does all work. `api`: the process answers requests, and
 * never takes the leases for projections and mails. `projections`: the process takes the leases for projections and
 * mails, and answers only the routes for health and metrics.
 */
export const processRoles = ['all', 'api', 'projections'] as const;
export type ProcessRole = (typeof processRoles)[number];

const portExpectation = 'must be a port: a number from 0 to 65535';
const Port = z
  .string()
  .regex(/^\d{1,5}$/, portExpectation)
  .transform(Number)
  .refine((port) => port <= 65_535, portExpectation);
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
/** IP addresses, each with an optional port; an IPv6 address with a port is in brackets. */
const DnsServers = list.refine(
  (servers) => servers.every(isDnsServer),
  'must be IP addresses such as 192.0.2.53 or [2001:db8::53]:53, with commas between them',
);
function isDnsServer(text: string): boolean {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const isAddress = isIP(text) === 6 || isIP(bracketed ?? '') === 6 || isIP(plain ?? '') === 4;
  return isAddress && (port === undefined || (Number(port) > 0 && Number(port) <= 65_535));
}
/**
 * Parses the location of a store: a file on this machine, or a server. The store's adapter later parses the server's
 * address.
 */
const store = (server: RegExp, expected: string) =>
  z.string().transform((text, { addIssue }): { file?: string; server?: string } => {
    if (/^sqlite:./s.test(text)) return { file: text.slice('sqlite:'.length) };
    if (server.test(text)) return { server: text };
    addIssue(`must be sqlite:FILE or ${expected}`);
    return z.NEVER;
  });

/** Parses `90s`, `15m`, `24h` or `30d` into milliseconds. */
const duration = z
  .string()
  .regex(/^[1-9]\d{0,5}[smhd]$/, 'must be a duration such as 30m, 24h or 30d')
  .transform((text) => Number(text.slice(0, -1)) * { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }[text.at(-1)!]!);

/** Whether a text is exactly 32 bytes in canonical base64. */
export const isSeed = (text: string) => {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === 32 && bytes.toString('base64') === text;
};

const originExpectation = 'must be origins such as https://help.example.com, with commas between them';
const isOrigin = (text: string) => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text;
};

/** Whether the text is an http address without user, path, query and fragment. A slash at the end is allowed. */
const hasOnlyOrigin = (text: string) => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
};

const stripeApi = 'https://api.stripe.com';
function isStripe(text: string): boolean {
  const url = URL.parse(text);
  return text === stripeApi || (url !== null && isLoopback(url.hostname));
}

const mailServerExpectation = 'must be smtp://HOST or smtps://HOST';
const dsnExpectation = 'must be https://KEY@HOST/PROJECT with a number as PROJECT';

export const Environment = z.object({
  PORT: Port.prefault('3000'),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: z
    .string()
    .refine(hasOnlyOrigin, 'must be an origin such as https://charter.example.com, without a path')
    .optional(),
  CHARTER_DATA: z.string().default('./data'),
  EVENT_LOG: store(/^[a-z+]+:\/\//, 'esdb://user:password@host:2113').optional(),
  EVENT_LOG_ALLOW_INSECURE: z.enum(['true', 'false']).optional(),
  DOCUMENTS: store(/^[a-z]+:\/\//, 'postgres://user:password@host:5432/database').optional(),
  CHARTER_DEMO: z.enum(['on', 'off']).optional(),
  PRODUCT_NAME: z.string().trim().min(1).max(50).default('Pulse'),
  PRODUCT_KEY: z
    .string()
    .regex(/^[a-z][a-zA-Z0-9]*$/, 'must be a lowerCamelCase word such as pulse')
    .optional(),
  CATALOGUE_FILE: z.string().optional(),
  PLAN_PROVIDER_IDS: list.default([]),
  TRUST_PROXY: Proxies.default([]),
  METRICS_PORT: Port.optional(),
  DNS_SERVERS: DnsServers.default([]),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  RATE_LIMITS: z.enum(['on', 'off']).default('on'),
  RELEASE: z.string().max(100).optional(),
  SESSION_SECRET: z.string().min(32, 'must be at least 32 characters').optional(),
  // Charter stores the last use of a session at most once a minute. A shorter session could end while a person uses it.
  SESSION_IDLE: duration.refine((idle) => idle >= 120_000, 'must be at least 2m').prefault('24h'),
  SESSION_MAX: duration.prefault('30d'),
  REDIRECT_ORIGINS: list.default([]).refine((origins) => origins.every(isOrigin), originExpectation),
  FLAGS_ORIGINS: list.default([]).refine((origins) => origins.every(isOrigin), originExpectation),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: mailServerExpectation, abort: true })
    .regex(/^\w+:\/\/[^/?#]/, mailServerExpectation)
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]*@[^\r\n]+$/, 'must be an address such as Charter <charter@example.com>')
    .optional(),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  GOOGLE_ISSUER_URL: z
    .url({ protocol: /^https?$/, error: 'must be the address of an OpenID provider' })
    .default('https://accounts.google.com'),
  STRIPE_WEBHOOK_SECRETS: list.transform((secrets) => secrets.filter((secret) => secret !== '')).default([]),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(
      /^(sk|rk)_(live|test)_\S+$/,
      "must be a secret or restricted key of Stripe's: sk_live_…, rk_live_…, sk_test_…",
    )
    .optional(),
  STRIPE_API_URL: z
    .url({ protocol: /^https?$/, error: 'must be an address such as http://127.0.0.1:12111' })
    .refine(isStripe, 'must be https://api.stripe.com or, for tests, an address on loopback')
    .default(stripeApi),
  SENTRY_DSN: z
    .url({ protocol: /^https?$/, error: dsnExpectation, abort: true })
    .regex(/^\w+:\/\/\w+(:\w*)?@.+\/\d+$/, dsnExpectation) // Sentry's library needs a key and a project
    .optional(),
  CHECKPOINT_KEY: z
    .string()
    .refine(isSeed, 'must be 32 bytes in base64: openssl rand -base64 32')
    .transform((text) => Buffer.from(text, 'base64'))
    .optional(),
  CHECKPOINT_EVERY: duration.refine((every) => every >= 60_000, 'must be at least 1m').prefault('1h'),
  ROLE: z.enum(processRoles, 'must be all, api or projections').default('all'),
});

export type Environment = z.infer<typeof Environment>;
