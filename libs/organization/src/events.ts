import type { DataFlaw, EventContext, EventRef, Immutable, Message, Moment } from '@charter/decider';
import { z } from 'zod';
import { each, keysOf } from './each';
import { drop, put } from './state';
import { insertSaleEntry, type SaleEntry } from './sales/entries';
import { saleEntriesOf, type Organization, type OrganizationDraft, type SwitchRefs } from './state';
import {
  Grants,
  MemberRole,
  ProductLine,
  Resource,
  ServiceLevel,
  SiteFeature,
  type SiteFeatures,
  Terms,
} from './terms';
import { Month } from './words';

const text = z.string();
const count = z.int().min(0);
/** A UUID as `words.Id` writes it: in lower case, so that an id is always the same key in the objects of the state. */
const id = z.guid().refine((given) => given === given.toLowerCase(), 'must be in lower case');
/** A moment as `words.When` writes it: in UTC with milliseconds, so that moments compare as text. */
const moment = z.iso.datetime({ precision: 3 });
/**
 * A text that is a key in an object of the state. The commands have always refused `__proto__`, which would set the
 * state's prototype.
 */
const stateKey = text.refine((key) => key !== '__proto__', 'must not be `__proto__`');
const purchase = stateKey;
const emailDomain = stateKey;

/**
 * The moment when a sale or an end takes effect, and the provider's subscription, if there is one (`decisions.md` 24).
 */
const effective = { effectiveAt: moment, subscription: text.exactOptional() };
type Effective = Readonly<{ effectiveAt: Moment; subscription?: string }>;

/** The part of the state that an event changes: a field, or one entry of a field by its id. */
export type ChangedPart = readonly [field: keyof Organization, id?: string];

/** The groups into which event types are divided, for example in a timeline. */
export const EventGroup = z.enum([
  'founding',
  'plan',
  'add-ons',
  'limits',
  'members',
  'sites',
  'domains',
  'settings',
  'billing',
  'traffic',
]);
export type EventGroup = z.infer<typeof EventGroup>;

/** The properties of an event type. */
type EventRow<Data, Schema = z.ZodType<Data>> = Readonly<{
  /**
   * The event's data. Existing event types and fields never change; only additions are allowed. The data contains ids
   * and no personal data.
   */
  data: Schema;
  /**
   * The field of the state that the event changes. If the event changes only one entry of the field, the second value
   * names the field of the data that contains the entry's id.
   */
  changes: readonly [field: keyof Organization, id?: keyof Data];
  group: EventGroup;
  /** Whether the event can change the entitlements. */
  entitles: boolean;
  /** The event as one sentence, made from its data; people appear as ids only. */
  sentence: (data: Data) => string;
  /** Applies the event to the state. The function must accept every event, and must depend only on its parameters. */
  evolve: (draft: OrganizationDraft, data: Data, context: EventContext) => void;
}>;

const row = <Shape extends z.ZodRawShape>(
  data: Shape,
  rest: Omit<EventRow<DataIn<Shape>>, 'data'>,
): EventRow<DataIn<Shape>, z.ZodObject<Shape, z.core.$strict>> => ({ data: z.strictObject(data), ...rest });
type DataIn<Shape extends z.ZodRawShape> = Immutable<z.infer<z.ZodObject<Shape, z.core.$strict>>>;

/**
 * All events of an organization, with one row for each type. Messages and documentation list the types in this order.
 */
const eventTable = {
  OrganizationFounded: row(
    { name: text },
    {
      changes: ['name'],
      group: 'founding',
      entitles: true,
      sentence: ({ name }) => `Founded as ${quoted(name)}`,
      evolve(draft, { name }, context) {
        draft.name = name;
        draft.founded = refOf(context);
      },
    },
  ),
  OrganizationRenamed: row(
    { name: text },
    {
      changes: ['name'],
      group: 'settings',
      entitles: false,
      sentence: ({ name }) => `Renamed to ${quoted(name)}`,
      evolve(draft, { name }) {
        draft.name = name;
      },
    },
  ),
  OrganizationClosed: row(
    { reason: text },
    {
      changes: ['closed'],
      group: 'founding',
      entitles: true,
      sentence: ({ reason }) => `Closed: ${reason}`,
      evolve(draft, { reason }, context) {
        draft.closed = { reason, ...refOf(context) };
      },
    },
  ),
  OrganizationReopened: row(
    { reason: text },
    {
      changes: ['closed'],
      group: 'founding',
      entitles: true,
      sentence: ({ reason }) => `Reopened: ${reason}`,
      evolve(draft) {
        draft.closed = null;
      },
    },
  ),
  PlanAssigned: row(
    { line: ProductLine, plan: text, terms: Terms, ...effective },
    {
      changes: ['plans', 'line'],
      group: 'plan',
      entitles: true,
      sentence: ({ line, plan, subscription }) => `Holds plan ${line}/${plan}${bySubscription(subscription)}`,
      evolve(draft, data, context) {
        const { line, plan, terms } = data;
        draft.plans[line] = insertSaleEntry(draft.plans[line], entryOf(data, context, { plan, terms }));
      },
    },
  ),
  PlanEnded: row(
    { line: ProductLine, plan: text.exactOptional(), ...effective },
    {
      changes: ['plans', 'line'],
      group: 'plan',
      entitles: true,
      sentence: ({ line, plan, subscription }) =>
        `Plan ${plan === undefined ? `of the ${line} line` : `${line}/${plan}`} ended${bySubscription(subscription)}`,
      evolve(draft, data, context) {
        draft.plans[data.line] = insertSaleEntry(draft.plans[data.line], entryOf(data, context, null));
      },
    },
  ),
  AddOnPurchased: row(
    { purchase, addOn: text, quantity: count, grants: Grants, ...effective },
    {
      changes: ['purchases', 'purchase'],
      group: 'add-ons',
      entitles: true,
      sentence: ({ addOn, quantity, purchase, subscription }) =>
        `Purchase ${purchase} counts ${quantity} x ${addOn}${bySubscription(subscription)}`,
      evolve(draft, data, context) {
        const { purchase, addOn, quantity, grants } = data;
        draft.purchases[purchase] = insertSaleEntry(
          saleEntriesOf(draft, purchase),
          entryOf(data, context, { addOn, quantity, grants }),
        );
      },
    },
  ),
  AddOnCancelled: row(
    { purchase, addOn: text.exactOptional(), ...effective },
    {
      changes: ['purchases', 'purchase'],
      group: 'add-ons',
      entitles: true,
      sentence: ({ addOn, purchase, subscription }) =>
        `Purchase ${purchase}${addOn === undefined ? '' : ` of ${addOn}`} cancelled${bySubscription(subscription)}`,
      evolve(draft, data, context) {
        draft.purchases[data.purchase] = insertSaleEntry(
          saleEntriesOf(draft, data.purchase),
          entryOf(data, context, null),
        );
      },
    },
  ),
  ServiceLevelAssigned: row(
    { serviceLevel: ServiceLevel },
    {
      changes: ['serviceLevel'],
      group: 'plan',
      entitles: true,
      sentence: ({ serviceLevel }) => `Service level is ${serviceLevel}`,
      evolve(draft, { serviceLevel }, context) {
        draft.serviceLevel = { level: serviceLevel, ...refOf(context) };
      },
    },
  ),
  ProductEnabled: row(
    {},
    {
      changes: ['product'],
      group: 'settings',
      entitles: true,
      sentence: () => 'Product switched on',
      evolve(draft, _, context) {
        draft.product = { enabled: true, ...refOf(context) };
      },
    },
  ),
  ProductDisabled: row(
    {},
    {
      changes: ['product'],
      group: 'settings',
      entitles: true,
      sentence: () => 'Product switched off',
      evolve(draft, _, context) {
        draft.product = { enabled: false, ...refOf(context) };
      },
    },
  ),
  ParallelUseChanged: row(
    { parallelUse: z.boolean().nullable() },
    {
      changes: ['parallelUse'],
      group: 'settings',
      entitles: false,
      sentence: ({ parallelUse }) => `Parallel use ${parallelUse === null ? 'never set' : parallelUse ? 'on' : 'off'}`,
      evolve(draft, { parallelUse }) {
        draft.parallelUse = parallelUse;
      },
    },
  ),
  LimitsConfigured: row(
    { limits: z.strictObject(each(Resource.options, () => count.nullable().exactOptional())) },
    {
      changes: ['limitsByHand'],
      group: 'limits',
      entitles: true,
      sentence: ({ limits }) =>
        `Limits by hand: ${Object.entries(limits)
          .map(([resource, amount]) => `${resource} ${limitText(amount)}`)
          .join(', ')}`,
      evolve(draft, { limits }, context) {
        for (const [resource, amount] of Object.entries(limits) as [Resource, number | null][]) {
          if (amount === null) delete draft.limitsByHand[resource];
          else draft.limitsByHand[resource] = { amount, ...refOf(context) };
        }
      },
    },
  ),
  HardLimitsOverridden: row(
    { reason: text, until: moment.exactOptional() },
    {
      changes: ['override'],
      group: 'limits',
      entitles: true,
      sentence: ({ reason, until }) =>
        `Hard limits overridden${until === undefined ? '' : ` until ${until}`}: ${reason}`,
      evolve(draft, { reason, until }, context) {
        draft.override = { reason, until: until ?? null, ...refOf(context) };
      },
    },
  ),
  HardLimitsRestored: row(
    { reason: text },
    {
      changes: ['override'],
      group: 'limits',
      entitles: true,
      sentence: ({ reason }) => `Hard limits restored: ${reason}`,
      evolve(draft) {
        draft.override = null;
      },
    },
  ),
  MemberAdded: row(
    { member: id, role: MemberRole },
    {
      changes: ['members', 'member'],
      group: 'members',
      entitles: true,
      sentence: ({ member, role }) => `Member ${member} added as ${role}`,
      evolve(draft, { member, role }, context) {
        put(draft, 'members', member, { role, productUser: false, ...refOf(context) });
      },
    },
  ),
  MemberRoleChanged: row(
    { member: id, role: MemberRole },
    {
      changes: ['members', 'member'],
      group: 'members',
      entitles: false,
      sentence: ({ member, role }) => `Member ${member} is ${role} now`,
      evolve(draft, { member, role }, context) {
        Object.assign(draft.members[member]!, { role, roleSince: refOf(context) });
      },
    },
  ),
  MemberRemoved: row(
    { member: id },
    {
      changes: ['members', 'member'],
      group: 'members',
      entitles: true,
      sentence: ({ member }) => `Member ${member} removed`,
      evolve(draft, { member }) {
        drop(draft, 'members', member);
      },
    },
  ),
  ProductUserFlagged: row(
    { member: id },
    {
      changes: ['members', 'member'],
      group: 'members',
      entitles: false,
      sentence: ({ member }) => `Member ${member} uses the product`,
      evolve(draft, { member }) {
        draft.members[member]!.productUser = true;
      },
    },
  ),
  ProductUserUnflagged: row(
    { member: id },
    {
      changes: ['members', 'member'],
      group: 'members',
      entitles: false,
      sentence: ({ member }) => `Member ${member} no longer uses the product`,
      evolve(draft, { member }) {
        draft.members[member]!.productUser = false;
      },
    },
  ),
  SiteAdded: row(
    { site: id, hostname: text, name: text },
    {
      changes: ['sites', 'site'],
      group: 'sites',
      entitles: true,
      sentence: ({ site, hostname, name }) =>
        `Site ${site} added: ${hostname}${name === '' ? '' : `, ${quoted(name)}`}`,
      evolve(draft, { site, hostname, name }, context) {
        put(draft, 'sites', site, { hostname, name, features: {}, ...refOf(context) });
      },
    },
  ),
  SiteRenamed: row(
    { site: id, name: text },
    {
      changes: ['sites', 'site'],
      group: 'sites',
      entitles: false,
      sentence: ({ site, name }) => `Site ${site} renamed to ${quoted(name)}`,
      evolve(draft, { site, name }) {
        draft.sites[site]!.name = name;
      },
    },
  ),
  SiteFeaturesChanged: row(
    { site: id, features: z.partialRecord(SiteFeature, z.boolean()) },
    {
      changes: ['sites', 'site'],
      group: 'sites',
      entitles: false,
      sentence: ({ site, features }) => `Site ${site} differs from its plan in: ${switches(features)}`,
      evolve(draft, { site, features }, context) {
        const entry = draft.sites[site]!;
        entry.switchedBy = switchRefs(entry, features, refOf(context));
        entry.features = { ...features };
      },
    },
  ),
  SiteRemoved: row(
    { site: id },
    {
      changes: ['sites', 'site'],
      group: 'sites',
      entitles: true,
      sentence: ({ site }) => `Site ${site} removed`,
      evolve(draft, { site }) {
        drop(draft, 'sites', site);
      },
    },
  ),
  QualityAssuranceDomainAdded: row(
    { domain: id, hostname: text },
    {
      changes: ['qualityAssurance', 'domain'],
      group: 'domains',
      entitles: true,
      sentence: ({ domain, hostname }) => `Quality assurance domain ${domain} added: ${hostname}`,
      evolve(draft, { domain, hostname }, context) {
        put(draft, 'qualityAssurance', domain, { hostname, ...refOf(context) });
      },
    },
  ),
  QualityAssuranceDomainRemoved: row(
    { domain: id },
    {
      changes: ['qualityAssurance', 'domain'],
      group: 'domains',
      entitles: true,
      sentence: ({ domain }) => `Quality assurance domain ${domain} removed`,
      evolve(draft, { domain }) {
        drop(draft, 'qualityAssurance', domain);
      },
    },
  ),
  WebAnalyticsDomainAdded: row(
    { domain: id, hostname: text },
    {
      changes: ['webAnalytics', 'domain'],
      group: 'domains',
      entitles: true,
      sentence: ({ domain, hostname }) => `Web analytics domain ${domain} added: ${hostname}`,
      evolve(draft, { domain, hostname }, context) {
        put(draft, 'webAnalytics', domain, { hostname, ...refOf(context) });
      },
    },
  ),
  WebAnalyticsDomainRemoved: row(
    { domain: id },
    {
      changes: ['webAnalytics', 'domain'],
      group: 'domains',
      entitles: true,
      sentence: ({ domain }) => `Web analytics domain ${domain} removed`,
      evolve(draft, { domain }) {
        drop(draft, 'webAnalytics', domain);
      },
    },
  ),
  BillingAccountLinked: row(
    { provider: text, customer: text },
    {
      changes: ['billingAccount'],
      group: 'billing',
      entitles: false,
      sentence: ({ provider, customer }) => `Billed through ${provider} as ${customer}`,
      evolve(draft, { provider, customer }) {
        draft.billingAccount = { provider, customer };
      },
    },
  ),
  SingleSignOnConfigured: row(
    { issuer: text, clientId: text },
    {
      changes: ['singleSignOn'],
      group: 'settings',
      entitles: false,
      sentence: ({ issuer, clientId }) => `Single sign-on by ${issuer} as ${clientId}`,
      evolve(draft, { issuer, clientId }) {
        draft.singleSignOn = { issuer, clientId };
      },
    },
  ),
  SingleSignOnRemoved: row(
    {},
    {
      changes: ['singleSignOn'],
      group: 'settings',
      entitles: false,
      sentence: () => 'Single sign-on removed',
      evolve(draft) {
        draft.singleSignOn = null;
      },
    },
  ),
  EmailDomainClaimed: row(
    { domain: emailDomain },
    {
      changes: ['emailDomains', 'domain'],
      group: 'settings',
      entitles: false,
      sentence: ({ domain }) => `E-mail domain ${domain} claimed`,
      evolve(draft, { domain }, context) {
        draft.emailDomains[domain] = unproven(context);
      },
    },
  ),
  EmailDomainProven: row(
    { domain: emailDomain },
    {
      changes: ['emailDomains', 'domain'],
      group: 'settings',
      entitles: false,
      sentence: ({ domain }) => `E-mail domain ${domain} proven by a DNS record`,
      evolve(draft, { domain }, context) {
        draft.emailDomains[domain] = { ...unproven(context), proven: true };
      },
    },
  ),
  EmailDomainLost: row(
    { domain: emailDomain },
    {
      changes: ['emailDomains', 'domain'],
      group: 'settings',
      entitles: false,
      sentence: ({ domain }) => `E-mail domain ${domain} lost: it is only claimed now`,
      evolve(draft, { domain }, context) {
        draft.emailDomains[domain] = unproven(context);
      },
    },
  ),
  EmailDomainReleased: row(
    { domain: emailDomain },
    {
      changes: ['emailDomains', 'domain'],
      group: 'settings',
      entitles: false,
      sentence: ({ domain }) => `E-mail domain ${domain} released`,
      evolve(draft, { domain }) {
        delete draft.emailDomains[domain];
      },
    },
  ),
  EmailDomainSettingsChanged: row(
    { domain: emailDomain, automaticMembership: z.boolean(), managed: z.boolean() },
    {
      changes: ['emailDomains', 'domain'],
      group: 'settings',
      entitles: false,
      sentence: ({ domain, automaticMembership, managed }) =>
        `E-mail domain ${domain}: automatic membership ${onOrOff(automaticMembership)}, managed accounts ${onOrOff(managed)}`,
      evolve(draft, { domain, automaticMembership, managed }) {
        Object.assign(draft.emailDomains[domain]!, { automaticMembership, managed });
      },
    },
  ),
  TrafficReported: row(
    { month: Month, views: count },
    {
      changes: ['traffic', 'month'],
      group: 'traffic',
      entitles: false,
      sentence: ({ month, views }) => `${views} views reported for ${month}`,
      evolve(draft, { month, views }, context) {
        draft.traffic[month] = views;
        draft.reports[month] = refOf(context);
      },
    },
  ),
};

type Table = typeof eventTable;
export type EventType = keyof Table;
type DataOf = { [Type in EventType]: Immutable<z.infer<Table[Type]['data']>> };
type EventOf<Type extends EventType> = { [T in Type]: Readonly<{ type: T; data: DataOf[T] }> }[Type];
export type OrganizationEvent = EventOf<EventType>;

/** The rows of the table, typed with the data of their events. */
const eventRows: { readonly [Type in EventType]: EventRow<DataOf[Type], z.ZodObject> } = eventTable;

/** All event types of an organization, in the order of the table. */
export const eventTypes: readonly EventType[] = keysOf(eventTable);

/** The schema of an event's data. */
export const eventDataSchema = (type: EventType): z.ZodObject => eventRows[type].data;

export const isEventType = (type: string): type is EventType => Object.hasOwn(eventTable, type);

/**
 * The version of the stored state. Raise this version if `evolve` makes a different state from the same events, for
 * example with a new field. A server with a higher version rebuilds the read model when it starts.
 */
export const stateVersion = 6;

/** The first flaw in the data of a stored event; undefined for unknown types, for which `evolve` throws. */
export const eventFlaw = ({ type, data }: Message): DataFlaw | undefined =>
  isEventType(type) ? eventRows[type].data.safeParse(data).error?.issues[0] : undefined;

/**
 * Applies one event to the state. Accepts every event of a known type, because events are facts.
 * @throws Error for a type that this code does not know, because the state would be wrong without the event
 */
export function evolve<Type extends EventType>(
  draft: OrganizationDraft,
  { type, data }: EventOf<Type>,
  context: EventContext,
): OrganizationDraft {
  if (!isEventType(type)) throw new Error(`The event type ${type as string} is newer than this code.`);
  eventRows[type].evolve(draft, data, context);
  return draft;
}

/** The part of the state that an event changes. An event must not change any other part that differences show. */
export function changedPart<Type extends EventType>({ type, data }: EventOf<Type>): ChangedPart {
  const [field, id] = eventRows[type].changes;
  return id === undefined ? [field] : [field, data[id] as string];
}

/**
 * The field of the state that events of a type change, and whether each such event changes only one entry of the field.
 */
export function partChangedBy(type: EventType): Readonly<{ field: keyof Organization; isEntry: boolean }> {
  const [field, id] = eventRows[type].changes;
  return { field, isEntry: id !== undefined };
}

export const groupOf = (type: EventType): EventGroup => eventRows[type].group;

/** Whether an event can change the entitlements of its organization. */
export const entitles = ({ type }: Pick<OrganizationEvent, 'type'>): boolean => eventRows[type].entitles;

/** The event as one sentence, made from its data; people appear as ids only. */
export const sentenceOf = <Type extends EventType>({ type, data }: EventOf<Type>): string =>
  eventRows[type].sentence(data);

/** The reference to an event, which the state stores with each part that the event changed. */
const refOf = ({ event, at }: EventContext): EventRef => ({ event, at });

/**
 * The references to the events that set a site's own values. If a value stays the same, its reference stays the same.
 */
const switchRefs = (
  { features: before, switchedBy }: OrganizationDraft['sites'][string],
  features: SiteFeatures,
  now: EventRef,
): SwitchRefs =>
  Object.fromEntries(
    Object.entries(features).map(([name, on]) => {
      const feature = name as SiteFeature;
      return [feature, (before[feature] === on && switchedBy?.[feature]) || now];
    }),
  );

const entryOf = <What>(
  { effectiveAt, subscription }: Effective,
  { event, at, message }: EventContext,
  what: What | null,
): SaleEntry<What> => ({ event, at, effectiveAt, subscription: subscription ?? null, message: message ?? null, what });

/** A claimed domain, whose switches are off until the organization proves the domain. */
const unproven = (context: EventContext): OrganizationDraft['emailDomains'][string] => ({
  proven: false,
  automaticMembership: false,
  managed: false,
  ...refOf(context),
});

const onOrOff = (isOn: boolean) => (isOn ? 'on' : 'off');
const quoted = (text: string) => `“${text}”`;
const bySubscription = (subscription: string | undefined) =>
  subscription === undefined ? '' : ` by subscription ${subscription}`;
const limitText = (amount: number | null) => (amount === null ? 'as the plan says' : amount || 'unlimited');
const switches = (features: SiteFeatures) =>
  Object.entries(features)
    .map(([feature, isOn]) => `${feature} ${isOn ? 'on' : 'off'}`)
    .join(', ') || 'nothing';
