import type { PostgresAddress } from '@charter/database';
import type { EventStoreAddress } from '@charter/event-log';
import type { ProcessRole } from './environment';

/** All settings, validated (`api.md`, Settings). */
export type Settings = Readonly<{
  port: number;
  host: string;
  /** The origin that browsers use. */
  publicUrl: string;
  /** False: derived from HOST and PORT. */
  isPublicUrlSet: boolean;
  /** The folder of the embedded stores. */
  data: string;
  /** The file of the embedded event log; unused with an `eventStore`. */
  eventLog: string;
  /** The server that keeps the events instead. Contains its password. */
  eventStore: EventStoreAddress | undefined;
  /** The file of the embedded tables; unused with a `documentsServer`. */
  documents: string;
  /** The server that keeps the tables instead. Contains its password. */
  documentsServer: PostgresAddress | undefined;
  /** Undefined: on when the store is empty and everything is on loopback. */
  demo: 'on' | 'off' | undefined;
  productName: string;
  productKey: string;
  catalogueFile: string | undefined;
  planProviderIds: readonly string[];
  /** Networks of proxies whose X-Forwarded-For is trusted. */
  trustProxy: readonly string[];
  metricsPort: number | undefined;
  logLevel: string;
  rateLimits: boolean;
  release: string;
  role: ProcessRole;
  /** Undefined: generated once and kept in the data folder. */
  sessionSecret: string | undefined;
  /** The 32-byte Ed25519 seed that signs checkpoints. Undefined: generated once and kept in the data folder. */
  checkpointKey: Buffer | undefined;
  /** Idle time and maximum age of a session, in milliseconds. */
  sessionIdle: number;
  sessionMax: number;
  /** Further origins that a redirect after sign-in may lead to. */
  redirectOrigins: readonly string[];
  /** Undefined: mails stay in the outbox. */
  smtpUrl: string | undefined;
  mailFrom: string;
  /** Undefined: sign-in with Google is off. */
  google: Readonly<{ clientId: string; clientSecret: string; issuer: string }> | undefined;
  /** The secrets that verify Stripe's messages: several during a rotation; none: the webhook refuses every message. */
  stripeWebhookSecrets: readonly string[];
  /** Undefined: nothing is fetched from Stripe. */
  stripeSecretKey: string | undefined;
  /** The origin of Stripe's API, or of a stand-in on loopback. */
  stripeApi: string;
  /** Whether messages of Stripe's test mode count: with a test key, or without a key when all is on loopback. */
  countsStripeTests: boolean;
  /** Undefined: errors are not reported. */
  sentryDsn: string | undefined;
}>;
