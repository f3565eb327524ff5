import {
  entitlementsOf,
  Feature,
  featureOf,
  type FeatureState,
  finiteOrNull,
  type LimitState,
  limitOf,
  type Organization,
  printBecause,
  Resource,
  trafficAllowance,
} from '@charter/organization';
import type { Moment } from '@charter/decider';
import type { OrganizationQuery } from './organization-query';

/** Every limit and every feature, each with its reasons, in the shape of `api.md`. */
export const entitlements =
  (organization: string): OrganizationQuery<object> =>
  ({ state, revision, at }, moment) => {
    const { limits, features } = entitlementsOf(state, moment);
    return {
      organization,
      revision,
      at,
      limits: mapped(limits, printedLimit),
      features: mapped(features, printedFeature),
      traffic: trafficOf(state),
    };
  };

/** The names under which one entitlement can be asked for: resources and features, and nothing that objects inherit. */
export type EntitlementKey = Resource | Feature;
export const entitlementKeys: readonly EntitlementKey[] = [...Resource.options, ...Feature.options];

/** One limit or feature alone. Only that one is worked out: this is the most frequent question of all. */
export const entitlement =
  (organization: string, key: EntitlementKey): OrganizationQuery<object> =>
  ({ state, revision, at }, moment) => ({ organization, revision, at, key, ...oneOf(key, state, moment) });

const oneOf = (key: EntitlementKey, state: Organization, moment: Moment) =>
  isResource(key) ? printedLimit(limitOf(key, state, moment)) : printedFeature(featureOf(key, state));

const isResource = (key: EntitlementKey): key is Resource => (Resource.options as readonly string[]).includes(key);

/** Inside, unlimited is Infinity; outside it is null with `unlimited: true`, never 0 (`decisions.md` 4). */
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

/** The newest reported month, and which mark it has passed: 80 or 100 percent. It never blocks (`decisions.md` 11). */
function trafficOf(organization: Organization) {
  const month = Object.keys(organization.traffic).sort().at(-1) ?? null;
  const views = month === null ? 0 : organization.traffic[month]!;
  const allowance = trafficAllowance(organization);
  const mark = [100, 80].find((percent) => views >= (allowance * percent) / 100) ?? null;
  return { month, views, allowance: finiteOrNull(allowance), mark };
}

const mapped = <Key extends string, In, Out>(record: Readonly<Record<Key, In>>, print: (value: In) => Out) =>
  Object.fromEntries(Object.entries<In>(record).map(([key, value]) => [key, print(value)])) as Record<Key, Out>;
