import type { EventRef, Folded, Immutable, Moment } from '@charter/decider';
import {
  type DomainList,
  domainLists,
  each,
  type Entitlements,
  entitlementsOf,
  Feature,
  finiteOrNull,
  heldPlans,
  type Organization,
  productEnabled,
  purchasesInForce,
  siteDefaultsOf,
  Resource,
  ServiceLevel,
  SiteFeature,
  siteFeaturesOf,
  unicodeOf,
  type List,
  type ListEntries,
  listEntries,
  lists,
  MemberRole,
} from '@charter/organization';
import { z } from 'zod';
import { Amount, At, Revision, Since } from './answer-fields';
import type { OrganizationQuery } from './organization-query';

const HeldPlanAnswer = z.strictObject({ plan: z.string(), effectiveAt: At }).meta({ id: 'HeldPlan' });
export const PlansAnswer = z
  .strictObject({ first: HeldPlanAnswer.nullable(), second: HeldPlanAnswer.nullable() })
  .meta({ id: 'Plans' });

const Hostname = { hostname: z.string(), unicode: z.string() };
/**
 * The lists that have a special form in the document. The document prints the entries of all other lists with their
 * stored fields.
 */
const printedLists = ['members', 'sites', ...domainLists] as const satisfies readonly List[];
type PlainList = Exclude<List, (typeof printedLists)[number]>;
const plainLists = lists.filter((list): list is PlainList => !(printedLists as readonly List[]).includes(list));

const shapeOf = (list: List) => listEntries[list].shape;

const Domains = z.strictObject({ domains: z.array(z.strictObject({ _id: z.guid(), ...Hostname, since: Since })) });
const memberFields = { _id: z.guid(), role: MemberRole, since: Since, roleSince: Since };
/** The fields of a site that are the same in every answer; only the form of its features differs. */
export const siteFields = {
  _id: z.guid(),
  ...Hostname,
  name: z.string(),
  report: z.strictObject({ weekly: z.boolean(), monthly: z.boolean() }),
  live: z.boolean(),
  since: Since,
};
/** A site in the form that lists show: each feature is true or false. */
export const listedSite = z.strictObject({
  ...siteFields,
  features: z.strictObject(each(SiteFeature.options, () => z.boolean())),
});
const documentFields = {
  _id: z.guid(),
  revision: Revision,
  at: At,
  name: z.string(),
  founded: Since,
  closed: z.boolean(),
  closure: z.strictObject({ reason: z.string(), ...Since.shape }).nullable(),
  plans: PlansAnswer,
  limits: z.strictObject({ ...each(Resource.options, () => Amount), override: z.boolean() }),
  sites: z.array(listedSite),
  ...each(domainLists, () => Domains),
  ...each(plainLists, (list) => z.array(z.strictObject({ _id: z.guid(), ...shapeOf(list), since: Since }))),
  serviceLevel: ServiceLevel,
  addOns: z.array(
    z.strictObject({
      ...{ purchase: z.string(), addOn: z.string(), quantity: z.int().min(1) },
      ...{ effectiveAt: At, since: Since },
    }),
  ),
  since: z
    .strictObject({
      plans: z.strictObject({ first: Since.nullable(), second: Since.nullable() }),
      serviceLevel: Since,
    })
    .meta({ description: 'The events that set the current plans and service level; null without a plan' }),
};

/**
 * The names of the document's fields that do not depend on the product key. The product key must not equal the name of
 * a fixed field.
 */
export const publicDocumentFields: ReadonlySet<string> = new Set(['members', ...Object.keys(documentFields)]);

const exampleDocument = (product: string) => ({
  ...{ _id: ORGANIZATION, revision: 4, at: '2026-11-03T00:00:00.000Z' },
  ...{ name: 'Acme', founded: exampleSince, closed: false, closure: null },
  plans: { first: null, second: { plan: 'solo', effectiveAt: '2026-11-01T00:00:00.000Z' } },
  [product]: true,
  [`${product}Details`]: { plan: 'solo', parallelUse: null },
  [`${product}Features`]: each(Feature.options, (feature) => feature === 'feedback'),
  limits: { ...each(Resource.options, () => 1), override: false },
  members: [{ _id: MEMBER, role: 'owner', [`${product}User`]: false, since: exampleSince, roleSince: exampleSince }],
  sites: [],
  qualityAssurance: {
    domains: [{ _id: MEMBER, hostname: 'qa.example.com', unicode: 'qa.example.com', since: exampleSince }],
  },
  webAnalytics: { domains: [] },
  ...each(plainLists, () => []),
  serviceLevel: 'none',
  addOns: [
    {
      ...{ purchase: 'p-1', addOn: 'additionalUser', quantity: 3 },
      ...{ effectiveAt: '2026-11-01T00:00:00.000Z', since: exampleSince },
    },
  ],
  since: { plans: { first: null, second: exampleSince }, serviceLevel: exampleSince },
});
const exampleSince = { event: 0, at: '2026-11-01T00:00:00.000Z' };
const ORGANIZATION = '7d3f6f3e-7f4b-4b53-8a53-0f6a1f2b7c90';
const MEMBER = '0b9bd1c5-2d0e-4f8c-9a51-3f3a0c9a7e11';

/**
 * The answer of `GET /api/v1/organizations/:id`.
 * @param product the key of the second product line, for example `pulse`
 */
export const publicDocumentSchema = (product: string) =>
  z
    .strictObject({
      ...documentFields,
      members: z.array(z.strictObject({ ...memberFields, [`${product}User`]: z.boolean() })),
      [product]: z.boolean(),
      [`${product}Details`]: z.strictObject({ plan: z.string().nullable(), parallelUse: z.boolean().nullable() }),
      [`${product}Features`]: z.strictObject(each(Feature.options, () => z.boolean())),
    })
    .meta({ id: 'OrganizationDocument', examples: [exampleDocument(product)] });
/**
 * The type contains only the fields with fixed names. The schema also checks the fields whose names contain the product
 * key.
 */
export type PublicDocument = Immutable<
  z.infer<z.ZodObject<typeof documentFields>> & {
    members: (z.infer<z.ZodObject<typeof memberFields>> & Record<string, unknown>)[];
  }
> &
  Readonly<Record<string, unknown>>;

/** The answer of `GET /api/v1/organizations/:id/notification-recipients`. */
export const RecipientsAnswer = z
  .strictObject({ organization: z.guid(), revision: Revision, at: At, recipients: z.array(z.guid()) })
  .meta({
    id: 'NotificationRecipients',
    examples: [{ organization: ORGANIZATION, revision: 4, at: '2026-11-21T10:00:00.000Z', recipients: [MEMBER] }],
  });
export type RecipientsAnswer = Immutable<z.infer<typeof RecipientsAnswer>>;

/**
 * The organization in the specification's form (§3), with Charter's additions. The document names the second product
 * line by its public key `product`, for example `pulse`.
 */
export const publicDocument =
  (id: string, product: string): OrganizationQuery<PublicDocument> =>
  (organization, at) =>
    printedDocument(id, product, organization, at, (list) => Object.keys(organization.state[list]));

/**
 * The public document with only some entries of its lists.
 * @param idsOf returns the ids of the entries of a list that the document prints
 * @param entitlements the entitlements at this moment, if the caller has already computed them
 */
export function printedDocument(
  id: string,
  product: string,
  { state, revision, at: recordedAt }: Folded<Organization>,
  at: Moment,
  idsOf: (list: List) => readonly string[],
  { limits, features, override }: Entitlements = entitlementsOf(state, at),
): PublicDocument {
  const plans = plansOf(state);
  return {
    _id: id,
    revision,
    at: recordedAt,
    name: state.name,
    founded: refOf(state.founded),
    closed: state.closed !== null,
    closure: state.closed && { reason: state.closed.reason, ...refOf(state.closed) },
    plans,
    [product]: productEnabled(state),
    [`${product}Details`]: { plan: plans.second?.plan ?? null, parallelUse: state.parallelUse },
    [`${product}Features`]: each(Feature.options, (feature) => features[feature].on),
    limits: {
      ...each(Resource.options, (resource) => finiteOrNull(limits[resource].configured)),
      override,
    },
    members: idsOf('members').map((member) => memberOf(member, product, state)),
    sites: sitesOf(state, idsOf('sites')),
    ...each(domainLists, (list) => ({ domains: domainsOf(state[list], idsOf(list)) })),
    ...each(plainLists, (list) => entriesOf(state, list, idsOf(list))),
    serviceLevel: state.serviceLevel.level,
    addOns: purchasesInForce(state).map(({ purchase, addOn, quantity, effectiveAt, ...since }) => ({
      ...{ purchase, addOn, quantity, effectiveAt },
      since: refOf(since),
    })),
    since: { plans: plansSince(state), serviceLevel: serviceLevelSince(state) },
  };
}

/** The plan of each product line in the form that lists and documents show. */
export function plansOf(state: Organization) {
  const held = new Map(heldPlans(state).map(({ line, plan, effectiveAt }) => [line, { plan, effectiveAt }] as const));
  return { first: held.get('first') ?? null, second: held.get('second') ?? null };
}

function plansSince(state: Organization) {
  const held = new Map(heldPlans(state).map((plan) => [plan.line, refOf(plan)] as const));
  return { first: held.get('first') ?? null, second: held.get('second') ?? null };
}

/** The event that began the service level. A service level that was never assigned is `none` since the founding. */
const serviceLevelSince = ({ serviceLevel, founded }: Organization) =>
  refOf(serviceLevel.event < 0 ? founded : serviceLevel);

const refOf = ({ event, at }: EventRef) => ({ event, at });

const memberOf = (member: string, product: string, { members }: Organization) => ({
  _id: member,
  role: members[member]!.role,
  [`${product}User`]: members[member]!.productUser,
  ...memberSince(members[member]!),
});

/** The event that added a member, and the event that gave the member the role. */
export const memberSince = ({ roleSince, ...added }: Organization['members'][string]) => ({
  since: refOf(added),
  roleSince: refOf(roleSince ?? added),
});

function sitesOf(state: Organization, ids: readonly string[]) {
  const defaults = siteDefaultsOf(state);
  return ids.map((site) => ({ ...siteOf(site, state), features: siteFeaturesOf(site, state), ...defaults }));
}

/** The fields of a site that do not depend on a plan: all except its features, `report` and `live`. */
export function siteOf(site: string, { sites }: Organization) {
  const { hostname, name, ...added } = sites[site]!;
  return { _id: site, hostname, unicode: unicodeOf(hostname), name, since: refOf(added) };
}

const entriesOf = <L extends List>(state: Organization, list: L, ids: readonly string[]) =>
  ids.map((id) => ({ _id: id, ...fieldsOf(list, state[list][id]!), since: refOf(state[list][id] as EventRef) }));

/** The fields of an entry without the reference to its event. */
const fieldsOf = <L extends List>(list: L, entry: object) =>
  Object.fromEntries(Object.entries(entry).filter(([field]) => field in shapeOf(list))) as ListEntries[L];

const domainsOf = (list: Organization[DomainList], ids: readonly string[]) =>
  ids.map((domain) => {
    const { hostname, ...added } = list[domain]!;
    return { _id: domain, hostname, unicode: unicodeOf(hostname), since: refOf(added) };
  });

/**
 * The members who get notifications of the second product line: all members or, in parallel use, the flagged members.
 * While the product is off, no member gets notifications (`specification.md` §6, `decisions.md` 15).
 */
export const recipients =
  (organization: string): OrganizationQuery<RecipientsAnswer> =>
  ({ state, revision, at }) => ({ organization, revision, at, recipients: recipientsOf(state) });

const recipientsOf = (state: Organization): readonly string[] =>
  Object.keys(state.members).filter((member) => isRecipient(member, state));

/** Whether the member gets notifications of the second product line. */
export const isRecipient = (member: string, state: Organization): boolean =>
  productEnabled(state) && state.closed === null && (state.parallelUse !== true || state.members[member]!.productUser);
