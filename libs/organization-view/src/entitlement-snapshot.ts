import type { Moment } from '@charter/decider';
import { each, entitlementsOf, Feature, finiteOrNull, type Organization, Resource } from '@charter/organization';

/** One limit, as differences show it; `null`: there is none. */
export type LimitSnapshot = Readonly<{
  limit: number | null;
  configured: number | null;
  hard: number | null;
  used: number;
  over: number;
}>;
export type EntitlementSnapshot = Readonly<{
  limits: Readonly<Record<Resource, LimitSnapshot>>;
  features: Readonly<Record<Feature, boolean>>;
}>;

/** Every limit and every feature at a moment, without their reasons. */
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

/** What differs, by its name. */
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
