import { NewGrants, NewTerms, ProductLine, Resource } from '@charter/organization';
import { z } from 'zod';

/** The ids at the payment provider that mean this plan or add-on: one main id, and any number of further ids. */
const providerFields = { providerId: z.string().min(1).optional(), linkedProductIds: z.array(z.string().min(1)) };

/**
 * A plan with its terms. `ours` names the fields whose values Charter chose, because the specification leaves these
 * values open.
 */
const PlanEntry = NewTerms.extend({
  ...providerFields,
  ours: z.array(z.enum([...NewTerms.keyof().options, 'providerId', 'linkedProductIds'])),
});

const AddOnEntry = z.strictObject({
  grants: NewGrants,
  ...providerFields,
  ours: z.array(z.enum(['grants', 'providerId', 'linkedProductIds'])),
});

/**
 * The features of a service level. The code of the domain also contains these features, because the events of service
 * levels contain no grants. A catalogue's file therefore cannot change the features of a service level (`decisions.md`
 * 12). The entry exists because the catalogue lists everything that is for sale.
 */
const ServiceLevelEntry = z.strictObject({ features: z.tuple([z.literal('chatSupport')]) });

const planKey = new RegExp(`^(${ProductLine.options.join('|')})/[a-z][a-z0-9-]{0,40}$`);
const PlanKey = z.string().regex(planKey, 'is not a plan: first/… or second/…, in lowercase');
const AddOnKey = z.string().regex(/^[a-z][A-Za-z0-9]{0,40}$/, 'is not an add-on: a name in lowerCamelCase');

/** The schema of the catalogue's file, which lists everything that is for sale today. */
export const CatalogueFile = z.strictObject({
  plans: z.record(PlanKey, PlanEntry),
  addOns: z.record(AddOnKey, AddOnEntry),
  serviceLevels: z.strictObject({ assisted: ServiceLevelEntry, turnkey: ServiceLevelEntry }),
});
export type CatalogueFile = z.infer<typeof CatalogueFile>;
export type PlanEntry = z.infer<typeof PlanEntry>;
export type AddOnEntry = z.infer<typeof AddOnEntry>;

/** The plans that the specification names; every catalogue must contain them. */
export const namedPlans = [
  'first/essential',
  'first/professional',
  'first/enterprise',
  'second/solo',
  'second/teams',
  'second/enterprise',
  'second/light',
] as const;

export const resourceNames = Resource.options;
