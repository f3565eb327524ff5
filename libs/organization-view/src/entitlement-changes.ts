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

const Look = z.strictObject({ limit: Amount, used: z.int().min(0), over: z.int().min(0) });
type Look = z.infer<typeof Look>;

/** What a preview shows of entitlements: only those that change. */
export const changesFields = {
  limits: z.strictObject(each(Resource.options, () => z.strictObject({ before: Look, after: Look }).exactOptional())),
  features: z.strictObject({ gained: z.array(Feature), lost: z.array(Feature) }),
};
export type EntitlementChanges = Immutable<z.infer<z.ZodObject<typeof changesFields>>>;

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
