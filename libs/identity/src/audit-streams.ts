import type { Decider } from '@charter/decider';
import { type AccountFact, auditFactFlaw, type KeyFact } from './audit-facts';

/** The state of an audit stream: only the values that decide whether a fact must be recorded. */
export type AuditState = { keyUsed: string };
export type TrailFact = AccountFact | KeyFact;

export const accountStream = (account: string): string => `account-${account}`;
/**
 * The id in the stream of requests that name no account: refused sign-ins and requested links. Such a request causes
 * the same work as one for a known account, so that no later request's time reveals which accounts exist.
 */
export const NO_ACCOUNT = '00000000-0000-0000-0000-000000000000';

export const keyStream = (key: string): string => `key-${key}`;

/**
 * The audit streams of accounts and keys. Their facts have already happened, so no fact is refused. The use of a key is
 * recorded once a day.
 */
export const accountTrail: Decider<AuditState, TrailFact, TrailFact, never> = {
  initial: () => ({ keyUsed: '' }),
  evolve: (trail, fact) => {
    if (fact.type === 'KeyUsed') trail.keyUsed = fact.data.day;
    return trail;
  },
  flawOf: auditFactFlaw,
  decide: (fact, { keyUsed }) => (fact.type === 'KeyUsed' && fact.data.day <= keyUsed ? [] : [fact]),
};
