import type { Message, Moment } from '@charter/decider';
import type { Feature, Grants, Line, Resource, ServiceLevel, SiteFeature, Terms } from './terms';

/** Something sold, or its end: from when it holds, and which subscription brought it (`decisions.md` 24). */
type Effective = { effectiveAt: Moment; subscription?: string };

/** The event's name says it all. */
type Nothing = Record<string, never>;

/** Everything that can happen to an organization. Names and fields are for ever; only add. Ids, never people. */
export type OrganizationEvent =
  | Message<'OrganizationFounded', { name: string }>
  | Message<'OrganizationRenamed', { name: string }>
  | Message<'OrganizationClosed', { reason: string }>
  | Message<'OrganizationReopened', { reason: string }>
  | Message<'PlanAssigned', { line: Line; plan: string; terms: Terms } & Effective>
  | Message<'PlanEnded', { line: Line; plan?: string } & Effective>
  | Message<'AddOnPurchased', { purchase: string; addOn: string; quantity: number; grants: Grants } & Effective>
  | Message<'AddOnCancelled', { purchase: string; addOn?: string } & Effective>
  | Message<'ServiceLevelAssigned', { serviceLevel: ServiceLevel }>
  | Message<'ProductEnabled', Nothing>
  | Message<'ProductDisabled', Nothing>
  | Message<'ParallelUseChanged', { parallelUse: boolean | null }>
  | Message<'LimitsConfigured', { limits: { [resource in Resource]?: number | null } }>
  | Message<'HardLimitsOverridden', { reason: string; until?: Moment }>
  | Message<'HardLimitsRestored', { reason: string }>
  | Message<'MemberAdded', { member: string; role: Role }>
  | Message<'MemberRoleChanged', { member: string; role: Role }>
  | Message<'MemberRemoved', { member: string }>
  | Message<'ProductUserFlagged', { member: string }>
  | Message<'ProductUserUnflagged', { member: string }>
  | Message<'SiteAdded', { site: string; hostname: string; name: string }>
  | Message<'SiteRenamed', { site: string; name: string }>
  | Message<'SiteFeaturesChanged', { site: string; features: SiteFeatures }>
  | Message<'SiteRemoved', { site: string }>
  | Message<'QualityAssuranceDomainAdded', { domain: string; hostname: string }>
  | Message<'QualityAssuranceDomainRemoved', { domain: string }>
  | Message<'WebAnalyticsDomainAdded', { domain: string; hostname: string }>
  | Message<'WebAnalyticsDomainRemoved', { domain: string }>
  | Message<'BillingAccountLinked', { provider: string; customer: string }>
  | Message<'SingleSignOnConfigured', { issuer: string; clientId: string }>
  | Message<'SingleSignOnRemoved', Nothing>
  | Message<'TrafficReported', { month: Month; views: number }>;

export type Role = 'owner' | 'admin' | 'member';

/** `YYYY-MM`. */
export type Month = string;

/** All that differs from the plan's defaults for one site. */
export type SiteFeatures = { [feature in SiteFeature]?: boolean };

/** The domains of which lists are kept, each gated by the feature of that name (`decisions.md` 7). */
export type DomainList = Extract<Feature, 'qualityAssurance' | 'webAnalytics'>;

/** Every type of event that can happen to an organization, in an order for people. */
export const eventTypes: readonly OrganizationEvent['type'][] = Object.keys({
  OrganizationFounded: true,
  OrganizationRenamed: true,
  OrganizationClosed: true,
  OrganizationReopened: true,
  PlanAssigned: true,
  PlanEnded: true,
  AddOnPurchased: true,
  AddOnCancelled: true,
  ServiceLevelAssigned: true,
  ProductEnabled: true,
  ProductDisabled: true,
  ParallelUseChanged: true,
  LimitsConfigured: true,
  HardLimitsOverridden: true,
  HardLimitsRestored: true,
  MemberAdded: true,
  MemberRoleChanged: true,
  MemberRemoved: true,
  ProductUserFlagged: true,
  ProductUserUnflagged: true,
  SiteAdded: true,
  SiteRenamed: true,
  SiteFeaturesChanged: true,
  SiteRemoved: true,
  QualityAssuranceDomainAdded: true,
  QualityAssuranceDomainRemoved: true,
  WebAnalyticsDomainAdded: true,
  WebAnalyticsDomainRemoved: true,
  BillingAccountLinked: true,
  SingleSignOnConfigured: true,
  SingleSignOnRemoved: true,
  TrafficReported: true,
} satisfies Record<OrganizationEvent['type'], true>) as OrganizationEvent['type'][]; // the keys of exactly this
