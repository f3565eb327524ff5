import type { Immutable, Moment } from '@charter/decider';
import { each, entitlementsOf, Feature, finiteOrNull, type Organization, Resource } from '@charter/organization';
import { z } from 'zod';
import { Amount } from './answer-fields';

/** The form of a limit in differences; null means unlimited. */
export const LimitSnapshot = z.strictObject({
  limit: Amount,
  configured: Amount,
  hard: Amount,
  used: z.int().min(0),
  over: z.int().min(0),
});
export type LimitSnapshot = Immutable<z.infer<typeof LimitSnapshot>>;
export type EntitlementSnapshot = Readonly<{
  limits: Readonly<Record<Resource, LimitSnapshot>>;
  features: Readonly<Record<Feature, boolean>>;
}>;

/** All limits and features at a moment, without their reasons. */
export function entitlementSnapshotAt(organization: Organization, at: Moment): EntitlementSnapshot {
  const { limits, features } = entitlementsOf(organization, at);
  return {
    limits: each(Resource.options, (resource) => {
      const { effective, configured, hard, used } = limits[resource];
      return {
        ...{ limit: finiteOrNull(effective), configured: finiteOrNull(configured), hard: finiteOrNull(hard) },
        ...{ used, over: Math.max(0, used - effective) },
      };
    }),
    features: each(Feature.options, (feature) => features[feature].on),
  };
}

/** The names of the limits and features in which two snapshots differ. */
export const changedEntitlements = (
  one: EntitlementSnapshot,
  other: EntitlementSnapshot,
): readonly (Resource | Feature)[] => [
  ...Resource.options.filter((resource) => !isSame(one.limits[resource], other.limits[resource])),
  ...Feature.options.filter((feature) => one.features[feature] !== other.features[feature]),
];

const isSame = (one: LimitSnapshot, other: LimitSnapshot) =>
  one.limit === other.limit &&
  one.configured === other.configured &&
  one.hard === other.hard &&
  one.used === other.used &&
  one.over === other.over;
