import { type Moment, type Refusal, refuse } from '@charter/decider';
import { type Catalogue, type Offer, offersFor } from './catalogue';
import { type EntitlementReason, featureOf, type FeatureState, isBlocked, limitOf } from './entitlements';
import type { OrganizationEvent } from './events';
import type { Organization } from './state';
import { type ActorRoles, owners } from './permission';
import { resourceOfList, type Entry, type Feature, type List, rowOf } from './terms';

/**
 * All reasons for which a command is refused. Each reason names a condition that was true at the revision of the
 * decision.
 */
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
  | 'no-such-sale'
  | `no-such-${Entry}`
  | 'not-allowed'
  | 'not-proven'
  | 'not-yet-effective'
  | 'organization-closed'
  | 'override-ended'
  | 'purchase-cancelled'
  | 'unknown-add-on'
  | 'unknown-plan';

export type Decision = readonly OrganizationEvent[] | Refusal<RefusalReason>;

/** The inputs of a rule in addition to the command and the organization. */
export type DecisionContext = Readonly<{
  roles: ActorRoles;
  at: Moment;
  catalogue: Catalogue;
  /**
   * The id of the payment provider's message that caused the command; null if a person or a program sent the command.
   */
  message: string | null;
  /**
   * Whether another message of the provider with the same subscription, moment and content counts as a repetition of
   * this message. Charter then records both messages as one event.
   */
  mergesEqualMessages: boolean;
}>;

/**
 * The refusal of a further entry if the list is full (`decisions.md` 8, 20); null if the list has room. The refusal
 * contains the limit, the use and the events behind the limit.
 */
export function limitExceeded(list: List, organization: Organization, at: Moment): Refusal<'limit-exceeded'> | null {
  const resource = resourceOfList(list);
  const { effective, used, hard, because } = limitOf(resource, organization, at);
  if (used + 1 <= effective) return null;
  const { plural } = rowOf(resource);
  const taken =
    used > effective
      ? `${used} ${plural} are in use, and ${effective} allowed.`
      : `${used} of ${effective} ${plural} are taken.`;
  return refuse('limit-exceeded', taken, {
    limit: resource,
    allowed: effective,
    used,
    requested: 1,
    hard: finiteOrNull(hard),
    because: printBecause(because),
  });
}

/** The refusal of a command or a query about a site that the organization does not have. */
export const noSuchSite = refuse(
  'no-such-site',
  'This organization has no site with this id. The list of its sites contains their ids.',
);

/**
 * The refusal of a caller without the permission. The fact `takes` contains the allowed roles and scopes.
 * @param act the attempted change, for example `add an owner`; only if the roles depend on the data of a command
 */
export function notAllowed(allowed: readonly string[], act?: string): Refusal<'not-allowed'> {
  const caller = act === undefined ? 'The caller' : `To ${act}, the caller`;
  return refuse('not-allowed', `${caller} needs one of these roles or scopes: ${allowed.join(', ')}.`, {
    takes: allowed,
  });
}

/** The refusal of a command about an owner, if the sender has none of the roles `owners`. */
export const onlyOwnersMay = (act: string) => notAllowed(owners, act);

/**
 * The refusal of a command that needs a feature which is off (`decisions.md` 30); null if the feature is on. The
 * refusal contains the recorded reasons, and the offers of today's catalogue that would turn the feature on.
 */
export function featureOff(
  feature: Feature,
  organization: Organization,
  catalogue: Catalogue,
): Refusal<'feature-off'> | null {
  const state = featureOf(feature, organization);
  if (state.on) return null;
  const today = offersFor(feature, state, catalogue);
  const why = state.because.map((reason) => `${whyOff(reason)} (event ${reason.event})`).join(', ');
  const offered = isBlocked(state) ? '' : ` ${offerSentence(today.map((offer) => nameOfOffer(offer, state)))}`;
  return refuse('feature-off', `The feature ${feature} is off: ${why}.${offered}`, {
    feature,
    because: printBecause(state.because),
    today,
  });
}

/** The reason as text, for example `not in second/solo`. */
const whyOff = ({ kind, what }: EntitlementReason): string =>
  kind === 'not-in-plan'
    ? `not in ${what}`
    : kind === 'product'
      ? 'the product is disabled'
      : kind === 'closed'
        ? `the organization is closed: ${what}`
        : kind === 'service-level'
          ? `service level ${what}`
          : what;

function offerSentence([first, ...more]: readonly string[]): string {
  if (!first) return "Nothing in today's catalogue would turn it on.";
  if (more.length === 0) return `By today's catalogue, ${first} would turn it on.`;
  return `By today's catalogue, each of these would turn it on: ${[first, ...more].join(', ')}.`;
}

/**
 * The offer as text, for example `second/solo` or `add-on feedback`. If the organization already holds the offered
 * plan, the terms of its sale lack the feature, and the plan keeps these terms (`decisions.md` 19). The text then adds
 * `with today's terms`, because only the terms of today's catalogue contain the feature.
 */
export function nameOfOffer({ kind, what }: Offer, { because }: FeatureState): string {
  if (kind !== 'plan') return `${kind === 'add-on' ? kind : 'service level'} ${what}`;
  const isHeld = because.some((held) => held.kind === 'not-in-plan' && held.what === what);
  return isHeld ? `${what} with today's terms` : what;
}

/** JSON cannot represent Infinity, so outside the domain null means unlimited. */
export const finiteOrNull = (amount: number): number | null => (amount < Infinity ? amount : null);

export const printBecause = (because: readonly EntitlementReason[]) =>
  because.map(({ amount, ...term }) => (amount === undefined ? term : { ...term, amount: finiteOrNull(amount) }));
