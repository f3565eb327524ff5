import type { OrganizationEvent } from '@charter/client';
import type { ConsoleWords } from '../../../words';
import { type EventTypeName, isEventTypeName } from './event-groups';
import type { KnownNames } from './known-names';

type DataOf<Type extends EventTypeName> = Extract<OrganizationEvent, Readonly<{ type: Type }>>['data'];
type Values = Readonly<Record<string, string | number>>;
type SentenceWords = ConsoleWords & KnownNames;

/** The fields of an event that its sentence needs. The data of an unreadable event is null. */
export type ToldEvent = Readonly<{ type: string; data: unknown }>;

/**
 * The values of the message `sentence.TYPE`, made from the data of the event. An event without data has the message
 * `event.TYPE` as its sentence.
 */
const valuesOf: { readonly [Type in EventTypeName]: (data: DataOf<Type>, words: SentenceWords) => Values } = {
  OrganizationFounded: ({ name }) => ({ name: typed(name) }),
  OrganizationRenamed: ({ name }) => ({ name: typed(name) }),
  OrganizationClosed: ({ reason }) => ({ reason: typed(reason) }),
  OrganizationReopened: ({ reason }) => ({ reason: typed(reason) }),
  PlanAssigned: ({ line, plan }, { planOfLine }) => ({ plan: planOfLine(line, plan) }),
  PlanEnded: ({ line, plan }, { planOfLine }) => ({
    named: plan === undefined ? 'no' : 'yes',
    plan: plan === undefined ? '' : planOfLine(line, plan),
    line,
  }),
  AddOnPurchased: ({ addOn, quantity }, words) => ({ addOn: words.addOn(addOn), quantity: words.number(quantity) }),
  AddOnCancelled: ({ addOn, purchase }, words) => ({
    named: addOn === undefined ? 'no' : 'yes',
    addOn: addOn === undefined ? '' : words.addOn(addOn),
    purchase: typed(purchase),
  }),
  ServiceLevelAssigned: ({ serviceLevel }, { name }) => ({ level: serviceLevel, name: name(serviceLevel) }),
  ProductEnabled: () => ({}),
  ProductDisabled: () => ({}),
  ParallelUseChanged: ({ parallelUse }) => ({ parallelUse: parallelUse === null ? 'unset' : String(parallelUse) }),
  LimitsConfigured: ({ limits }, { text, name, number, list }) => ({
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
  HardLimitsOverridden: ({ reason, until }, { utc }) => ({
    ends: until === undefined ? 'no' : 'yes',
    until: until === undefined ? '' : utc(until),
    reason: typed(reason),
  }),
  HardLimitsRestored: ({ reason }) => ({ reason: typed(reason) }),
  MemberAdded: ({ member, role }, { person, name }) => ({ member: person(member), role: name(role) }),
  MemberRoleChanged: ({ member, role }, { person, name }) => ({ member: person(member), role: name(role) }),
  MemberRemoved: ({ member }, { person }) => ({ member: person(member) }),
  ProductUserFlagged: ({ member }, { person }) => ({ member: person(member) }),
  ProductUserUnflagged: ({ member }, { person }) => ({ member: person(member) }),
  SiteAdded: ({ hostname, name }) => ({
    named: name === '' || name === hostname ? 'no' : 'yes',
    name: typed(name),
    hostname,
  }),
  SiteRenamed: ({ site, name }, { thing }) => ({ site: thing(site), name: typed(name) }),
  SiteFeaturesChanged: ({ site, features }, { text, thing, list }) => {
    const switched = Object.entries(features).map(([feature, isOn]) =>
      text('sentence.switch', { feature, on: String(isOn) }),
    );
    return { site: thing(site), count: switched.length, features: list(switched) };
  },
  SiteRemoved: ({ site }, { thing }) => ({ site: thing(site) }),
  QualityAssuranceDomainAdded: ({ hostname }) => ({ hostname }),
  QualityAssuranceDomainRemoved: ({ domain }, { thing }) => ({ hostname: thing(domain) }),
  WebAnalyticsDomainAdded: ({ hostname }) => ({ hostname }),
  WebAnalyticsDomainRemoved: ({ domain }, { thing }) => ({ hostname: thing(domain) }),
  BillingAccountLinked: ({ provider, customer }) => ({ provider: typed(provider), customer: typed(customer) }),
  SingleSignOnConfigured: ({ issuer }) => ({ issuer: typed(issuer) }),
  SingleSignOnRemoved: () => ({}),
  TrafficReported: ({ month, views }, words) => ({ month: words.month(month), views: words.number(views) }),
};

/** The event as a sentence. An event of an unknown type, or with data of another form, has its type as its sentence. */
export function sentenceInWords({ type, data }: ToldEvent, words: SentenceWords): string {
  const { text, has } = words;
  const kind = has(`event.${type}`) ? text(`event.${type}`) : type;
  if (!isEventTypeName(type) || !has(`sentence.${type}`) || typeof data !== 'object' || data === null) return kind;
  try {
    return text(`sentence.${type}`, (valuesOf[type] as (data: object, words: SentenceWords) => Values)(data, words));
  } catch {
    return kind; // another tool wrote the event, with data that the type does not have
  }
}

const LENGTH_MAX = 200;

/**
 * Shortens a text that a person typed, and adds marks that separate its direction of writing from the direction of the
 * sentence.
 */
export const typed = (text: string): string =>
  `\u2068${text.length > LENGTH_MAX ? `${text.slice(0, LENGTH_MAX)}…` : text}\u2069`;
