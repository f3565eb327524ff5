export type { Attempts, Verdict } from './attempts';
export type { Customers } from './customers';
export {
  type BillingMessage,
  type Inbox,
  type MessageState,
  messageStates,
  type NewMessage,
  type Settlement,
} from './inbox';
export type { LeaseOptions } from './leases';
export type { Listed, ListPlace, ListQuery } from './lists';
export { type Mail, type Mails, type MailState, mailStates, type NewMail } from './mails';
export type { Marks } from './marks';
export { openDocuments, type OpenOptions } from './open';
export { type PostgresAddress, postgresAddress } from './postgres/address';
export type { Answer, Claim, Receipts } from './receipts';
export type { SignedHead, SignedHeads } from './signed-heads';
export type { Documents } from './stores';
export type { TakenOver } from './take-over';
export { DocumentsUnavailable } from './unavailable';
export type { ViewName, ViewShape, ViewStore } from './view-store';
