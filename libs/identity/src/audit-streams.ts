import type { Decider } from '@charter/decider';
import type { AccountFact, KeyFact } from './audit-facts';

/** The state of an audit stream: only the values that decide whether a fact must be recorded. */
export type AuditState = { keyUsed: string };
export type TrailFact = AccountFact | KeyFact;

export const accountStream = (account: string): string => `account-${account}`;
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
  decide: (fact, { keyUsed }) => (fact.type === 'KeyUsed' && fact.data.day <= keyUsed ? [] : [fact]),
};
