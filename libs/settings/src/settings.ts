import type { PostgresAddress } from '@charter/database';
import type { EventStoreAddress } from '@charter/event-log';
import type { ProcessRole } from './environment';

/** All settings after validation (`settings.md`). */
export type Settings = Readonly<{
  port: number;
  host: string;
  /** The origin under which browsers reach Charter. */
  publicUrl: string;
  /** Whether the environment contains PUBLIC_URL. If false, `publicUrl` is derived from PORT. */
  isPublicUrlSet: boolean;
  /** The folder of the embedded stores. */
  data: string;
  /** The file of the embedded event log; not used if `eventStore` is set. */
  eventLog: string;
  /**
   * The address of the server that stores the events; undefined if the event log is embedded. The address contains a
   * password.
   */
  eventStore: EventStoreAddress | undefined;
  /** The file of the embedded tables; not used if `documentsServer` is set. */
  documents: string;
  /**
   * The address of the server that stores the tables; undefined if the tables are embedded. The address contains a
   * password.
   */
  documentsServer: PostgresAddress | undefined;
  /** If undefined, the demo is on if the store is empty and all traffic stays on this machine. */
  demo: 'on' | 'off' | undefined;
  productName: string;
  productKey: string;
  catalogueFile: string | undefined;
  planProviderIds: readonly string[];
  /** The networks of proxies whose X-Forwarded-For header Charter trusts. */
  trustProxy: readonly string[];
  metricsPort: number | undefined;
  /** The DNS servers that Charter asks for the records of e-mail domains. Empty: the servers of the system. */
  dnsServers: readonly string[];
  logLevel: string;
  rateLimits: boolean;
  release: string;
  role: ProcessRole;
  /** Undefined: Charter generates the secret once and stores it in the data folder. */
  sessionSecret: string | undefined;
  /**
   * The 32-byte Ed25519 seed that signs checkpoints. Undefined: Charter generates the seed once and stores it in the
   * data folder.
   */
  checkpointKey: Buffer | undefined;
  /** The interval, in milliseconds, at which a process signs a checkpoint if there are new events. */
  checkpointEvery: number;
  /** The maximum idle time and the maximum age of a session, in milliseconds. */
  sessionIdle: number;
  sessionMax: number;
  /** Further origins to which a redirect after sign-in may lead. */
  redirectOrigins: readonly string[];
  /** The origins whose pages may use the routes of OFREP. */
  flagsOrigins: readonly string[];
  /** Undefined: Charter sends no mail, and mails stay in the outbox. */
  smtpUrl: string | undefined;
  mailFrom: string;
  /** Undefined: sign-in with Google is off. */
  google: Readonly<{ clientId: string; clientSecret: string; issuer: string }> | undefined;
  /**
   * The secrets with which Charter verifies Stripe's messages. While an operator rotates the secret, the list contains
   * several secrets. Without a secret, the webhook refuses every message.
   */
  stripeWebhookSecrets: readonly string[];
  /** Undefined: Charter fetches nothing from Stripe. */
  stripeSecretKey: string | undefined;
  /** The origin of Stripe's API, or of a test server on loopback. */
  stripeApi: string;
  /**
   * Whether messages of Stripe's test mode have an effect. True if the secret key is a test key, or if there is no key
   * and all traffic stays on this machine.
   */
  countsStripeTests: boolean;
  /** Undefined: Charter reports no errors to Sentry. */
  sentryDsn: string | undefined;
}>;
