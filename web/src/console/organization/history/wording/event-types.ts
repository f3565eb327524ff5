import type { OrganizationEvent } from '@charter/client';
import type { ConsoleWords } from '../../../words';
import type { KnownNames } from './known-names';
import { typed } from './typed-text';

export type EventTypeName = OrganizationEvent['type'];
export type SentenceWords = ConsoleWords & KnownNames;

type DataOf<Type extends EventTypeName> = Extract<OrganizationEvent, Readonly<{ type: Type }>>['data'];
type Values = Readonly<Record<string, string | number>>;
type Row<Type extends EventTypeName, Group extends string = string> = Readonly<{
  /** The group to which the event belongs in filters and lists. */
  group: Group;
  /** The subject of the event: the first field name in the paths that the event changes, such as `members`. */
  about: string;
  /**
   * The values for the placeholders of the message `sentence.TYPE`, made from the data of the event. For an event
   * without data, the page uses the message `event.TYPE`.
   */
  values: (data: DataOf<Type>, words: SentenceWords) => Values;
}>;

/** The types of events, in the order in which the service defines them. */
const eventTypes = {
  OrganizationFounded: { group: 'founding', about: 'name', values: ({ name }) => ({ name: typed(name) }) },
  OrganizationRenamed: { group: 'settings', about: 'name', values: ({ name }) => ({ name: typed(name) }) },
  OrganizationClosed: { group: 'founding', about: 'closed', values: ({ reason }) => ({ reason: typed(reason) }) },
  OrganizationReopened: { group: 'founding', about: 'closed', values: ({ reason }) => ({ reason: typed(reason) }) },
  PlanAssigned: {
    group: 'plan',
    about: 'plans',
    values: ({ line, plan }, { planOfLine }) => ({ plan: planOfLine(line, plan) }),
  },
  PlanEnded: {
    group: 'plan',
    about: 'plans',
    values: ({ line, plan }, { planOfLine }) => ({
      named: plan === undefined ? 'no' : 'yes',
      plan: plan === undefined ? '' : planOfLine(line, plan),
      line,
    }),
  },
  AddOnPurchased: {
    group: 'add-ons',
    about: 'addOns',
    values: ({ addOn, quantity }, words) => ({ addOn: words.addOn(addOn), quantity: words.number(quantity) }),
  },
  AddOnCancelled: {
    group: 'add-ons',
    about: 'addOns',
    values: ({ addOn, purchase }, words) => ({
      named: addOn === undefined ? 'no' : 'yes',
      addOn: addOn === undefined ? '' : words.addOn(addOn),
      purchase: typed(purchase),
    }),
  },
  ServiceLevelAssigned: {
    group: 'plan',
    about: 'serviceLevel',
    values: ({ serviceLevel }, { name }) => ({ level: serviceLevel, name: name(serviceLevel) }),
  },
  ProductEnabled: { group: 'settings', about: 'product', values: () => ({}) },
  ProductDisabled: { group: 'settings', about: 'product', values: () => ({}) },
  ParallelUseChanged: {
    group: 'settings',
    about: 'parallelUse',
    values: ({ parallelUse }) => ({ parallelUse: parallelUse === null ? 'unset' : String(parallelUse) }),
  },
  LimitsConfigured: {
    group: 'limits',
    about: 'limits',
    values: ({ limits }, { text, name, number, list }) => ({
      limits: list(
        Object.entries(limits as Readonly<Record<string, number | null>>).map(([resource, amount]) =>
          text('sentence.limit', {
            resource: name(resource),
            kind: amount === null ? 'plan' : amount === 0 ? 'unlimited' : 'amount',
            amount: number(amount ?? 0),
          }),
        ),
      ),
    }),
  },
  HardLimitsOverridden: {
    group: 'limits',
    about: 'limits',
    values: ({ reason, until }, { second }) => ({
      ends: until === undefined ? 'no' : 'yes',
      until: until === undefined ? '' : second(until),
      reason: typed(reason),
    }),
  },
  HardLimitsRestored: { group: 'limits', about: 'limits', values: ({ reason }) => ({ reason: typed(reason) }) },
  MemberAdded: {
    group: 'members',
    about: 'members',
    values: ({ member, role }, { person, name }) => ({ member: person(member), role: name(role) }),
  },
  MemberRoleChanged: {
    group: 'members',
    about: 'members',
    values: ({ member, role }, { person, name }) => ({ member: person(member), role: name(role) }),
  },
  MemberRemoved: {
    group: 'members',
    about: 'members',
    values: ({ member }, { person }) => ({ member: person(member) }),
  },
  ProductUserFlagged: {
    group: 'members',
    about: 'members',
    values: ({ member }, { person }) => ({ member: person(member) }),
  },
  ProductUserUnflagged: {
    group: 'members',
    about: 'members',
    values: ({ member }, { person }) => ({ member: person(member) }),
  },
  SiteAdded: {
    group: 'sites',
    about: 'sites',
    values: ({ hostname, name }) => ({
      named: name === '' || name === hostname ? 'no' : 'yes',
      name: typed(name),
      hostname,
    }),
  },
  SiteRenamed: {
    group: 'sites',
    about: 'sites',
    values: ({ site, name }, { thing }) => ({ site: thing(site), name: typed(name) }),
  },
  SiteFeaturesChanged: {
    group: 'sites',
    about: 'sites',
    values: ({ site, features }, { text, name, thing, list }) => {
      const switched = Object.entries(features).map(([feature, isOn]) =>
        text('sentence.switch', { feature: name(feature), on: String(isOn) }),
      );
      return { site: thing(site), count: switched.length, features: list(switched) };
    },
  },
  SiteRemoved: { group: 'sites', about: 'sites', values: ({ site }, { thing }) => ({ site: thing(site) }) },
  QualityAssuranceDomainAdded: {
    group: 'domains',
    about: 'qualityAssurance',
    values: ({ hostname }) => ({ hostname }),
  },
  QualityAssuranceDomainRemoved: {
    group: 'domains',
    about: 'qualityAssurance',
    values: ({ domain }, { thing }) => ({ hostname: thing(domain) }),
  },
  WebAnalyticsDomainAdded: { group: 'domains', about: 'webAnalytics', values: ({ hostname }) => ({ hostname }) },
  WebAnalyticsDomainRemoved: {
    group: 'domains',
    about: 'webAnalytics',
    values: ({ domain }, { thing }) => ({ hostname: thing(domain) }),
  },
  BillingAccountLinked: {
    group: 'billing',
    about: 'billing',
    values: ({ provider, customer }) => ({
      provider: typed(provider === 'stripe' ? 'Stripe' : provider),
      customer: typed(customer),
    }),
  },
  SingleSignOnConfigured: {
    group: 'settings',
    about: 'singleSignOn',
    values: ({ issuer }) => ({ issuer: typed(issuer) }),
  },
  SingleSignOnRemoved: { group: 'settings', about: 'singleSignOn', values: () => ({}) },
  EmailDomainClaimed: { group: 'settings', about: 'emailDomains', values: ({ domain }) => ({ domain }) },
  EmailDomainProven: { group: 'settings', about: 'emailDomains', values: ({ domain }) => ({ domain }) },
  EmailDomainLost: { group: 'settings', about: 'emailDomains', values: ({ domain }) => ({ domain }) },
  EmailDomainReleased: { group: 'settings', about: 'emailDomains', values: ({ domain }) => ({ domain }) },
  EmailDomainSettingsChanged: {
    group: 'settings',
    about: 'emailDomains',
    values: ({ domain, automaticMembership, managed }) => ({
      domain,
      members: automaticMembership ? 'yes' : 'no',
      managed: managed ? 'yes' : 'no',
    }),
  },
  TrafficReported: {
    group: 'traffic',
    about: 'traffic',
    values: ({ month, views }, words) => ({ month: words.month(month), views: words.number(views) }),
  },
} as const satisfies { readonly [Type in EventTypeName]: Row<Type> };

export type HistoryGroup = (typeof eventTypes)[EventTypeName]['group'];

export const eventTypeNames = Object.keys(eventTypes) as readonly EventTypeName[];
export const groupOfType = (type: EventTypeName): HistoryGroup => eventTypes[type].group;
export const eventGroups: readonly HistoryGroup[] = [...new Set(eventTypeNames.map(groupOfType))];

/** The subject of all events of this type. */
export const subjectOfType = (type: EventTypeName): string => eventTypes[type].about;

/** The group of the events about a subject; undefined if no event is about this subject. */
export const groupAbout = (subject: string): HistoryGroup | undefined => {
  const type = eventTypeNames.find((name) => subjectOfType(name) === subject);
  return type && groupOfType(type);
};

export const typesIn = (group: string): readonly EventTypeName[] =>
  eventTypeNames.filter((type) => groupOfType(type) === group);

export const isEventTypeName = (type: string): type is EventTypeName => Object.hasOwn(eventTypes, type);

/**
 * The values for the placeholders in the sentence about an event. @throws if the data do not fit the event type, for
 * example because another tool wrote them
 */
export const sentenceValues = (type: EventTypeName, data: object, words: SentenceWords): Values =>
  (eventTypes[type].values as (data: object, words: SentenceWords) => Values)(data, words);
