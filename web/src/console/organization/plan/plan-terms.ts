import type { PlanTerms } from './useSoldTerms';

type Resource = keyof PlanTerms['limits'];

/** The resources that any of these terms limits, or that only an add-on sells. */
export const resourcesIn = (terms: readonly PlanTerms[]): readonly Resource[] => [
  ...new Set(
    terms.flatMap(({ limits, hardLimits, soldOnlyByAddOn }) => [
      ...(Object.keys({ ...limits, ...hardLimits }) as Resource[]),
      ...soldOnlyByAddOn,
    ]),
  ),
];

/** The amount of a resource that a plan gives; null: unlimited. A plan gives 0 of a resource that only add-ons sell. */
export function limitIn({ limits, soldOnlyByAddOn }: PlanTerms, resource: Resource): number | null {
  const amount = limits[resource] ?? 0;
  return amount === 0 && !soldOnlyByAddOn.includes(resource) ? null : amount;
}

/** The hard limit of a resource; null: none. */
export const hardLimitIn = ({ hardLimits }: PlanTerms, resource: Resource): number | null =>
  hardLimits[resource] || null;

/** The allowed page views a month; null: unlimited. */
export const trafficIn = ({ trafficPerMonth }: PlanTerms): number | null => trafficPerMonth || null;

/** The features that either of two terms includes, in the order of the first. */
export const featuresOf = (...terms: readonly (PlanTerms | undefined)[]): readonly string[] => [
  ...new Set(terms.flatMap((one) => one?.features ?? [])),
];
