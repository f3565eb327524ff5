import { featureOf, limitOf } from '../entitlements';
import type { OrganizationEvent } from '../events';
import { Feature, type Grants, type ProductLine, type Resource, type ServiceLevel, type Terms } from '../terms';
import { founded, given, now, termsOf } from './organization.testing';

/** Events and queries that the specs of entitlements share. */
export const later = '2026-12-01T00:00:00.000Z';
export const stateOf = (...events: OrganizationEvent[]) => given(founded, ...events).state();
export const limit = (resource: Resource, ...events: OrganizationEvent[]) => limitOf(resource, stateOf(...events), now);
export const feature = (name: Feature, ...events: OrganizationEvent[]) => featureOf(name, stateOf(...events));
export const featuresOn = (...events: OrganizationEvent[]) =>
  Feature.options.filter((name) => featureOf(name, stateOf(...events)).on);

export const sold = (line: ProductLine, plan: string, terms: Partial<Terms>, effectiveAt = now): OrganizationEvent => ({
  type: 'PlanAssigned',
  data: { line, plan, terms: { ...termsOf({}), ...terms }, effectiveAt },
});
export const granted = (grants: Partial<Grants>, quantity = 1): OrganizationEvent => ({
  type: 'AddOnPurchased',
  data: {
    purchase: 'p-special',
    addOn: 'special',
    quantity,
    grants: { limits: {}, features: [], ...grants },
    effectiveAt: now,
  },
});
export const byHand = (limits: { [resource in Resource]?: number | null }): OrganizationEvent => ({
  type: 'LimitsConfigured',
  data: { limits },
});
export const cancelled = (purchase: string): OrganizationEvent => ({
  type: 'AddOnCancelled',
  data: { purchase, effectiveAt: now },
});
export const overriddenUntil = (until: string): OrganizationEvent => ({
  type: 'HardLimitsOverridden',
  data: { reason: 'a favour', until },
});
export const disabled: OrganizationEvent = { type: 'ProductDisabled', data: {} };
export const enabled: OrganizationEvent = { type: 'ProductEnabled', data: {} };
export const served = (serviceLevel: ServiceLevel): OrganizationEvent => ({
  type: 'ServiceLevelAssigned',
  data: { serviceLevel },
});
export const term = (kind: string, what: string, amount: number, event: number) => ({
  kind,
  what,
  amount,
  event,
  at: now,
});
