import {
  each,
  type Entitlements,
  entitlementsOf,
  Feature,
  featureOf,
  type FeatureState,
  finiteOrNull,
  type LimitState,
  limitOf,
  type Organization,
  printBecause,
  reasonKinds,
  Resource,
  trafficState,
} from '@charter/organization';
import type { Folded, Immutable } from '@charter/decider';
import { z } from 'zod';
import { Amount, At, Revision } from './answer-fields';
import type { OrganizationQuery } from './organization-query';

export const reasonFields = {
  kind: z.enum(reasonKinds),
  what: z.string(),
  quantity: z.int().exactOptional(),
  amount: Amount.exactOptional(),
  event: Revision,
  at: At,
};
const Reason = z
  .strictObject(reasonFields)
  .meta({ id: 'Reason', description: 'A reason; `event` is the revision of the event that gives this reason' });
export const Because = z.array(Reason);

const limitFields = {
  limit: Amount.meta({ description: 'The enforced limit; null: unlimited' }),
  unlimited: z.boolean(),
  configured: Amount,
  hard: Amount,
  overridden: z.boolean(),
  used: z.int().min(0),
  remaining: Amount,
  over: z.int().min(0),
  gate: z.strictObject({ feature: Feature, on: z.boolean() }).exactOptional(),
  because: Because,
};
const featureFields = {
  on: z.boolean(),
  because: Because.meta({ description: 'The reasons why the feature is on or off; never empty' }),
};
const Limit = z.strictObject(limitFields).meta({ id: 'Limit' });
const FeatureAnswer = z.strictObject(featureFields).meta({ id: 'Feature' });
export const Traffic = z
  .strictObject({
    month: z.string().nullable(),
    views: z.int().min(0),
    allowance: Amount,
    mark: z.union([z.literal(80), z.literal(100)]).nullable(),
    because: Because.meta({
      description: 'The reasons: the report of the month, and the allowance; empty before the first report',
    }),
  })
  .meta({
    id: 'Traffic',
    description: 'The newest reported month of traffic; `mark` is the percentage of the allowance that it has reached',
  });

const present = { organization: z.guid(), revision: Revision, at: At };

const EXAMPLE_AT = '2026-11-21T10:00:00.000Z';
const examplePresent = { organization: '7d3f6f3e-7f4b-4b53-8a53-0f6a1f2b7c90', revision: 4, at: EXAMPLE_AT };
const exampleLimit: z.infer<typeof Limit> = {
  ...{ limit: 2, unlimited: false, configured: 4, hard: 2, overridden: false, used: 2, remaining: 0, over: 0 },
  because: [
    { kind: 'plan', what: 'second/solo', amount: 1, event: 1, at: EXAMPLE_AT },
    { kind: 'add-on', what: 'additionalUser', quantity: 3, amount: 3, event: 2, at: EXAMPLE_AT },
    { kind: 'hard-limit', what: 'second/solo', amount: 2, event: 1, at: EXAMPLE_AT },
  ],
};

const exampleFeature: z.infer<typeof FeatureAnswer> = {
  on: false,
  because: [{ kind: 'not-in-plan', what: 'second/solo', event: 1, at: EXAMPLE_AT }],
};

const exampleTraffic: z.infer<typeof Traffic> = {
  ...{ month: '2026-11', views: 82_000, allowance: 100_000, mark: 80 },
  because: [
    { kind: 'report', what: '2026-11', amount: 82_000, event: 4, at: EXAMPLE_AT },
    { kind: 'plan', what: 'second/solo', amount: 100_000, event: 1, at: EXAMPLE_AT },
  ],
};

/** The answer of `GET /api/v1/organizations/:id/entitlements`. */
export const EntitlementsAnswer = z
  .strictObject({
    ...present,
    limits: z.strictObject(each(Resource.options, () => Limit)),
    features: z.strictObject(each(Feature.options, () => FeatureAnswer)),
    traffic: Traffic,
  })
  .meta({
    id: 'Entitlements',
    examples: [
      {
        ...examplePresent,
        limits: each(Resource.options, () => exampleLimit),
        features: each(Feature.options, () => exampleFeature),
        traffic: exampleTraffic,
      },
    ],
  });
export type EntitlementsAnswer = Immutable<z.infer<typeof EntitlementsAnswer>>;

/** The answer of `GET /api/v1/organizations/:id/entitlements/:key`: one limit or one feature. */
export const EntitlementAnswer = z
  .union([
    z.strictObject({ ...present, key: Resource, ...limitFields }),
    z.strictObject({ ...present, key: Feature, ...featureFields }),
  ])
  .meta({ id: 'Entitlement', examples: [{ ...examplePresent, key: Resource.options[0], ...exampleLimit }] });
export type EntitlementAnswer = Immutable<z.infer<typeof EntitlementAnswer>>;

/** All limits and features with their reasons, in the shape that `api.md` defines. */
export const entitlements =
  (organization: string): OrganizationQuery<EntitlementsAnswer> =>
  (current, moment) =>
    printedEntitlements(organization, current, entitlementsOf(current.state, moment));

/** The answer with entitlements that the caller has already computed. */
export const printedEntitlements = (
  organization: string,
  { state, revision, at }: Folded<Organization>,
  { limits, features }: Entitlements,
): EntitlementsAnswer => ({
  organization,
  revision,
  at,
  limits: mapped(limits, printedLimit),
  features: mapped(features, printedFeature),
  traffic: trafficOf(state),
});

/** The names of resources and features. */
export type EntitlementKey = Resource | Feature;
export const entitlementKeys: readonly EntitlementKey[] = [...Resource.options, ...Feature.options];

/**
 * One limit or one feature. Computes no other entitlement, because a query for one entitlement is the most frequent
 * query.
 */
export const entitlement =
  (organization: string, key: EntitlementKey): OrganizationQuery<EntitlementAnswer> =>
  ({ state, revision, at }, moment) =>
    isResource(key)
      ? { organization, revision, at, key, ...printedLimit(limitOf(key, state, moment)) }
      : { organization, revision, at, key, ...printedFeature(featureOf(key, state)) };

const isResource = (key: EntitlementKey): key is Resource => (Resource.options as readonly string[]).includes(key);

/**
 * The form of a limit in answers. Inside the domain, Infinity means unlimited. In answers, null with `unlimited: true`
 * means unlimited, and 0 never means unlimited (`decisions.md` 4).
 */
function printedLimit({ configured, hard, effective, overridden, used, gate, because }: LimitState) {
  const remaining = gate?.on === false ? 0 : finiteOrNull(Math.max(0, effective - used));
  return {
    limit: finiteOrNull(effective),
    unlimited: effective === Infinity,
    configured: finiteOrNull(configured),
    hard: finiteOrNull(hard),
    overridden,
    used,
    remaining,
    over: Math.max(0, used - effective),
    ...(gate && { gate }),
    because: printBecause(because),
  };
}

const printedFeature = ({ on, because }: FeatureState) => ({ on, because: printBecause(because) });

/**
 * The views of the newest reported month. `mark` is 80 or 100 if the views have reached this percentage of the
 * allowance. Charter never blocks anything because of traffic (`decisions.md` 11).
 */
export function trafficOf(organization: Organization) {
  const { month, views, allowance, because } = trafficState(organization);
  const mark = ([100, 80] as const).find((percent) => views >= (allowance * percent) / 100) ?? null;
  return { month, views, allowance: finiteOrNull(allowance), mark, because: printBecause(because) };
}

const mapped = <Key extends string, In, Out>(record: Readonly<Record<Key, In>>, print: (value: In) => Out) =>
  Object.fromEntries(Object.entries<In>(record).map(([key, value]) => [key, print(value)])) as Record<Key, Out>;
