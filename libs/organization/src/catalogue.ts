import { z } from 'zod';
import { type FeatureState, FEATURE_OF_SERVICE_LEVELS, isBlocked, planGrants } from './entitlements';
import { type Feature, type Grants, type ProductLine, ServiceLevel, type Terms } from './terms';

/** The plans and add-ons that are for sale today. A decision reads the catalogue; a replay of events never does. */
export interface Catalogue {
  /** The terms of a plan; undefined if the plan is not for sale. */
  terms(line: ProductLine, plan: string): Terms | undefined;
  /** The grants of one unit of an add-on; undefined if the add-on is not for sale. */
  grants(addOn: string): Grants | undefined;
  /** All plans for sale. The refusal of an unknown plan lists these plans. */
  plans(): readonly Readonly<{ line: ProductLine; plan: string }>[];
  addOns(): readonly Readonly<{ addOn: string }>[];
}

export const Offer = z.strictObject({ kind: z.enum(['plan', 'add-on', 'service-level']), what: z.string() }).meta({
  id: 'Offer',
  description: "A plan, an add-on or a service level that grants a feature by today's catalogue",
});
export type Offer = Readonly<z.infer<typeof Offer>>;

/** The plans, add-ons and service levels that grant a feature according to this catalogue. */
export const offersOf = (feature: Feature, catalogue: Catalogue): readonly Offer[] => [
  ...catalogue
    .plans()
    .filter(({ line, plan }) => planGrants(catalogue.terms(line, plan)!, feature))
    .map(({ line, plan }) => ({ kind: 'plan' as const, what: `${line}/${plan}` })),
  ...catalogue
    .addOns()
    .filter(({ addOn }) => catalogue.grants(addOn)!.features.includes(feature))
    .map(({ addOn }) => ({ kind: 'add-on' as const, what: addOn })),
  ...(feature === FEATURE_OF_SERVICE_LEVELS ? ServiceLevel.options : [])
    .filter((level) => level !== 'none')
    .map((level) => ({ kind: 'service-level' as const, what: level })),
];

/**
 * The offers that would turn a feature on. The list is empty if the feature is on, or while the product is disabled or
 * the organization is closed.
 */
export const offersFor = (feature: Feature, state: FeatureState, catalogue: Catalogue): readonly Offer[] =>
  state.on || isBlocked(state) ? [] : offersOf(feature, catalogue);
