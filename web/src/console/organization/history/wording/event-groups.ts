import type { OrganizationEvent } from '@charter/client';

export type EventTypeName = OrganizationEvent['type'];

/** The groups of event types in which people look for events, in the order of the service. */
export const groupOfType = {
  OrganizationFounded: 'founding',
  OrganizationRenamed: 'settings',
  OrganizationClosed: 'founding',
  OrganizationReopened: 'founding',
  PlanAssigned: 'plan',
  PlanEnded: 'plan',
  AddOnPurchased: 'add-ons',
  AddOnCancelled: 'add-ons',
  ServiceLevelAssigned: 'plan',
  ProductEnabled: 'settings',
  ProductDisabled: 'settings',
  ParallelUseChanged: 'settings',
  LimitsConfigured: 'limits',
  HardLimitsOverridden: 'limits',
  HardLimitsRestored: 'limits',
  MemberAdded: 'members',
  MemberRoleChanged: 'members',
  MemberRemoved: 'members',
  ProductUserFlagged: 'members',
  ProductUserUnflagged: 'members',
  SiteAdded: 'sites',
  SiteRenamed: 'sites',
  SiteFeaturesChanged: 'sites',
  SiteRemoved: 'sites',
  QualityAssuranceDomainAdded: 'domains',
  QualityAssuranceDomainRemoved: 'domains',
  WebAnalyticsDomainAdded: 'domains',
  WebAnalyticsDomainRemoved: 'domains',
  BillingAccountLinked: 'billing',
  SingleSignOnConfigured: 'settings',
  SingleSignOnRemoved: 'settings',
  TrafficReported: 'traffic',
} as const satisfies Readonly<Record<EventTypeName, string>>;

export type HistoryGroup = (typeof groupOfType)[EventTypeName];

export const eventTypeNames = Object.keys(groupOfType) as readonly EventTypeName[];
export const eventGroups: readonly HistoryGroup[] = [...new Set(Object.values(groupOfType))];

export const typesIn = (group: string): readonly EventTypeName[] =>
  eventTypeNames.filter((type) => groupOfType[type] === group);

export const isEventTypeName = (type: string): type is EventTypeName => Object.hasOwn(groupOfType, type);
