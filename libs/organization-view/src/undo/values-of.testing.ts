import {
  countingPlans,
  heldPlans,
  heldSales,
  listEntries,
  lists,
  type Organization,
  type Plan,
  type ProductLine,
  purchasesInForce,
} from '@charter/organization';
import { pointerOf } from '../differences/json-pointer';
import { listPath } from '../steps/keyed-document';
import { subjectOf } from '../steps/subject';

/** The fields whose values have a separate form below, and the fields without values of their own. */
const otherFields: ReadonlySet<string> = new Set([
  ...['closed', 'serviceLevel', 'product', 'parallelUse', 'override', 'plans', 'purchases', 'limitsByHand', 'traffic'],
  ...['founded', 'sizes', 'reports', 'emailDomains', ...lists],
]);

/** Each value of an organization by its path, without the events and moments behind it. */
export function valuesOf(organization: Organization): ReadonlyMap<string, unknown> {
  const values: Record<string, unknown> = {
    '/closed': organization.closed?.reason ?? null,
    '/serviceLevel': organization.serviceLevel.level,
    '/pulse': organization.product?.enabled ?? null,
    '/pulseDetails/parallelUse': organization.parallelUse,
    '/limits/override': organization.override && [organization.override.reason, organization.override.until],
  };
  for (const [field, value] of Object.entries(organization))
    if (!otherFields.has(field)) values[pointerOf(subjectOf([field as keyof Organization]))] = value;
  for (const { line, plan, terms } of heldPlans(organization)) values[pointerOf(['plans', line])] = [plan, terms];
  for (const { purchase, addOn, quantity, grants } of purchasesInForce(organization))
    values[pointerOf(['addOns', purchase])] = [addOn, quantity, grants];
  for (const [resource, { amount }] of Object.entries(organization.limitsByHand))
    values[`/limits/${resource}`] = amount;
  for (const [domain, { proven, automaticMembership, managed }] of Object.entries(organization.emailDomains))
    values[pointerOf(['emailDomains', domain])] = [proven, automaticMembership, managed];
  for (const [month, views] of Object.entries(organization.traffic)) values[`/traffic/${month}`] = views;
  for (const [id, { role, productUser }] of Object.entries(organization.members))
    Object.assign(values, { [`/members/${id}/role`]: role, [`/members/${id}/pulseUser`]: productUser });
  for (const [id, { hostname, name, features }] of Object.entries(organization.sites)) {
    Object.assign(values, { [`/sites/${id}/hostname`]: hostname, [`/sites/${id}/name`]: name });
    for (const [feature, isOn] of Object.entries(features)) values[`/sites/${id}/features/${feature}`] = isOn;
  }
  for (const list of lists.filter((name) => name !== 'members' && name !== 'sites'))
    for (const [id, entry] of Object.entries(organization[list]))
      for (const field of Object.keys(listEntries[list].shape))
        values[pointerOf([...listPath(list), id, field])] = entry[field as keyof typeof entry];
  return new Map(Object.entries(values));
}

/** The plans whose limits count, with their terms. */
export const termsCounted = (organization: Organization) =>
  countingPlans(organization).map(({ line, plan, terms }) => [line, plan, terms]);

/**
 * The sales of a product line that have not ended, from old to new, each with its subscription. Successive sales of the
 * same plan with the same terms are in the order of their subscriptions, because their order changes no answer.
 */
export const salesOf = ({ plans }: Organization, line: ProductLine) => {
  const groups: [what: string, sales: (readonly [subscription: string | null, what: unknown])[]][] = [];
  for (const { subscription, what } of heldSales<Plan>(plans[line])) {
    const text = JSON.stringify(what);
    const group = groups.at(-1);
    if (group?.[0] === text) group[1].push([subscription, what]);
    else groups.push([text, [[subscription, what]]]);
  }
  return groups.flatMap(([, sales]) => sales.toSorted(([one], [other]) => (one ?? '').localeCompare(other ?? '')));
};
