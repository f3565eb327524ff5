export type { Attempts, Verdict } from './attempts';
export type { LeaseOptions } from './leases';
export type { Listed, ListPlace, ListQuery } from './lists';
export { type Mail, type Mails, type MailState, mailStates, type NewMail } from './mails';
export type { Marks } from './marks';
export { type Documents, openDocuments, type OpenOptions } from './open';
export type { Answer, Claim, Receipts } from './receipts';
export type { ViewName, ViewShape, ViewStore } from './view-store';
