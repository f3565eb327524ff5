export type { Customers } from './billing-inbox/customers';
export {
  type BillingMessage,
  type BillingInbox,
  type MessageState,
  messageStates,
  type NewMessage,
  type Settlement,
} from './billing-inbox/inbox';
export type { RecordedAnswer, IdempotencyClaim, IdempotencyRecords } from './idempotency/idempotency-records';
export type { InstallationMarks } from './installation-marks';
export type { LeaseOptions } from './leases';
export { openDatabase, type DatabaseOptions } from './open-database';
export { type Mail, type OutboxStore, type MailState, mailStates, type NewMail } from './outbox/mails';
export type { ImportedRows } from './people/people-import';
export { type PostgresAddress, postgresAddress } from './postgres/address';
export type { RateLimitCounters, RateLimitDecision } from './rate-limit-counters';
export type { ListPage, ListCursor, ListQuery } from './read-model/lists';
export type { ViewName, ViewShape, ViewStore } from './read-model/view-store';
export type { SignedHead, SignedHeads } from './signed-heads';
export type { Database } from './database';
export { DatabaseUnavailable } from './unavailable';
