import {
  changedPart,
  type Domain,
  inForce,
  type Member,
  type Organization,
  type OrganizationEvent,
  type Plan,
  type Purchase,
  type Site,
} from '@charter/organization';

/**
 * What is recorded of an organization, as differences show it: each thing under its own id, so that a path names the same
 * thing at both ends, and without what only the fold needs. `null`: nothing is set or sold.
 */
export type RecordedState = Readonly<Record<string, unknown>>;

/** One thing in it that an event speaks of: `['plans', 'second']`, `['members', id]`, `['name']`. */
export type Part = readonly [section: string, key?: string];

type Shown<Item> = (item: Item) => unknown;

const single: Readonly<Record<string, Shown<Organization>>> = {
  name: ({ name }) => name,
  closed: ({ closed }) => closed && { reason: closed.reason },
  serviceLevel: ({ serviceLevel }) => serviceLevel.level,
  product: ({ product }) => product && { enabled: product.enabled },
  parallelUse: ({ parallelUse }) => parallelUse,
  limitsByHand: ({ limitsByHand }) =>
    Object.fromEntries(Object.entries(limitsByHand).map(([resource, { amount }]) => [resource, amount])),
  override: ({ override }) => override && { reason: override.reason, until: override.until },
  billingAccount: ({ billingAccount }) => billingAccount,
  singleSignOn: ({ singleSignOn }) => singleSignOn,
};

type Keyed = Readonly<{ of: (organization: Organization) => Readonly<Record<string, unknown>>; show: Shown<never> }>;
const keyedBy = <Item>(
  of: (organization: Organization) => Readonly<Record<string, Item>>,
  show: Shown<Item>,
): Keyed => ({
  of,
  show,
});

/** What `show` answers with undefined is not there. */
const keyed: Readonly<Record<string, Keyed>> = {
  plans: keyedBy(
    ({ plans }) => plans,
    (news) => sold(inForce<Plan>(news)) ?? null,
  ),
  addOns: keyedBy(
    ({ purchases }) => purchases,
    (news) => sold(inForce<Purchase>(news)),
  ),
  members: keyedBy(
    ({ members }) => members,
    ({ role, productUser }: Member) => ({ role, productUser }),
  ),
  sites: keyedBy(
    ({ sites }) => sites,
    ({ hostname, name, features }: Site) => ({ hostname, name, features }),
  ),
  qualityAssurance: keyedBy(({ qualityAssurance }) => qualityAssurance, hostnameOf),
  webAnalytics: keyedBy(({ webAnalytics }) => webAnalytics, hostnameOf),
  traffic: keyedBy(
    ({ traffic }) => traffic,
    (views) => views,
  ),
};

function hostnameOf({ hostname }: Domain) {
  return { hostname };
}

const sold = (news: ReturnType<typeof inForce<Plan | Purchase>>) =>
  news && { ...news.what, effectiveAt: news.effectiveAt, subscription: news.subscription };

/** All of it. */
export const recordedState = (organization: Organization): RecordedState => ({
  ...Object.fromEntries(Object.entries(single).map(([section, show]) => [section, show(organization)])),
  ...Object.fromEntries(
    Object.entries(keyed).map(([section, { of }]) => [
      section,
      Object.fromEntries(
        Object.keys(of(organization)).flatMap((key) => {
          const shown = partOf(organization, [section, key]);
          return shown === undefined ? [] : [[key, shown]];
        }),
      ),
    ]),
  ),
});

/** One part of it; undefined: it is not there. */
export function partOf(organization: Organization, [section, key]: Part): unknown {
  if (key === undefined) return single[section]!(organization);
  const { of, show } = keyed[section]!;
  const items = of(organization);
  return Object.hasOwn(items, key) ? show(items[key] as never) : undefined;
}

/** The one part that an event may change. */
export function partSpokenOf(event: OrganizationEvent): Part {
  const [field, key] = changedPart(event);
  const section = field === 'purchases' ? 'addOns' : field;
  return key === undefined ? [section] : [section, key];
}
