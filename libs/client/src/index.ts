export type * from './types.js';
export type { FlagTicket } from './browser/flag-ticket.js';
export type { AnswerOf, CallAnswer, CallOptions, OperationName, PagedName } from './requests/calls.js';
export { type CharterClient, type CharterOptions, createCharter } from './charter.js';
export type { AskOptions, CharterOrganization, EntitlementFreshness } from './charter-organization.js';
export type { Intervals, MaxStale } from './connection.js';
export type { FreshnessState } from './entitlement-store.js';
export {
  CharterProblem,
  Fatal,
  isCharterProblem,
  NotReady,
  type CharterProblemReason,
  UnexpectedAnswer,
} from './errors.js';
export type { CharterSnapshot } from './snapshot.js';
export type { FeatureName, LimitValue, ResourceName, WhyReason } from './values.js';
