import {
  entitlementsOf,
  finiteOrNull,
  saleInForce,
  type Organization,
  type Plan,
  productEnabled,
  purchasesInForce,
  siteDefaultsOf,
  siteFeaturesOf,
  unicodeOf,
} from '@charter/organization';
import type { OrganizationQuery } from './organization-query';

/**
 * The specification's organization (§3), with what we add to it. The only code that knows what the second product line
 * is called outside: `product` is the key, such as `pulse`.
 */
export const publicDocument =
  (id: string, product: string): OrganizationQuery<object> =>
  ({ state }, at) => {
    const { limits, features, override } = entitlementsOf(state, at);
    const plans = plansOf(state);
    return {
      _id: id,
      name: state.name,
      closed: state.closed !== null,
      plans,
      [product]: productEnabled(state),
      [`${product}Details`]: { plan: plans.second?.plan ?? null, parallelUse: state.parallelUse },
      [`${product}Features`]: Object.fromEntries(Object.entries(features).map(([name, { on }]) => [name, on])),
      limits: {
        ...Object.fromEntries(Object.entries(limits).map(([name, { configured }]) => [name, finiteOrNull(configured)])),
        override,
      },
      members: Object.entries(state.members).map(([member, { role, productUser }]) => ({
        _id: member,
        role,
        [`${product}User`]: productUser,
      })),
      sites: sitesOf(state),
      qualityAssurance: { domains: domainsOf(state.qualityAssurance) },
      webAnalytics: { domains: domainsOf(state.webAnalytics) },
      serviceLevel: state.serviceLevel.level,
      addOns: purchasesInForce(state).map(({ purchase, addOn, quantity }) => ({ purchase, addOn, quantity })),
    };
  };

/** The plan of each line, as lists and documents show it. */
export const plansOf = ({ plans }: Organization) => ({ first: planOf(plans.first), second: planOf(plans.second) });

const planOf = (news: Organization['plans']['first']) => {
  const held = saleInForce<Plan>(news);
  return held ? { plan: held.what.plan, effectiveAt: held.effectiveAt } : null;
};

const sitesOf = (state: Organization) =>
  Object.entries(state.sites).map(([site, { hostname, name }]) => ({
    _id: site,
    hostname,
    unicode: unicodeOf(hostname),
    name,
    features: siteFeaturesOf(site, state),
    ...siteDefaultsOf(state),
  }));

const domainsOf = (list: Organization['qualityAssurance']) =>
  Object.entries(list).map(([domain, { hostname }]) => ({ _id: domain, hostname, unicode: unicodeOf(hostname) }));

/**
 * Who the second line notifies: everyone, or in parallel use only the flagged ones; nobody while the product is off
 * (`specification.md` §6, `decisions.md` 15).
 */
export const recipients =
  (organization: string): OrganizationQuery<object> =>
  ({ state, revision, at }) => ({ organization, revision, at, recipients: recipientsOf(state) });

const recipientsOf = (state: Organization): readonly string[] =>
  productEnabled(state) && state.closed === null
    ? Object.entries(state.members)
        .filter(([, { productUser }]) => state.parallelUse !== true || productUser)
        .map(([member]) => member)
    : [];
