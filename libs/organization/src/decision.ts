import { type Moment, type Refusal, refuse } from '@charter/decider';
import type { Catalogue } from './catalogue';
import { type EntitlementReason, limitOf } from './entitlements';
import type { OrganizationEvent } from './events';
import type { Organization } from './state';
import type { ActorRoles } from './permission';
import { counting, type Entry, type List, rowOf } from './terms';

/** Every reason to say no. Each stands for a condition that was true when it was said. */
export type RefusalReason =
  | 'already-a-member'
  | 'already-founded'
  | 'feature-off'
  | 'hostname-taken'
  | 'id-taken'
  | 'last-owner'
  | 'limit-exceeded'
  | 'month-not-begun'
  | 'no-such-organization'
  | 'no-such-purchase'
  | `no-such-${Entry}`
  | 'not-allowed'
  | 'not-yet-effective'
  | 'organization-closed'
  | 'override-ended'
  | 'purchase-cancelled'
  | 'unknown-add-on'
  | 'unknown-plan';

export type Decision = readonly OrganizationEvent[] | Refusal<RefusalReason>;

/** What a rule may know besides the command and the organization. */
export type DecisionContext = Readonly<{
  roles: ActorRoles;
  at: Moment;
  catalogue: Catalogue;
  /** The payment provider's message that this comes from; null when a person or a program asked. */
  message: string | null;
}>;

/** Nothing when the list takes one more; else the refusal, with numbers and events (`decisions.md` 8, 20). */
export function limitExceeded(list: List, organization: Organization, at: Moment): Refusal<'limit-exceeded'> | null {
  const resource = counting(list);
  const { effective, used, hard, because } = limitOf(resource, organization, at);
  if (used + 1 <= effective) return null;
  const { words } = rowOf(resource);
  const taken =
    used > effective
      ? `${used} ${words} are in use, and ${effective} allowed.`
      : `${used} of ${effective} ${words} are taken.`;
  return refuse('limit-exceeded', taken, {
    limit: resource,
    allowed: effective,
    used,
    requested: 1,
    hard: finiteOrNull(hard),
    because: printBecause(because),
  });
}

/** Infinity has no JSON: outside, what is unlimited is null. */
export const finiteOrNull = (amount: number): number | null => (amount < Infinity ? amount : null);

export const printBecause = (because: readonly EntitlementReason[]) =>
  because.map(({ amount, ...term }) => (amount === undefined ? term : { ...term, amount: finiteOrNull(amount) }));
