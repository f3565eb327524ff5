import type { OrganizationEvent } from '@charter/client';
import type { ConsoleWords } from '../../../words';
import type { KnownNames } from './known-names';
import { typed } from './typed-text';

export type EventTypeName = OrganizationEvent['type'];
export type SentenceWords = ConsoleWords & KnownNames;

type DataOf<Type extends EventTypeName> = Extract<OrganizationEvent, Readonly<{ type: Type }>>['data'];
type Values = Readonly<Record<string, string | number>>;
type Row<Type extends EventTypeName, Group extends string = string> = Readonly<{
  /** The group in which people look for the event. */
  group: Group;
  /**
   * The values of the message `sentence.TYPE`, made from the data of the event. An event without data has the message
   * `event.TYPE` as its sentence.
   */
  values: (data: DataOf<Type>, words: SentenceWords) => Values;
}>;

/** The types of events, in the order of the service. */
const eventTypes = {
  OrganizationFounded: { group: 'founding', values: ({ name }) => ({ name: typed(name) }) },
  OrganizationRenamed: { group: 'settings', values: ({ name }) => ({ name: typed(name) }) },
  OrganizationClosed: { group: 'founding', values: ({ reason }) => ({ reason: typed(reason) }) },
  OrganizationReopened: { group: 'founding', values: ({ reason }) => ({ reason: typed(reason) }) },
  PlanAssigned: { group: 'plan', values: ({ line, plan }, { planOfLine }) => ({ plan: planOfLine(line, plan) }) },
  PlanEnded: {
    group: 'plan',
    values: ({ line, plan }, { planOfLine }) => ({
      named: plan === undefined ? 'no' : 'yes',
      plan: plan === undefined ? '' : planOfLine(line, plan),
      line,
    }),
  },
  AddOnPurchased: {
    group: 'add-ons',
    values: ({ addOn, quantity }, words) => ({ addOn: words.addOn(addOn), quantity: words.number(quantity) }),
  },
  AddOnCancelled: {
    group: 'add-ons',
    values: ({ addOn, purchase }, words) => ({
      named: addOn === undefined ? 'no' : 'yes',
      addOn: addOn === undefined ? '' : words.addOn(addOn),
      purchase: typed(purchase),
    }),
  },
  ServiceLevelAssigned: {
    group: 'plan',
    values: ({ serviceLevel }, { name }) => ({ level: serviceLevel, name: name(serviceLevel) }),
  },
  ProductEnabled: { group: 'settings', values: () => ({}) },
  ProductDisabled: { group: 'settings', values: () => ({}) },
  ParallelUseChanged: {
    group: 'settings',
    values: ({ parallelUse }) => ({ parallelUse: parallelUse === null ? 'unset' : String(parallelUse) }),
  },
  LimitsConfigured: {
    group: 'limits',
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
    values: ({ reason, until }, { second }) => ({
      ends: until === undefined ? 'no' : 'yes',
      until: until === undefined ? '' : second(until),
      reason: typed(reason),
    }),
  },
  HardLimitsRestored: { group: 'limits', values: ({ reason }) => ({ reason: typed(reason) }) },
  MemberAdded: {
    group: 'members',
    values: ({ member, role }, { person, name }) => ({ member: person(member), role: name(role) }),
  },
  MemberRoleChanged: {
    group: 'members',
    values: ({ member, role }, { person, name }) => ({ member: person(member), role: name(role) }),
  },
  MemberRemoved: { group: 'members', values: ({ member }, { person }) => ({ member: person(member) }) },
  ProductUserFlagged: { group: 'members', values: ({ member }, { person }) => ({ member: person(member) }) },
  ProductUserUnflagged: { group: 'members', values: ({ member }, { person }) => ({ member: person(member) }) },
  SiteAdded: {
    group: 'sites',
    values: ({ hostname, name }) => ({
      named: name === '' || name === hostname ? 'no' : 'yes',
      name: typed(name),
      hostname,
    }),
  },
  SiteRenamed: { group: 'sites', values: ({ site, name }, { thing }) => ({ site: thing(site), name: typed(name) }) },
  SiteFeaturesChanged: {
    group: 'sites',
    values: ({ site, features }, { text, thing, list }) => {
      const switched = Object.entries(features).map(([feature, isOn]) =>
        text('sentence.switch', { feature, on: String(isOn) }),
      );
      return { site: thing(site), count: switched.length, features: list(switched) };
    },
  },
  SiteRemoved: { group: 'sites', values: ({ site }, { thing }) => ({ site: thing(site) }) },
  QualityAssuranceDomainAdded: { group: 'domains', values: ({ hostname }) => ({ hostname }) },
  QualityAssuranceDomainRemoved: { group: 'domains', values: ({ domain }, { thing }) => ({ hostname: thing(domain) }) },
  WebAnalyticsDomainAdded: { group: 'domains', values: ({ hostname }) => ({ hostname }) },
  WebAnalyticsDomainRemoved: { group: 'domains', values: ({ domain }, { thing }) => ({ hostname: thing(domain) }) },
  BillingAccountLinked: {
    group: 'billing',
    values: ({ provider, customer }) => ({ provider: typed(provider), customer: typed(customer) }),
  },
  SingleSignOnConfigured: { group: 'settings', values: ({ issuer }) => ({ issuer: typed(issuer) }) },
  SingleSignOnRemoved: { group: 'settings', values: () => ({}) },
  TrafficReported: {
    group: 'traffic',
    values: ({ month, views }, words) => ({ month: words.month(month), views: words.number(views) }),
  },
} as const satisfies { readonly [Type in EventTypeName]: Row<Type> };

export type HistoryGroup = (typeof eventTypes)[EventTypeName]['group'];

export const eventTypeNames = Object.keys(eventTypes) as readonly EventTypeName[];
export const groupOfType = (type: EventTypeName): HistoryGroup => eventTypes[type].group;
export const eventGroups: readonly HistoryGroup[] = [...new Set(eventTypeNames.map(groupOfType))];

export const typesIn = (group: string): readonly EventTypeName[] =>
  eventTypeNames.filter((type) => groupOfType(type) === group);

export const isEventTypeName = (type: string): type is EventTypeName => Object.hasOwn(eventTypes, type);

/** The values of the sentence of an event. @throws if another tool wrote data that the type does not have */
export const sentenceValues = (type: EventTypeName, data: object, words: SentenceWords): Values =>
  (eventTypes[type].values as (data: object, words: SentenceWords) => Values)(data, words);
