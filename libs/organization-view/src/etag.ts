import { createHash } from 'node:crypto';
import type { Folded, Moment } from '@charter/decider';
import {
  each,
  evolve,
  initial,
  type Organization,
  type OrganizationEvent,
  Resource,
  resourcesByHand,
  type Terms,
} from '@charter/organization';
import { entitlement, entitlementKeys, entitlements } from './printed-entitlements';
import { publicDocument, recipients } from './public-document';
import type { OrganizationQuery } from './organization-query';
import { singleSignOn } from './single-sign-on';

/**
 * The ETag of an answer: the revision, which `If-Match` compares, then everything else that the answer depends on.
 * These are the fields that this release prints, an override that ended without its event (`e`), and the moment `valid`
 * (`v…`).
 */
export function tagOf({ revision, state }: Folded<Organization>, at: Moment, valid?: Moment): string {
  const ended = state.override?.until != null && state.override.until <= at;
  const validly = valid === undefined ? '' : `-v${Date.parse(valid)}`;
  return `"${revision}-${printing()}${ended ? '-e' : ''}${validly}"`;
}

/** The ETag in the answer to a write: that of the organization at this revision. */
export const tagAt = (revision: number): string => `"${revision}-${printing()}"`;

/** A short hash of the fields that this release prints. A new field changes it, so no client keeps an older answer. */
export const printing = (): string => (printingHash ??= printingOf(answersOf(exampleOrganization, EXAMPLE_AT)));
let printingHash: string | undefined;

export const printingOf = (answers: readonly object[]): string =>
  createHash('sha256').update(JSON.stringify(answers)).digest('hex').slice(0, 8);

/** The queries whose answers have an ETag, by the names of their functions. */
export const queries = {
  publicDocument: [publicDocument('id', 'product')],
  entitlements: [entitlements('id')],
  entitlement: entitlementKeys.map((key) => entitlement('id', key)),
  recipients: [recipients('id')],
  singleSignOn: [singleSignOn({ callback: 'callback', start: 'start' })],
} satisfies Readonly<Record<string, readonly OrganizationQuery<object>[]>>;

export const answersOf = (organization: Folded<Organization>, at: Moment): readonly object[] =>
  Object.values(queries)
    .flat()
    .map((query) => query(organization, at));

const EXAMPLE_AT: Moment = '2026-01-01T00:00:00.000Z';

const terms: Terms = {
  limits: each(Resource.options, () => 2),
  hardLimits: each(Resource.options, () => 2),
  soldOnlyByAddOn: [],
  trafficPerMonth: 1_000,
  features: ['feedback'],
  siteDefaults: { features: { logo: true }, report: { weekly: true, monthly: true }, live: true },
  organizationDefaults: { features: { multiSite: true } },
  customSetDefaults: { features: { logo: true, integrations: true } },
};
const grants = { limits: each(Resource.options, () => 1), features: ['qualityAssurance'] } as const;
const site = { site: 'site', hostname: 'site.example', name: 'Site' };

/** Events after which the answers print every key that they can print. */
const exampleEvents: readonly OrganizationEvent[] = [
  { type: 'OrganizationFounded', data: { name: 'Example' } },
  { type: 'PlanAssigned', data: { line: 'first', plan: 'professional', terms, effectiveAt: EXAMPLE_AT } },
  { type: 'PlanAssigned', data: { line: 'second', plan: 'teams', terms, effectiveAt: EXAMPLE_AT } },
  {
    type: 'AddOnPurchased',
    data: { purchase: 'purchase', addOn: 'qualityAssurance', quantity: 2, grants, effectiveAt: EXAMPLE_AT },
  },
  { type: 'ServiceLevelAssigned', data: { serviceLevel: 'assisted' } },
  { type: 'ParallelUseChanged', data: { parallelUse: false } },
  { type: 'LimitsConfigured', data: { limits: each(resourcesByHand, () => 3) } },
  { type: 'HardLimitsOverridden', data: { reason: 'a reason' } },
  { type: 'MemberAdded', data: { member: 'member', role: 'owner' } },
  { type: 'SiteAdded', data: site },
  { type: 'QualityAssuranceDomainAdded', data: { domain: 'quality', hostname: 'quality.example' } },
  { type: 'WebAnalyticsDomainAdded', data: { domain: 'web', hostname: 'web.example' } },
  { type: 'SingleSignOnConfigured', data: { issuer: 'https://login.example', clientId: 'client' } },
  { type: 'TrafficReported', data: { month: '2026-01', views: 900 } },
];

export const exampleOrganization: Folded<Organization> = {
  state: exampleEvents.reduce(
    (draft, event, index) => evolve(draft, event, { event: index, at: EXAMPLE_AT }),
    initial(),
  ),
  revision: exampleEvents.length - 1,
  at: EXAMPLE_AT,
};
