import type { Moment } from '@charter/decider';
import {
  entitlementsOf,
  Feature,
  type FeatureState,
  heldPlans,
  isBlocked,
  type LimitState,
  type Organization,
  ProductLine,
  Resource,
  rowOf,
} from '@charter/organization';
import { type Flag, UNLIMITED } from './flag';
import { reasonMetadata } from './reasons-text';

/** Returns the URL of the console's page that explains a value, such as `features/feedback`. */
export type ExplainAt = (path: string) => string;

/**
 * The flags of an organization: its features, limits, remaining amounts and plans. The flags and their fields always
 * have the same order, because OpenFeature's web provider compares flags as JSON text (`flags.md`, Values).
 */
export function organizationFlags(organization: Organization, at: Moment, explainAt: ExplainAt): readonly Flag[] {
  const { features, limits } = entitlementsOf(organization, at);
  return [
    ...Feature.options.map((feature) => featureFlag(feature, features[feature], explainAt)),
    ...Resource.options.map((resource) => limitFlag(resource, limits[resource], explainAt)),
    ...Resource.options.map((resource) => remainingFlag(resource, limits[resource], explainAt)),
    ...planFlags(organization, explainAt),
  ];
}

/** The names of the flags of every organization. */
export const organizationFlagKeys: readonly string[] = [
  ...Feature.options,
  ...Resource.options.map((resource) => `limit.${resource}`),
  ...Resource.options.map((resource) => `remaining.${resource}`),
  ...ProductLine.options.map((line) => `plan.${line}`),
];

const featureFlag = (feature: Feature, state: FeatureState, explainAt: ExplainAt): Flag => ({
  key: feature,
  value: state.on,
  reason: state.on ? 'TARGETING_MATCH' : isBlocked(state) ? 'DISABLED' : 'STATIC',
  variant: state.on ? 'on' : 'off',
  metadata: { ...reasonMetadata(state.because), explain: explainAt(`features/${feature}`) },
});

/** `configured` and `hard` are absent if they are unlimited. */
const limitFlag = (resource: Resource, { because, ...limit }: LimitState, explainAt: ExplainAt): Flag => ({
  key: `limit.${resource}`,
  value: amountOf(limit.effective),
  reason: reasonOf(resource),
  variant: limit.effective === Infinity ? 'unlimited' : 'limited',
  metadata: {
    ...reasonMetadata(because),
    ...(limit.configured < Infinity && { configured: limit.configured }),
    ...(limit.hard < Infinity && { hard: limit.hard }),
    ...(limit.effective === Infinity && { unlimited: true }),
    explain: explainAt(resource),
  },
});

/** Only this flag contains the use, so that `limit.*` does not change when an entry is added. */
function remainingFlag(resource: Resource, limit: LimitState, explainAt: ExplainAt): Flag {
  const { effective, used, gate, because } = limit;
  const remaining = gate?.on === false ? 0 : Math.max(0, effective - used);
  return {
    key: `remaining.${resource}`,
    value: amountOf(remaining),
    reason: reasonOf(resource),
    variant: remaining === Infinity ? 'unlimited' : remaining === 0 ? 'exhausted' : 'available',
    metadata: {
      ...reasonMetadata(because),
      ...(remaining === Infinity && { unlimited: true }),
      ...{ used, over: Math.max(0, used - effective) },
      explain: explainAt(resource),
    },
  };
}

function planFlags(organization: Organization, explainAt: ExplainAt): readonly Flag[] {
  const held = heldPlans(organization);
  return ProductLine.options.map((line): Flag => {
    const plan = held.find((one) => one.line === line);
    const explain = explainAt(`plans/${line}`);
    const key = `plan.${line}`;
    if (!plan) return { key, value: '', reason: 'STATIC', variant: 'none', metadata: { explain } };
    const reason = { kind: 'plan', what: `${line}/${plan.plan}`, event: plan.event, at: plan.at } as const;
    const metadata = { ...reasonMetadata([reason]), explain };
    return { key, value: plan.plan, reason: 'TARGETING_MATCH', variant: plan.plan, metadata };
  });
}

/** A fixed limit is the same for all organizations. */
const reasonOf = (resource: Resource) => (rowOf(resource).fixed === undefined ? 'TARGETING_MATCH' : 'STATIC');

const amountOf = (amount: number) => (amount === Infinity ? UNLIMITED : amount);
