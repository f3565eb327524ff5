import type { Metadata, Moment } from '@charter/decider';
import type { StoredEvent } from '@charter/event-log';
import type { OrganizationEvent } from '@charter/organization';

type Type = OrganizationEvent['type'];
type Data<Of extends Type> = Extract<OrganizationEvent, { type: Of }>['data'];

/** One sentence for each event, from what it holds: of people only their ids. */
const sentences: { readonly [Of in Type]: (data: Data<Of>) => string } = {
  OrganizationFounded: ({ name }) => `Founded as ${quoted(name)}`,
  OrganizationRenamed: ({ name }) => `Renamed to ${quoted(name)}`,
  OrganizationClosed: ({ reason }) => `Closed: ${reason}`,
  OrganizationReopened: ({ reason }) => `Reopened: ${reason}`,
  PlanAssigned: ({ line, plan, subscription }) => `Holds plan ${line}/${plan}${by(subscription)}`,
  PlanEnded: ({ line, plan, subscription }) =>
    `Plan ${plan === undefined ? `of the ${line} line` : `${line}/${plan}`} ended${by(subscription)}`,
  AddOnPurchased: ({ addOn, quantity, purchase, subscription }) =>
    `Purchase ${purchase} counts ${quantity} x ${addOn}${by(subscription)}`,
  AddOnCancelled: ({ addOn, purchase, subscription }) =>
    `Purchase ${purchase}${addOn === undefined ? '' : ` of ${addOn}`} cancelled${by(subscription)}`,
  ServiceLevelAssigned: ({ serviceLevel }) => `Service level is ${serviceLevel}`,
  ProductEnabled: () => 'Product switched on',
  ProductDisabled: () => 'Product switched off',
  ParallelUseChanged: ({ parallelUse }) =>
    `Parallel use ${parallelUse === null ? 'never set' : parallelUse ? 'on' : 'off'}`,
  LimitsConfigured: ({ limits }) =>
    `Limits by hand: ${Object.entries(limits)
      .map(([resource, amount]) => `${resource} ${spokenLimit(amount)}`)
      .join(', ')}`,
  HardLimitsOverridden: ({ reason, until }) =>
    `Hard limits overridden${until === undefined ? '' : ` until ${until}`}: ${reason}`,
  HardLimitsRestored: ({ reason }) => `Hard limits restored: ${reason}`,
  MemberAdded: ({ member, role }) => `Member ${member} added as ${role}`,
  MemberRoleChanged: ({ member, role }) => `Member ${member} is ${role} now`,
  MemberRemoved: ({ member }) => `Member ${member} removed`,
  ProductUserFlagged: ({ member }) => `Member ${member} uses the product`,
  ProductUserUnflagged: ({ member }) => `Member ${member} no longer uses the product`,
  SiteAdded: ({ site, hostname, name }) => `Site ${site} added: ${hostname}${name === '' ? '' : `, ${quoted(name)}`}`,
  SiteRenamed: ({ site, name }) => `Site ${site} renamed to ${quoted(name)}`,
  SiteFeaturesChanged: ({ site, features }) => `Site ${site} differs from its plan in: ${switches(features)}`,
  SiteRemoved: ({ site }) => `Site ${site} removed`,
  QualityAssuranceDomainAdded: ({ domain, hostname }) => `Quality assurance domain ${domain} added: ${hostname}`,
  QualityAssuranceDomainRemoved: ({ domain }) => `Quality assurance domain ${domain} removed`,
  WebAnalyticsDomainAdded: ({ domain, hostname }) => `Web analytics domain ${domain} added: ${hostname}`,
  WebAnalyticsDomainRemoved: ({ domain }) => `Web analytics domain ${domain} removed`,
  BillingAccountLinked: ({ provider, customer }) => `Billed as ${customer} of ${provider}`,
  SingleSignOnConfigured: ({ issuer, clientId }) => `Single sign-on by ${issuer} as ${clientId}`,
  SingleSignOnRemoved: () => 'Single sign-on removed',
  TrafficReported: ({ month, views }) => `${views} views reported for ${month}`,
};

/**
 * An event in words, and from when on it holds where that is not when it was recorded. What this release does not know, or
 * cannot read, is shown as it is.
 */
export function eventSentence(event: StoredEvent): string {
  const { type, data } = event;
  const { schema = 1, at } = metadataOf(event);
  if (!Object.hasOwn(sentences, type) || schema > 1) return asItIs(event);
  try {
    const { effectiveAt } = data as { effectiveAt?: Moment };
    const since = effectiveAt === undefined || effectiveAt === at ? '' : `, in force from ${effectiveAt}`;
    return `${(sentences[type as Type] as (data: unknown) => string)(data)}${since}`;
  } catch {
    return asItIs(event);
  }
}

/** What an event carries beside its data; of a foreign one perhaps nothing. */
export const metadataOf = ({ metadata }: Pick<StoredEvent, 'metadata'>): Partial<Metadata> =>
  typeof metadata === 'object' && metadata !== null ? metadata : {};

/** Who recorded it, such as `account 7d…`. */
export function spokenActor(actor: Metadata['actor'] | null | undefined): string {
  if (!actor) return '-';
  return actor.kind === 'system' ? actor.id : `${actor.kind} ${actor.id}`;
}

/** Who recorded it; of what a payment provider says, the provider's own id of the message, by which it can be looked up there. */
export function whoTold(event: StoredEvent): string {
  const { actor, causation } = metadataOf(event);
  return `${spokenActor(actor)}${actor?.kind === 'billing' && causation !== undefined ? `, message ${causation}` : ''}`;
}

const asItIs = ({ type, data }: StoredEvent) => `${type} ${JSON.stringify(data)}`;
const quoted = (text: string) => `“${text}”`;
const by = (subscription: string | undefined) => (subscription === undefined ? '' : ` by subscription ${subscription}`);
const spokenLimit = (amount: number | null) => (amount === null ? 'as the plan says' : amount || 'unlimited');
const switches = (features: Data<'SiteFeaturesChanged'>['features']) =>
  Object.entries(features)
    .map(([feature, isOn]) => `${feature} ${isOn ? 'on' : 'off'}`)
    .join(', ') || 'nothing';
