import type { PostgresAddress } from '@charter/database';
import type { EventStoreAddress } from '@charter/event-log';
import type { ProcessRole } from './environment';

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
