import type { Folded, Immutable, Moment } from '@charter/decider';
import {
  each,
  type Entitlements,
  entitlementsOf,
  Feature,
  finiteOrNull,
  type LimitState,
  type Organization,
  Resource,
} from '@charter/organization';
import { z } from 'zod';
import { Amount } from './answer-fields';

const LimitUse = z.strictObject({ limit: Amount, used: z.int().min(0), over: z.int().min(0) });
type LimitUse = z.infer<typeof LimitUse>;

/** The entitlements that a preview's commands change. */
export const changesFields = {
  limits: z.strictObject(
    each(Resource.options, () => z.strictObject({ before: LimitUse, after: LimitUse }).exactOptional()),
  ),
  features: z.strictObject({ gained: z.array(Feature), lost: z.array(Feature) }),
};
export type EntitlementChanges = Immutable<z.infer<z.ZodObject<typeof changesFields>>>;

/** The entitlements in which two states differ, as a preview prints them (`api.md`, Shapes). */
export function changesBetween(
  before: Folded<Organization>,
  after: Folded<Organization>,
  at: Moment,
): EntitlementChanges {
  const [old, next] = [entitlementsOf(before.state, at), entitlementsOf(after.state, at)];
  const changes = Resource.options
    .map(
      (resource) =>
        [resource, { before: limitUseOf(old.limits[resource]), after: limitUseOf(next.limits[resource]) }] as const,
    )
    .filter(([, change]) => JSON.stringify(change.before) !== JSON.stringify(change.after));
  return {
    limits: Object.fromEntries(changes),
    features: { gained: onlyIn(next, old), lost: onlyIn(old, next) },
  };
}

const limitUseOf = ({ effective, used }: LimitState): LimitUse => ({
  limit: finiteOrNull(effective),
  used,
  over: Math.max(0, used - effective),
});

const onlyIn = (these: Entitlements, those: Entitlements) =>
  Feature.options.filter((feature) => these.features[feature].on && !those.features[feature].on);
