import type { ConsoleWords } from '../../words';
import type { PlanTerms } from './useSoldTerms';

type Resource = keyof PlanTerms['limits'];

/** The resources that any of the given terms limits, or that only an add-on sells. */
export const resourcesIn = (terms: readonly PlanTerms[]): readonly Resource[] => [
  ...new Set(
    terms.flatMap(({ limits, hardLimits, soldOnlyByAddOn }) => [
      ...(Object.keys({ ...limits, ...hardLimits }) as Resource[]),
      ...soldOnlyByAddOn,
    ]),
  ),
];

/**
 * The amount of a resource that a plan grants; null if it is unlimited. A plan grants 0 of a resource that only add-ons
 * sell.
 */
export function limitIn({ limits, soldOnlyByAddOn }: PlanTerms, resource: Resource): number | null {
  const amount = limits[resource] ?? 0;
  return amount === 0 && !soldOnlyByAddOn.includes(resource) ? null : amount;
}

/** The hard limit of a resource; null without a hard limit. */
export const hardLimitIn = ({ hardLimits }: PlanTerms, resource: Resource): number | null =>
  hardLimits[resource] || null;

/** The number of page views that the plan allows in a month; null if it is unlimited. */
export const trafficIn = ({ trafficPerMonth }: PlanTerms): number | null => trafficPerMonth || null;

/**
 * All features in these terms, each once: first those of the first terms, then the additional features of the other
 * terms.
 */
export const featuresOf = (...terms: readonly (PlanTerms | undefined)[]): readonly string[] => [
  ...new Set(terms.flatMap((one) => one?.features ?? [])),
];

export type ComparedTerms = Readonly<{
  /** The terms as sold; undefined if the page does not know them. */
  sold: PlanTerms | undefined;
  /** The terms in today's catalogue; undefined if it has no such plan, or while the catalogue is loading. */
  today: PlanTerms | undefined;
  /** The terms of all plans for sale. These terms name the resources that a plan can limit. */
  offered: readonly PlanTerms[];
}>;

export type TermRow = Readonly<{ key: string; title: string; before: string | undefined; after: string | undefined }>;

/** Whether the term in today's catalogue differs from the term as sold. */
export const isOtherTerm = ({ before, after }: TermRow): boolean =>
  before !== undefined && after !== undefined && before !== after;

/** The rows of a table that compares two sets of terms in words, for example the terms as sold and today's terms. */
export function termRows(
  { sold, today, offered }: ComparedTerms,
  { text, name, number }: ConsoleWords,
): readonly TermRow[] {
  const amount = (value: number | null, none: string) => (value === null ? text(none) : number(value));
  const both = (read: (terms: PlanTerms) => string) => ({
    before: sold && read(sold),
    after: today && read(today),
  });
  const known = [sold, today].filter((terms) => terms !== undefined);
  const named = resourcesIn([...offered, ...known]);
  return [
    ...named.map((resource) => ({
      ...{ key: resource, title: name(resource) },
      ...both((terms) => amount(limitIn(terms, resource), 'limits.no-limit')),
    })),
    ...named
      .filter((resource) => known.some((terms) => hardLimitIn(terms, resource) !== null))
      .map((resource) => ({
        key: `hard.${resource}`,
        title: text('terms.hard', { resource: name(resource) }),
        ...both((terms) => amount(hardLimitIn(terms, resource), 'moment.none')),
      })),
    {
      key: 'traffic',
      title: text('terms.traffic'),
      ...both((terms) => amount(trafficIn(terms), 'limits.no-limit')),
    },
    ...featuresOf(sold, today).map((feature) => ({
      ...{ key: feature, title: name(feature) },
      ...both(({ features }) => text((features as readonly string[]).includes(feature) ? 'terms.yes' : 'terms.no')),
    })),
  ];
}
