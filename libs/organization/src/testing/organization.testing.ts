import { type Actor, givenFor } from '@charter/decider';
import type { Catalogue } from '../catalogue';
import { each } from '../each';
import { organizationDecider } from '../decide';
import type { OrganizationEvent } from '../events';
import {
  type Feature,
  type Grants,
  type ProductLine,
  type MemberRole,
  Resource,
  resourcesByHand,
  type Terms,
} from '../terms';

/** Values that the specs of this library share: people, terms, and events. */
export const now = '2026-11-01T00:00:00.000Z';
export const ada = 'aaaaaaaa-0000-4000-8000-000000000001';
export const bob = 'aaaaaaaa-0000-4000-8000-000000000002';
export const cyd = 'aaaaaaaa-0000-4000-8000-000000000003';
export const shop = 'bbbbbbbb-0000-4000-8000-000000000001';
export const blog = 'bbbbbbbb-0000-4000-8000-000000000002';

export const operator: Actor = { kind: 'account', id: 'op', powers: ['operator'] };
export const as = (id: string, ...powers: string[]) => ({ actor: { kind: 'account', id, powers } as const });
export const withKey = (...powers: string[]) => ({ actor: { kind: 'key', id: 'k-1', powers } as const });
export const billing = (message: string) => ({
  actor: { kind: 'billing', id: 'stripe', powers: ['billing:write'] } as const,
  message,
});

export const termsOf = (
  limits: Terms['limits'],
  hardLimits: Terms['limits'] = {},
  features: Feature[] = [],
): Terms => ({
  limits,
  hardLimits,
  soldOnlyByAddOn: ['qualityAssuranceDomains'],
  trafficPerMonth: 100_000,
  features,
  siteDefaults: { features: { logo: true }, report: { weekly: false, monthly: true }, live: true },
  organizationDefaults: { features: { multiSite: false } },
  customSetDefaults: { features: { logo: false, integrations: false } },
});

/**
 * The plans of the second product line limit each resource that a person can configure, so that histories reach each
 * limit.
 */
const solo = termsOf(
  { ...each(resourcesByHand, () => 1), qualityAssuranceDomains: 0 },
  { users: 2, contentSections: 1 },
  ['feedback'],
);
const plans: Record<string, Terms> = {
  'first/essential': termsOf({ contentSections: 1 }),
  'first/professional': termsOf({ contentSections: 2 }),
  'second/solo': solo,
  'second/teams': termsOf({ ...each(resourcesByHand, () => 2), users: 5, qualityAssuranceDomains: 0 }, { users: 10 }, [
    'feedback',
    'matomoIntegration',
  ]),
};
const addOns: Record<string, Grants> = {
  additionalUser: { limits: { users: 1 }, features: [] },
  additionalContentSection: { limits: { contentSections: 1 }, features: [] },
  qualityAssurance: { limits: { qualityAssuranceDomains: 1 }, features: ['qualityAssurance', 'multiUser'] },
  webAnalytics: { limits: { webAnalyticsDomains: 1 }, features: ['webAnalytics', 'multiUser'] },
  feedback: { limits: {}, features: ['feedback', 'feedbackNotes'] },
};

const planOf = (name: string) => {
  const [line, plan] = name.split('/') as [ProductLine, string];
  return { line, plan };
};

/** The catalogue of these specs. The specs of libs/catalogue cover the real catalogue. */
export const catalogue: Catalogue = {
  terms: (line, plan) => plans[`${line}/${plan}`],
  grants: (addOn) => addOns[addOn],
  plans: () => Object.keys(plans).map(planOf),
  addOns: () => Object.keys(addOns).map((addOn) => ({ addOn })),
};
/** The names of the limits that differ between two plans. */
export const limitsThatDiffer = (one: Terms, other: Terms): readonly Resource[] =>
  Resource.options.filter(
    (name) => one.limits[name] !== other.limits[name] || one.hardLimits[name] !== other.hardLimits[name],
  );

export const given = givenFor(organizationDecider(catalogue), { actor: operator, at: now });

export const founded = { type: 'OrganizationFounded', data: { name: 'Acme' } } as const;
export const closed = { type: 'OrganizationClosed', data: { reason: 'moved away' } } as const;
export const overridden = { type: 'HardLimitsOverridden', data: { reason: 'a favour' } } as const;
export const added = (member: string, role: MemberRole = 'member') =>
  ({ type: 'MemberAdded', data: { member, role } }) as const;
export const siteAdded = (site: string, hostname: string) =>
  ({ type: 'SiteAdded', data: { site, hostname, name: hostname } }) as const;

export const on = (name: `${ProductLine}/${string}`, effectiveAt = now, subscription?: string): OrganizationEvent => {
  const [line, plan] = name.split('/') as [ProductLine, string];
  const terms = plans[name]!;
  return { type: 'PlanAssigned', data: { line, plan, terms, effectiveAt, ...(subscription && { subscription }) } };
};
export const ended = (line: ProductLine, effectiveAt = now, subscription?: string): OrganizationEvent => ({
  type: 'PlanEnded',
  data: { line, effectiveAt, ...(subscription && { subscription }) },
});
export const bought = (
  quantity: number,
  addOn: string,
  purchase = `p-${addOn}`,
  effectiveAt = now,
): OrganizationEvent => ({
  type: 'AddOnPurchased',
  data: { purchase, addOn, quantity, grants: addOns[addOn]!, effectiveAt },
});
