import { Grants, ProductLine, Resource, Terms } from '@charter/organization';
import { z } from 'zod';

/** What the payment provider calls a thing that we sell: its own id, and the sellable products that stand for it. */
const sold = { providerId: z.string().min(1).optional(), linkedProductIds: z.array(z.string().min(1)) };

/** A plan: its terms as sold, and `ours`, the fields whose values the specification leaves to us. */
const PlanEntry = Terms.extend({
  ...sold,
  ours: z.array(z.enum([...Terms.keyof().options, 'providerId', 'linkedProductIds'])),
});

const AddOnEntry = z.strictObject({
  grants: Grants,
  ...sold,
  ours: z.array(z.enum(['grants', 'providerId', 'linkedProductIds'])),
});

/**
 * What a service level turns on. Its event carries no grants, so the domain knows this too and no file can change it
 * (`decisions.md` 12); it stands here because the catalogue lists all that is for sale.
 */
const ServiceLevelEntry = z.strictObject({ features: z.tuple([z.literal('chatSupport')]) });

const planKey = new RegExp(`^(${ProductLine.options.join('|')})/[a-z][a-z0-9-]{0,40}$`);
const PlanKey = z.string().regex(planKey, 'is not a plan: first/… or second/…, in lowercase');
const AddOnKey = z.string().regex(/^[a-z][A-Za-z0-9]{0,40}$/, 'is not an add-on: a name in lowerCamelCase');

/** The catalogue's file: everything that is for sale today. */
export const CatalogueFile = z.strictObject({
  plans: z.record(PlanKey, PlanEntry),
  addOns: z.record(AddOnKey, AddOnEntry),
  serviceLevels: z.strictObject({ assisted: ServiceLevelEntry, turnkey: ServiceLevelEntry }),
});
export type CatalogueFile = z.infer<typeof CatalogueFile>;
export type PlanEntry = z.infer<typeof PlanEntry>;
export type AddOnEntry = z.infer<typeof AddOnEntry>;

/** The plans that the specification names; a catalogue without one of them could not answer for it. */
export const namedPlans = [
  'first/essential',
  'first/professional',
  'first/enterprise',
  'second/solo',
  'second/teams',
  'second/enterprise',
  'second/light',
] as const;

export const resources = Resource.options;
