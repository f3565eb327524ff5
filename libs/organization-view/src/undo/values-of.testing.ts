import { countingPlans, heldPlans, type Organization, purchasesInForce } from '@charter/organization';
import { pointerOf } from '../differences/json-pointer';

/** Each value of an organization by its path, without the events and moments behind it. */
export function valuesOf(organization: Organization): ReadonlyMap<string, unknown> {
  const values: Record<string, unknown> = {
    '/name': organization.name,
    '/closed': organization.closed?.reason ?? null,
    '/serviceLevel': organization.serviceLevel.level,
    '/pulse': organization.product?.enabled ?? null,
    '/pulseDetails/parallelUse': organization.parallelUse,
    '/limits/override': organization.override && [organization.override.reason, organization.override.until],
    '/billing': organization.billingAccount,
    '/singleSignOn': organization.singleSignOn,
  };
  for (const { line, plan, terms } of heldPlans(organization)) values[pointerOf(['plans', line])] = [plan, terms];
  for (const { purchase, addOn, quantity, grants } of purchasesInForce(organization))
    values[pointerOf(['addOns', purchase])] = [addOn, quantity, grants];
  for (const [resource, { amount }] of Object.entries(organization.limitsByHand))
    values[`/limits/${resource}`] = amount;
  for (const [month, views] of Object.entries(organization.traffic)) values[`/traffic/${month}`] = views;
  for (const [id, { role, productUser }] of Object.entries(organization.members))
    Object.assign(values, { [`/members/${id}/role`]: role, [`/members/${id}/pulseUser`]: productUser });
  for (const [id, { hostname, name, features }] of Object.entries(organization.sites)) {
    Object.assign(values, { [`/sites/${id}/hostname`]: hostname, [`/sites/${id}/name`]: name });
    for (const [feature, isOn] of Object.entries(features)) values[`/sites/${id}/features/${feature}`] = isOn;
  }
  for (const list of ['qualityAssurance', 'webAnalytics'] as const)
    for (const [id, { hostname }] of Object.entries(organization[list])) values[`/${list}/domains/${id}`] = hostname;
  return new Map(Object.entries(values));
}

/** The plans whose limits count, with their terms. */
export const termsCounted = (organization: Organization) =>
  countingPlans(organization).map(({ line, plan, terms }) => [line, plan, terms]);
