export type { Customers } from './billing-inbox/customers';
export {
  type BillingMessage,
  type Inbox,
  type MessageState,
  messageStates,
  type NewMessage,
  type Settlement,
} from './billing-inbox/inbox';
export type { Answer, Claim, Receipts } from './idempotency/idempotency-records';
export type { Marks } from './installation-marks';
export type { LeaseOptions } from './leases';
export { openDocuments, type OpenOptions } from './open';
export { type Mail, type Mails, type MailState, mailStates, type NewMail } from './outbox/mails';
export type { TakenOver } from './people/people-import';
export { type PostgresAddress, postgresAddress } from './postgres/address';
export type { Attempts, Verdict } from './rate-limit-counters';
export type { Listed, ListPlace, ListQuery } from './read-model/lists';
export type { ViewName, ViewShape, ViewStore } from './read-model/view-store';
export type { SignedHead, SignedHeads } from './signed-heads';
export type { Documents } from './stores';
export { DocumentsUnavailable } from './unavailable';
