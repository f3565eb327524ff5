import type { Immutable, Moment, Telling, Told } from '@charter/decider';
import type { DomainList, Month, OrganizationEvent, Role, SiteFeatures } from './events';
import { heard, type News } from './news';
import { each } from './each';
import { type Grants, type Line, type List, lists, type Resource, type ServiceLevel, type Terms } from './terms';

/** What the rules need to know, and no more. Plain JSON, so it is also the read model. `Told`: which event says so. */
export type OrganizationDraft = {
  /** Empty until it was founded. */
  name: string;
  founded: Told;
  closed: ({ reason: string } & Told) | null;
  plans: Record<Line, News<Plan>[]>;
  purchases: Record<string, News<Purchase>[]>;
  serviceLevel: { level: ServiceLevel } & Told;
  /** As it was last set by hand; null: never. */
  product: ({ enabled: boolean } & Told) | null;
  parallelUse: boolean | null;
  limitsByHand: { [resource in Resource]?: { amount: number } & Told };
  override: ({ reason: string; until: Moment | null } & Told) | null;
  members: Record<string, Member>;
  sites: Record<string, Site>;
  qualityAssurance: Record<string, Domain>;
  webAnalytics: Record<string, Domain>;
  /** How many there are in each list. Kept, because counting takes as long as the list, and every addition asks. */
  sizes: Record<List, number>;
  billingAccount: { provider: string; customer: string } | null;
  singleSignOn: { issuer: string; clientId: string } | null;
  traffic: Record<Month, number>;
};
export type Organization = Immutable<OrganizationDraft>;

export type Plan = { plan: string; terms: Terms };
export type Purchase = { addOn: string; quantity: number; grants: Grants };
export type Member = { role: Role; productUser: boolean } & Told;
export type Site = { hostname: string; name: string; features: SiteFeatures } & Told;
export type Domain = { hostname: string } & Told;

/** Before anything happened. Records have no prototype names to trip over: keys are checked by their schemas. */
export const initial = (): OrganizationDraft => ({
  name: '',
  founded: never,
  closed: null,
  plans: { first: [], second: [] },
  purchases: {},
  serviceLevel: { level: 'none', ...never },
  product: null,
  parallelUse: null,
  limitsByHand: {},
  override: null,
  members: {},
  sites: {},
  qualityAssurance: {},
  webAnalytics: {},
  sizes: each(lists, () => 0),
  billingAccount: null,
  singleSignOn: null,
  traffic: {},
});
const never: Told = { event: -1, at: '' };

/** Writes one fact down. Facts are not up for debate: nothing in here refuses, and nothing in here looks anything up. */
export function evolve(
  draft: OrganizationDraft,
  { type, data }: OrganizationEvent,
  telling: Telling,
): OrganizationDraft {
  const told: Told = { event: telling.event, at: telling.at };
  switch (type) {
    case 'OrganizationFounded':
      draft.name = data.name;
      draft.founded = told;
      return draft;
    case 'OrganizationRenamed':
      draft.name = data.name;
      return draft;
    case 'OrganizationClosed':
      draft.closed = { reason: data.reason, ...told };
      return draft;
    case 'OrganizationReopened':
      draft.closed = null;
      return draft;
    case 'PlanAssigned':
      draft.plans[data.line] = heard(
        draft.plans[data.line],
        news(data, telling, { plan: data.plan, terms: data.terms }),
      );
      return draft;
    case 'PlanEnded':
      draft.plans[data.line] = heard(draft.plans[data.line], news(data, telling, null));
      return draft;
    case 'AddOnPurchased': {
      const { purchase, addOn, quantity, grants } = data;
      draft.purchases[purchase] = heard(newsOf(draft, purchase), news(data, telling, { addOn, quantity, grants }));
      return draft;
    }
    case 'AddOnCancelled':
      draft.purchases[data.purchase] = heard(newsOf(draft, data.purchase), news(data, telling, null));
      return draft;
    case 'ServiceLevelAssigned':
      draft.serviceLevel = { level: data.serviceLevel, ...told };
      return draft;
    case 'ProductEnabled':
    case 'ProductDisabled':
      draft.product = { enabled: type === 'ProductEnabled', ...told };
      return draft;
    case 'ParallelUseChanged':
      draft.parallelUse = data.parallelUse;
      return draft;
    case 'LimitsConfigured':
      for (const [resource, amount] of Object.entries(data.limits) as [Resource, number | null][]) {
        if (amount === null) delete draft.limitsByHand[resource];
        else draft.limitsByHand[resource] = { amount, ...told };
      }
      return draft;
    case 'HardLimitsOverridden':
      draft.override = { reason: data.reason, until: data.until ?? null, ...told };
      return draft;
    case 'HardLimitsRestored':
      draft.override = null;
      return draft;
    case 'MemberAdded':
      put(draft, 'members', data.member, { role: data.role, productUser: false, ...told });
      return draft;
    case 'MemberRoleChanged':
      draft.members[data.member]!.role = data.role;
      return draft;
    case 'MemberRemoved':
      drop(draft, 'members', data.member);
      return draft;
    case 'ProductUserFlagged':
    case 'ProductUserUnflagged':
      draft.members[data.member]!.productUser = type === 'ProductUserFlagged';
      return draft;
    case 'SiteAdded':
      put(draft, 'sites', data.site, { hostname: data.hostname, name: data.name, features: {}, ...told });
      return draft;
    case 'SiteRenamed':
      draft.sites[data.site]!.name = data.name;
      return draft;
    case 'SiteFeaturesChanged':
      draft.sites[data.site]!.features = { ...data.features };
      return draft;
    case 'SiteRemoved':
      drop(draft, 'sites', data.site);
      return draft;
    case 'QualityAssuranceDomainAdded':
    case 'WebAnalyticsDomainAdded':
      put(draft, listOf(type), data.domain, { hostname: data.hostname, ...told });
      return draft;
    case 'QualityAssuranceDomainRemoved':
    case 'WebAnalyticsDomainRemoved':
      drop(draft, listOf(type), data.domain);
      return draft;
    case 'BillingAccountLinked':
      draft.billingAccount = { provider: data.provider, customer: data.customer };
      return draft;
    case 'SingleSignOnConfigured':
      draft.singleSignOn = { issuer: data.issuer, clientId: data.clientId };
      return draft;
    case 'SingleSignOnRemoved':
      draft.singleSignOn = null;
      return draft;
    case 'TrafficReported':
      draft.traffic[data.month] = data.views;
      return draft;
  }
}

function put<L extends List>(draft: OrganizationDraft, list: L, id: string, entry: OrganizationDraft[L][string]) {
  if (!Object.hasOwn(draft[list], id)) draft.sizes[list] += 1;
  draft[list][id] = entry;
}

function drop(draft: OrganizationDraft, list: List, id: string) {
  if (Object.hasOwn(draft[list], id)) draft.sizes[list] -= 1;
  delete draft[list][id];
}

const news = <What>(
  { effectiveAt, subscription }: { effectiveAt: Moment; subscription?: string },
  { event, at, message }: Telling,
  what: What | null,
): News<What> => ({ event, at, effectiveAt, subscription: subscription ?? null, message: message ?? null, what });

/** What was said of a purchase. Its id is foreign text: only own entries count, never what an object inherits. */
export const newsOf = <Item>(
  { purchases }: { purchases: Readonly<Record<string, readonly Item[]>> },
  purchase: string,
) => (Object.hasOwn(purchases, purchase) ? purchases[purchase]! : []);

/** An organization keeps one owner once it has had one (`decisions.md`, Who may do what). */
export const isLastOwner = (member: string, { members }: Organization): boolean =>
  members[member]?.role === 'owner' && Object.values(members).filter(({ role }) => role === 'owner').length === 1;

/** Two entries of one list may not have the same hostname (`decisions.md` 16). */
export const hasHostname = (
  list: Organization['sites'] | Organization['qualityAssurance'],
  hostname: string,
): boolean => Object.values(list).some((entry) => entry.hostname === hostname);

const listOf = (type: `${'QualityAssurance' | 'WebAnalytics'}Domain${string}`): DomainList =>
  type.startsWith('QualityAssurance') ? 'qualityAssurance' : 'webAnalytics';
