import type { Moment } from '@charter/decider';
import { each, entitlementsOf, Feature, finite, type Organization, Resource } from '@charter/organization';

/** One limit, as differences show it; `null`: there is none. */
export type LimitLook = Readonly<{
  limit: number | null;
  configured: number | null;
  hard: number | null;
  used: number;
  over: number;
}>;
export type Entitled = Readonly<{
  limits: Readonly<Record<Resource, LimitLook>>;
  features: Readonly<Record<Feature, boolean>>;
}>;

/** Every limit and every feature at a moment, without their reasons. */
export function entitledAt(organization: Organization, at: Moment): Entitled {
  const { limits, features } = entitlementsOf(organization, at);
  return {
    limits: each(Resource.options, (resource) => {
      const { effective, configured, hard, used } = limits[resource];
      return {
        ...{ limit: finite(effective), configured: finite(configured), hard: finite(hard) },
        ...{ used, over: Math.max(0, used - effective) },
      };
    }),
    features: each(Feature.options, (feature) => features[feature].on),
  };
}

/** What differs, by its name. */
export const differing = (one: Entitled, other: Entitled): readonly (Resource | Feature)[] => [
  ...Resource.options.filter((resource) => !isSame(one.limits[resource], other.limits[resource])),
  ...Feature.options.filter((feature) => one.features[feature] !== other.features[feature]),
];

const isSame = (one: LimitLook, other: LimitLook) =>
  one.limit === other.limit &&
  one.configured === other.configured &&
  one.hard === other.hard &&
  one.used === other.used &&
  one.over === other.over;
