import type { CommandContext } from '@charter/decider';
import fc from 'fast-check';
import type { z } from 'zod';
import type { CommandType, OrganizationCommand } from '../commands';
import { each, keysOf } from '../each';
import type { everyCommand } from './every-command.testing';
import { ProductLine, resourcesByHand, ServiceLevel, SiteFeature, type Terms } from '../terms';
import { ada, as, billing, blog, bob, catalogue, cyd, operator, shop, withKey } from './organization.testing';

/** Only a few values of each kind, so that several commands of a history often concern the same entry. */
const member = fc.constantFrom(ada, bob, cyd);
const site = fc.constantFrom(shop, blog);
const domain = fc.constantFrom(shop, blog, ada);
const hostname = fc.constantFrom('shop.test', 'blog.test', 'xn--mnchen-3ya.de');
const name = fc.constantFrom('Acme', 'Acme & Sons', 'Café');
const reason = fc.constantFrom('a favour', 'a promise');
const role = fc.constantFrom('owner', 'admin', 'member');
const purchase = fc.constantFrom('p-1', 'p-2', 'constructor');
const subscription = fc.constantFrom('s-1', 's-2');
const moment = fc.integer({ min: 0, max: 40 }).map((hours) => momentAfter(hours));
const amount = fc.constantFrom(0, 1, 2, 5, null);
const termsOf = fc.record({ termsOf: fc.integer({ min: 0, max: 9 }) });
const limits = fc.record({ users: fc.integer({ min: 1, max: 3 }) }, { requiredKeys: [], noNullPrototype: true });
const solo = structuredClone(catalogue.terms('second', 'solo')) as z.infer<typeof Terms>;
/** Terms and grants that no catalogue sells. */
const ownTerms = fc
  .record({ limits, trafficPerMonth: fc.constantFrom(0, 7) })
  .map((own) => ({ ...solo, ...own, hardLimits: {} }));
const features = fc.subarray(['feedback', 'qualityAssurance'] as const);
const ownGrants = fc.record({ limits, features }, { noNullPrototype: true });

/** Random data that the schemas of commands accept. If a type is missing, this file does not compile. */
const anyData: { readonly [T in CommandType]: fc.Arbitrary<(typeof everyCommand)[T]> } = {
  FoundOrganization: given({ name }, { owner: member }),
  RenameOrganization: given({ name }),
  CloseOrganization: given({ reason }),
  ReopenOrganization: given({ reason }),
  AssignPlan: given(
    {
      line: fc.constantFrom(...ProductLine.options),
      plan: fc.constantFrom('solo', 'teams', 'essential', 'professional', 'gone'),
    },
    {
      terms: fc.oneof(
        { weight: 5, arbitrary: fc.constant('today' as const) },
        { weight: 2, arbitrary: ownTerms },
        { weight: 1, arbitrary: termsOf },
      ),
      effectiveAt: moment,
      subscription,
    },
  ),
  EndPlan: given({ line: fc.constantFrom(...ProductLine.options) }, { effectiveAt: moment, subscription }),
  PurchaseAddOn: given(
    {
      addOn: fc.constantFrom('additionalUser', 'additionalContentSection', 'qualityAssurance', 'webAnalytics', 'gone'),
      quantity: fc.integer({ min: 1, max: 3 }),
      purchase,
    },
    {
      grants: fc.oneof({ weight: 3, arbitrary: ownGrants }, { weight: 1, arbitrary: termsOf }),
      effectiveAt: moment,
      subscription,
    },
  ),
  ChangeQuantity: given({ purchase, quantity: fc.integer({ min: 1, max: 3 }) }),
  CancelAddOn: given({ purchase }, { effectiveAt: moment, subscription }),
  AssignServiceLevel: given({ serviceLevel: fc.constantFrom(...ServiceLevel.options) }),
  EnableProduct: given({}),
  DisableProduct: given({}),
  ChangeParallelUse: given({ parallelUse: fc.constantFrom(true, false, null) }),
  ConfigureLimits: given(
    { users: amount },
    each(resourcesByHand, () => amount),
  ),
  OverrideHardLimits: given({ reason }, { until: moment }),
  RestoreHardLimits: given({ reason }),
  AddMember: given({ member, role }),
  ChangeRole: given({ member, role }),
  RemoveMember: given({ member }),
  FlagProductUser: given({ member }),
  UnflagProductUser: given({ member }),
  AddSite: given({ site, hostname }, { name }),
  RenameSite: given({ site, name }),
  ChangeSiteFeatures: given({
    site,
    features: fc.dictionary(fc.constantFrom(...SiteFeature.options), fc.constantFrom(true, false, null), {
      maxKeys: 3,
    }),
  }),
  RemoveSite: given({ site }),
  AddQualityAssuranceDomain: given({ domain, hostname }),
  RemoveQualityAssuranceDomain: given({ domain }),
  AddWebAnalyticsDomain: given({ domain, hostname }),
  RemoveWebAnalyticsDomain: given({ domain }),
  ReportTraffic: given({
    month: fc.constantFrom('2026-10', '2026-11', '2026-12'),
    views: fc.integer({ min: 0, max: 3 }),
  }),
  LinkBillingAccount: given({ provider: fc.constant('stripe'), customer: fc.constantFrom('cus_1', 'cus_2') }),
  ConfigureSingleSignOn: given({
    issuer: fc.constant('https://login.acme.test'),
    clientId: fc.constantFrom('charter', 'other'),
  }),
  RemoveSingleSignOn: given({}),
  ClaimEmailDomain: given({ domain: hostname }),
  ProveEmailDomain: given({ domain: hostname }),
  LoseEmailDomain: given({ domain: hostname }),
  ReleaseEmailDomain: given({ domain: hostname }),
  ChangeEmailDomainSettings: given({ domain: hostname }, { automaticMembership: fc.boolean(), managed: fc.boolean() }),
};

/**
 * The relative frequency of each command. Additions and sales are most frequent, and reopening is more frequent than
 * closing, so that histories are long and reach limits.
 */
const weights: { readonly [T in CommandType]?: number } = {
  AddMember: 8,
  AddSite: 5,
  AddQualityAssuranceDomain: 8,
  AddWebAnalyticsDomain: 3,
  AssignPlan: 8,
  EndPlan: 3,
  PurchaseAddOn: 8,
  ReopenOrganization: 4,
};
export const anyCommand: fc.Arbitrary<OrganizationCommand> = fc.oneof(
  ...keysOf(anyData).map((type) => ({
    weight: weights[type] ?? 2,
    // The cast is correct, because `anyData` pairs each type with the data of that type.
    arbitrary: anyData[type].map((data) => ({ type, data }) as OrganizationCommand),
  })),
);

/** Mostly an actor with permission; sometimes a member, an API key, billing, or a caller without a role. */
export const anyAsker: fc.Arbitrary<Omit<CommandContext, 'at'>> = fc.oneof(
  { weight: 12, arbitrary: fc.constant({ actor: operator }) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 99 }).map((number) => billing(`m-${number}`)) },
  { weight: 3, arbitrary: member.map((id) => as(id)) },
  { weight: 2, arbitrary: fc.constantFrom('organizations:write', 'audit:read').map((scope) => withKey(scope)) },
  { weight: 1, arbitrary: fc.constant(as('dddddddd-0000-4000-8000-000000000009')) },
);

/** The moment that is the given number of hours and minutes after the start of the generated histories. */
export const momentAfter = (hours: number, minutes = 0): string =>
  new Date(Date.UTC(2026, 10, 1, hours, minutes)).toISOString();

function given<Always extends object, Sometimes extends object = object>(
  always: { [Field in keyof Always]: fc.Arbitrary<Always[Field]> },
  sometimes?: { [Field in keyof Sometimes]: fc.Arbitrary<Sometimes[Field]> },
): fc.Arbitrary<Always & Partial<Sometimes>> {
  const fields = { ...always, ...sometimes } as Record<string, fc.Arbitrary<unknown>>;
  return fc.record(fields, { requiredKeys: Object.keys(always) }) as unknown as fc.Arbitrary<
    Always & Partial<Sometimes>
  >; // only the fields of `always` are required
}
