import type { Folded, Moment } from '@charter/decider';
import {
  type Entitlements,
  entitlementsOf,
  Feature,
  finiteOrNull,
  type LimitState,
  type Organization,
  Resource,
} from '@charter/organization';

type Look = Readonly<{ limit: number | null; used: number; over: number }>;
export type EntitlementChanges = Readonly<{
  limits: Readonly<{ [resource in Resource]?: Readonly<{ before: Look; after: Look }> }>;
  features: Readonly<{ gained: readonly Feature[]; lost: readonly Feature[] }>;
}>;

/** What differs between two states, and only that: what a preview shows (`api.md`, Shapes). */
export function changesBetween(
  before: Folded<Organization>,
  after: Folded<Organization>,
  at: Moment,
): EntitlementChanges {
  const [old, next] = [entitlementsOf(before.state, at), entitlementsOf(after.state, at)];
  const looks = Resource.options
    .map((resource) => [resource, { before: look(old.limits[resource]), after: look(next.limits[resource]) }] as const)
    .filter(([, look]) => JSON.stringify(look.before) !== JSON.stringify(look.after));
  return {
    limits: Object.fromEntries(looks),
    features: { gained: onlyIn(next, old), lost: onlyIn(old, next) },
  };
}

const look = ({ effective, used }: LimitState): Look => ({
  limit: finiteOrNull(effective),
  used,
  over: Math.max(0, used - effective),
});

const onlyIn = (these: Entitlements, those: Entitlements) =>
  Feature.options.filter((feature) => these.features[feature].on && !those.features[feature].on);
