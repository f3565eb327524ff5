import type { Decider } from '@charter/decider';
import { type AccountFact, auditFactFlaw, type KeyFact } from './audit-facts';

/** The state of an audit stream: only the values that decide whether a fact must be recorded. */
export type AuditState = { keyUsed: string; keyRevoked: boolean };
export type TrailFact = AccountFact | KeyFact;

export const accountStream = (account: string): string => `account-${account}`;
/**
 * The id that stands for an account in the name of one shared audit stream. The shared stream records a refused sign-in
 * if no account has the entered username or e-mail address. The shared stream also records a request for a link if no
 * account with the entered address may get a link. So requests for unknown and known accounts cause the same work, and
 * response times do not reveal which accounts exist.
 */
export const NO_ACCOUNT = '00000000-0000-0000-0000-000000000000';

export const keyStream = (key: string): string => `key-${key}`;

/**
 * The rules for the audit streams of accounts and API keys. The rules refuse no fact, because each fact has already
 * happened. The rules record the use of an API key only once a day, and its revocation only once.
 */
export const accountTrail: Decider<AuditState, TrailFact, TrailFact, never> = {
  initial: () => ({ keyUsed: '', keyRevoked: false }),
  evolve: (trail, fact) => {
    if (fact.type === 'KeyUsed') trail.keyUsed = fact.data.day;
    // A key that works after its revocation was recorded is not revoked yet: the change of the tables had failed.
    if (fact.type === 'KeyUsed' || fact.type === 'KeyRevoked') trail.keyRevoked = fact.type === 'KeyRevoked';
    return trail;
  },
  flawOf: auditFactFlaw,
  decide: (fact, { keyUsed, keyRevoked }) => {
    if (fact.type === 'KeyUsed' && fact.data.day <= keyUsed) return [];
    return fact.type === 'KeyRevoked' && keyRevoked ? [] : [fact];
  },
};
