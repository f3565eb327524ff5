export type { ProvenDomain } from './email-domains';
export type { HistoryRead, ReadPlace, ReadRange } from './history-reads';
export type { HistorySnapshot } from './history-snapshots';
export type { InstallationMarks } from './installation-marks';
export { openDatabase } from './open-database';
export type { DeferredEntry } from './outbox/deferred-work';
export { type Mail, type OutboxStore, mailStates } from './outbox/mails';
export { type PostgresAddress, postgresAddress } from './postgres/address';
export { sortText } from './read-model/list-rows';
export type { ListCursor } from './read-model/lists';
export type { ViewStore } from './read-model/view-store';
export type { SignedHead, SignedHeads } from './signed-heads';
export type { Database, PurgeOptions, PurgeResult } from './database';
export { DatabaseUnavailable } from './unavailable';
export type { RecordedAnswer } from './idempotency/recorded-answer';
export {
  type BillingMessage,
  type BillingInbox,
  type MessageFact,
  type MessageState,
  messageStates,
  type MessageContent,
  type NewMessage,
  type Settlement,
} from './billing-inbox/billing-message';
