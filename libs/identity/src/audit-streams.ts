import type { Decider } from '@charter/decider';
import type { AccountFact, KeyFact } from './audit-facts';

/** What an audit stream remembers: only what decides whether a fact is news. */
export type AuditState = { keyUsed: string };
export type TrailFact = AccountFact | KeyFact;

export const accountStream = (account: string): string => `account-${account}`;
export const keyStream = (key: string): string => `key-${key}`;

/**
 * The audit streams of accounts and keys: what is reported is recorded. Nothing is refused, since it has happened already.
 * That a key was used is told once a day.
 */
export const accountTrail: Decider<AuditState, TrailFact, TrailFact, never> = {
  initial: () => ({ keyUsed: '' }),
  evolve: (trail, fact) => {
    if (fact.type === 'KeyUsed') trail.keyUsed = fact.data.day;
    return trail;
  },
  decide: (fact, { keyUsed }) => (fact.type === 'KeyUsed' && fact.data.day <= keyUsed ? [] : [fact]),
};
