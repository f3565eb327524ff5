import type { Message, Moment, EventContext, EventRef } from '@charter/decider';
import { keysOf } from './each';
import { drop, put } from './lists';
import { insertSaleEntry, type SaleEntry } from './effective-dates';
import { saleEntriesOf, type Organization, type OrganizationDraft } from './state';
import type { Grants, ProductLine, Month, Resource, MemberRole, ServiceLevel, SiteFeatures, Terms } from './terms';

/** Something sold, or its end: from when it holds, and which subscription brought it (`decisions.md` 24). */
type Effective = { effectiveAt: Moment; subscription?: string };

/** The event's name says it all. */
type Nothing = Record<string, never>;

/** Everything that can happen to an organization. Names and fields are for ever; only add. Ids, never people. */
export type OrganizationEvent =
  | Message<'OrganizationFounded', { name: string }>
  | Message<'OrganizationRenamed', { name: string }>
  | Message<'OrganizationClosed', { reason: string }>
  | Message<'OrganizationReopened', { reason: string }>
  | Message<'PlanAssigned', { line: ProductLine; plan: string; terms: Terms } & Effective>
  | Message<'PlanEnded', { line: ProductLine; plan?: string } & Effective>
  | Message<'AddOnPurchased', { purchase: string; addOn: string; quantity: number; grants: Grants } & Effective>
  | Message<'AddOnCancelled', { purchase: string; addOn?: string } & Effective>
  | Message<'ServiceLevelAssigned', { serviceLevel: ServiceLevel }>
  | Message<'ProductEnabled', Nothing>
  | Message<'ProductDisabled', Nothing>
  | Message<'ParallelUseChanged', { parallelUse: boolean | null }>
  | Message<'LimitsConfigured', { limits: { [resource in Resource]?: number | null } }>
  | Message<'HardLimitsOverridden', { reason: string; until?: Moment }>
  | Message<'HardLimitsRestored', { reason: string }>
  | Message<'MemberAdded', { member: string; role: MemberRole }>
  | Message<'MemberRoleChanged', { member: string; role: MemberRole }>
  | Message<'MemberRemoved', { member: string }>
  | Message<'ProductUserFlagged', { member: string }>
  | Message<'ProductUserUnflagged', { member: string }>
  | Message<'SiteAdded', { site: string; hostname: string; name: string }>
  | Message<'SiteRenamed', { site: string; name: string }>
  | Message<'SiteFeaturesChanged', { site: string; features: SiteFeatures }>
  | Message<'SiteRemoved', { site: string }>
  | Message<'QualityAssuranceDomainAdded', { domain: string; hostname: string }>
  | Message<'QualityAssuranceDomainRemoved', { domain: string }>
  | Message<'WebAnalyticsDomainAdded', { domain: string; hostname: string }>
  | Message<'WebAnalyticsDomainRemoved', { domain: string }>
  | Message<'BillingAccountLinked', { provider: string; customer: string }>
  | Message<'SingleSignOnConfigured', { issuer: string; clientId: string }>
  | Message<'SingleSignOnRemoved', Nothing>
  | Message<'TrafficReported', { month: Month; views: number }>;

type DataOf = { [One in OrganizationEvent as One['type']]: One['data'] };
export type EventType = keyof DataOf;
type EventOf<Type extends EventType> = { [T in Type]: Readonly<{ type: T; data: DataOf[T] }> }[Type];

/** The part of the state that an event changes: a field, or the entry of a field under an id. */
export type ChangedPart = readonly [field: keyof Organization, id?: string];

/** All that differs from one type of event to the next. */
type EventRow<Data> = Readonly<{
  /** The field of the state that the event changes, and which field of its data names the entry there. */
  changes: readonly [field: keyof Organization, id?: keyof Data];
  /** Whether the event can change what the organization may use. */
  entitles: boolean;
  /** The event as one sentence, from its data: of people only their ids. */
  sentence: (data: Data) => string;
  /** Writes the event into the state. It refuses nothing, and it looks nothing up. */
  evolve: (draft: OrganizationDraft, data: Data, context: EventContext) => void;
}>;

/** One row for each type of event, in an order for people. The compiler refuses a forgotten one. */
const eventTable: { readonly [Type in EventType]: EventRow<DataOf[Type]> } = {
  OrganizationFounded: {
    changes: ['name'],
    entitles: true,
    sentence: ({ name }) => `Founded as ${quoted(name)}`,
    evolve(draft, { name }, context) {
      draft.name = name;
      draft.founded = told(context);
    },
  },
  OrganizationRenamed: {
    changes: ['name'],
    entitles: false,
    sentence: ({ name }) => `Renamed to ${quoted(name)}`,
    evolve(draft, { name }) {
      draft.name = name;
    },
  },
  OrganizationClosed: {
    changes: ['closed'],
    entitles: true,
    sentence: ({ reason }) => `Closed: ${reason}`,
    evolve(draft, { reason }, context) {
      draft.closed = { reason, ...told(context) };
    },
  },
  OrganizationReopened: {
    changes: ['closed'],
    entitles: true,
    sentence: ({ reason }) => `Reopened: ${reason}`,
    evolve(draft) {
      draft.closed = null;
    },
  },
  PlanAssigned: {
    changes: ['plans', 'line'],
    entitles: true,
    sentence: ({ line, plan, subscription }) => `Holds plan ${line}/${plan}${by(subscription)}`,
    evolve(draft, data, context) {
      const { line, plan, terms } = data;
      draft.plans[line] = insertSaleEntry(draft.plans[line], news(data, context, { plan, terms }));
    },
  },
  PlanEnded: {
    changes: ['plans', 'line'],
    entitles: true,
    sentence: ({ line, plan, subscription }) =>
      `Plan ${plan === undefined ? `of the ${line} line` : `${line}/${plan}`} ended${by(subscription)}`,
    evolve(draft, data, context) {
      draft.plans[data.line] = insertSaleEntry(draft.plans[data.line], news(data, context, null));
    },
  },
  AddOnPurchased: {
    changes: ['purchases', 'purchase'],
    entitles: true,
    sentence: ({ addOn, quantity, purchase, subscription }) =>
      `Purchase ${purchase} counts ${quantity} x ${addOn}${by(subscription)}`,
    evolve(draft, data, context) {
      const { purchase, addOn, quantity, grants } = data;
      draft.purchases[purchase] = insertSaleEntry(
        saleEntriesOf(draft, purchase),
        news(data, context, { addOn, quantity, grants }),
      );
    },
  },
  AddOnCancelled: {
    changes: ['purchases', 'purchase'],
    entitles: true,
    sentence: ({ addOn, purchase, subscription }) =>
      `Purchase ${purchase}${addOn === undefined ? '' : ` of ${addOn}`} cancelled${by(subscription)}`,
    evolve(draft, data, context) {
      draft.purchases[data.purchase] = insertSaleEntry(saleEntriesOf(draft, data.purchase), news(data, context, null));
    },
  },
  ServiceLevelAssigned: {
    changes: ['serviceLevel'],
    entitles: true,
    sentence: ({ serviceLevel }) => `Service level is ${serviceLevel}`,
    evolve(draft, { serviceLevel }, context) {
      draft.serviceLevel = { level: serviceLevel, ...told(context) };
    },
  },
  ProductEnabled: {
    changes: ['product'],
    entitles: true,
    sentence: () => 'Product switched on',
    evolve(draft, _, context) {
      draft.product = { enabled: true, ...told(context) };
    },
  },
  ProductDisabled: {
    changes: ['product'],
    entitles: true,
    sentence: () => 'Product switched off',
    evolve(draft, _, context) {
      draft.product = { enabled: false, ...told(context) };
    },
  },
  ParallelUseChanged: {
    changes: ['parallelUse'],
    entitles: false,
    sentence: ({ parallelUse }) => `Parallel use ${parallelUse === null ? 'never set' : parallelUse ? 'on' : 'off'}`,
    evolve(draft, { parallelUse }) {
      draft.parallelUse = parallelUse;
    },
  },
  LimitsConfigured: {
    changes: ['limitsByHand'],
    entitles: true,
    sentence: ({ limits }) =>
      `Limits by hand: ${Object.entries(limits)
        .map(([resource, amount]) => `${resource} ${spokenLimit(amount)}`)
        .join(', ')}`,
    evolve(draft, { limits }, context) {
      for (const [resource, amount] of Object.entries(limits) as [Resource, number | null][]) {
        if (amount === null) delete draft.limitsByHand[resource];
        else draft.limitsByHand[resource] = { amount, ...told(context) };
      }
    },
  },
  HardLimitsOverridden: {
    changes: ['override'],
    entitles: true,
    sentence: ({ reason, until }) => `Hard limits overridden${until === undefined ? '' : ` until ${until}`}: ${reason}`,
    evolve(draft, { reason, until }, context) {
      draft.override = { reason, until: until ?? null, ...told(context) };
    },
  },
  HardLimitsRestored: {
    changes: ['override'],
    entitles: true,
    sentence: ({ reason }) => `Hard limits restored: ${reason}`,
    evolve(draft) {
      draft.override = null;
    },
  },
  MemberAdded: {
    changes: ['members', 'member'],
    entitles: true,
    sentence: ({ member, role }) => `Member ${member} added as ${role}`,
    evolve(draft, { member, role }, context) {
      put(draft, 'members', member, { role, productUser: false, ...told(context) });
    },
  },
  MemberRoleChanged: {
    changes: ['members', 'member'],
    entitles: false,
    sentence: ({ member, role }) => `Member ${member} is ${role} now`,
    evolve(draft, { member, role }) {
      draft.members[member]!.role = role;
    },
  },
  MemberRemoved: {
    changes: ['members', 'member'],
    entitles: true,
    sentence: ({ member }) => `Member ${member} removed`,
    evolve(draft, { member }) {
      drop(draft, 'members', member);
    },
  },
  ProductUserFlagged: {
    changes: ['members', 'member'],
    entitles: false,
    sentence: ({ member }) => `Member ${member} uses the product`,
    evolve(draft, { member }) {
      draft.members[member]!.productUser = true;
    },
  },
  ProductUserUnflagged: {
    changes: ['members', 'member'],
    entitles: false,
    sentence: ({ member }) => `Member ${member} no longer uses the product`,
    evolve(draft, { member }) {
      draft.members[member]!.productUser = false;
    },
  },
  SiteAdded: {
    changes: ['sites', 'site'],
    entitles: true,
    sentence: ({ site, hostname, name }) => `Site ${site} added: ${hostname}${name === '' ? '' : `, ${quoted(name)}`}`,
    evolve(draft, { site, hostname, name }, context) {
      put(draft, 'sites', site, { hostname, name, features: {}, ...told(context) });
    },
  },
  SiteRenamed: {
    changes: ['sites', 'site'],
    entitles: false,
    sentence: ({ site, name }) => `Site ${site} renamed to ${quoted(name)}`,
    evolve(draft, { site, name }) {
      draft.sites[site]!.name = name;
    },
  },
  SiteFeaturesChanged: {
    changes: ['sites', 'site'],
    entitles: false,
    sentence: ({ site, features }) => `Site ${site} differs from its plan in: ${switches(features)}`,
    evolve(draft, { site, features }) {
      draft.sites[site]!.features = { ...features };
    },
  },
  SiteRemoved: {
    changes: ['sites', 'site'],
    entitles: true,
    sentence: ({ site }) => `Site ${site} removed`,
    evolve(draft, { site }) {
      drop(draft, 'sites', site);
    },
  },
  QualityAssuranceDomainAdded: {
    changes: ['qualityAssurance', 'domain'],
    entitles: true,
    sentence: ({ domain, hostname }) => `Quality assurance domain ${domain} added: ${hostname}`,
    evolve(draft, { domain, hostname }, context) {
      put(draft, 'qualityAssurance', domain, { hostname, ...told(context) });
    },
  },
  QualityAssuranceDomainRemoved: {
    changes: ['qualityAssurance', 'domain'],
    entitles: true,
    sentence: ({ domain }) => `Quality assurance domain ${domain} removed`,
    evolve(draft, { domain }) {
      drop(draft, 'qualityAssurance', domain);
    },
  },
  WebAnalyticsDomainAdded: {
    changes: ['webAnalytics', 'domain'],
    entitles: true,
    sentence: ({ domain, hostname }) => `Web analytics domain ${domain} added: ${hostname}`,
    evolve(draft, { domain, hostname }, context) {
      put(draft, 'webAnalytics', domain, { hostname, ...told(context) });
    },
  },
  WebAnalyticsDomainRemoved: {
    changes: ['webAnalytics', 'domain'],
    entitles: true,
    sentence: ({ domain }) => `Web analytics domain ${domain} removed`,
    evolve(draft, { domain }) {
      drop(draft, 'webAnalytics', domain);
    },
  },
  BillingAccountLinked: {
    changes: ['billingAccount'],
    entitles: false,
    sentence: ({ provider, customer }) => `Billed as ${customer} of ${provider}`,
    evolve(draft, { provider, customer }) {
      draft.billingAccount = { provider, customer };
    },
  },
  SingleSignOnConfigured: {
    changes: ['singleSignOn'],
    entitles: false,
    sentence: ({ issuer, clientId }) => `Single sign-on by ${issuer} as ${clientId}`,
    evolve(draft, { issuer, clientId }) {
      draft.singleSignOn = { issuer, clientId };
    },
  },
  SingleSignOnRemoved: {
    changes: ['singleSignOn'],
    entitles: false,
    sentence: () => 'Single sign-on removed',
    evolve(draft) {
      draft.singleSignOn = null;
    },
  },
  TrafficReported: {
    changes: ['traffic', 'month'],
    entitles: false,
    sentence: ({ month, views }) => `${views} views reported for ${month}`,
    evolve(draft, { month, views }) {
      draft.traffic[month] = views;
    },
  },
};

/** Every type of event that can happen to an organization, in an order for people. */
export const eventTypes: readonly EventType[] = keysOf(eventTable);

export const isEventType = (type: string): type is EventType => Object.hasOwn(eventTable, type);

/**
 * Writes one event into the state. Events are facts: nothing in the table refuses, and nothing in it looks anything up.
 * @throws on a type that this code does not know: limits must not be guessed from a history that cannot be read
 */
export function evolve<Type extends EventType>(
  draft: OrganizationDraft,
  { type, data }: EventOf<Type>,
  context: EventContext,
): OrganizationDraft {
  if (!isEventType(type)) throw new Error(`The event type ${type as string} is newer than this code.`);
  eventTable[type].evolve(draft, data, context);
  return draft;
}

/** The one part of the state that an event may change. */
export function changedPart<Type extends EventType>({ type, data }: EventOf<Type>): ChangedPart {
  const [field, id] = eventTable[type].changes;
  return id === undefined ? [field] : [field, String(data[id])];
}

/** Whether an event can change what its organization may use. */
export const entitles = ({ type }: Pick<OrganizationEvent, 'type'>): boolean => eventTable[type].entitles;

/** An event as one sentence, from what it holds: of people only their ids. */
export const sentenceOf = <Type extends EventType>({ type, data }: EventOf<Type>): string =>
  eventTable[type].sentence(data);

/** Which event the state rests on. */
const told = ({ event, at }: EventContext): EventRef => ({ event, at });

const news = <What>(
  { effectiveAt, subscription }: Effective,
  { event, at, message }: EventContext,
  what: What | null,
): SaleEntry<What> => ({ event, at, effectiveAt, subscription: subscription ?? null, message: message ?? null, what });

const quoted = (text: string) => `“${text}”`;
const by = (subscription: string | undefined) => (subscription === undefined ? '' : ` by subscription ${subscription}`);
const spokenLimit = (amount: number | null) => (amount === null ? 'as the plan says' : amount || 'unlimited');
const switches = (features: SiteFeatures) =>
  Object.entries(features)
    .map(([feature, isOn]) => `${feature} ${isOn ? 'on' : 'off'}`)
    .join(', ') || 'nothing';
