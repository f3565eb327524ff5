import { createHash } from 'node:crypto';
import {
  each,
  Feature,
  FEATURE_OF_SERVICE_LEVELS,
  Grants,
  Offer,
  offersOf,
  planGrants,
  ProductLine,
  ServiceLevel,
  Terms,
} from '@charter/organization';
import { z } from 'zod';
import type { ForSale } from './for-sale';

const features = z.strictObject(each(Feature.options, () => z.boolean()));
const providerFields = {
  providerId: z.string().nullable().exactOptional(),
  linkedProductIds: z.array(z.string()).exactOptional(),
};

const exampleCatalogue = {
  ...{ hash: '0'.repeat(64), plans: [], addOns: [], serviceLevels: [] },
  features: each(Feature.options, () => [{ kind: 'plan', what: 'second/teams' }]),
};

/**
 * The schema of the answer of `GET /api/v1/catalogue`. Only operators get the provider ids.
 * @param product the key of the second product line, such as `pulse`
 */
export const printedCatalogueSchema = (product: string) =>
  z
    .strictObject({
      hash: z
        .string()
        .meta({ description: 'SHA-256 of this answer without provider ids; this hash changes with the catalogue' }),
      plans: z.array(
        z.strictObject({
          line: ProductLine,
          plan: z.string(),
          terms: Terms.extend({
            organizationDefaults: Terms.shape.organizationDefaults.extend({
              [`${product}Details`]: z.strictObject({ plan: z.string() }).exactOptional(),
              [`${product}Features`]: features.exactOptional(),
            }),
          }),
          soldOnline: z
            .boolean()
            .meta({ description: 'Whether the catalogue names a price at which owners can buy it online' }),
          ...providerFields,
        }),
      ),
      addOns: z.array(
        z.strictObject({ addOn: z.string(), grants: Grants, soldOnline: z.boolean(), ...providerFields }),
      ),
      serviceLevels: z.array(z.strictObject({ serviceLevel: ServiceLevel, features: z.array(Feature) })),
      features: z
        .strictObject(each(Feature.options, () => z.array(Offer)))
        .meta({ description: 'For each feature, the plans, add-ons and service levels that turn it on' }),
    })
    .meta({ id: 'Catalogue', examples: [exampleCatalogue] });
export type PrintedCatalogue = z.infer<ReturnType<typeof printedCatalogueSchema>>;

/**
 * Everything that is for sale today, in the specification's shape (`specification.md` §3). For a plan of the second
 * line, `organizationDefaults` also contains that line's details and features.
 */
export function printedCatalogue(catalogue: ForSale, product: string, ids?: 'with provider ids'): PrintedCatalogue {
  const plans = catalogue.plans().map(({ line, plan, terms, ...sold }) => ({
    ...{ line, plan, terms: { ...terms, organizationDefaults: defaultsOf(line, plan, terms, product) } },
    ...soldAt(sold, catalogue.priceIdOf({ kind: 'plan', line, plan }), ids),
  }));
  const addOns = catalogue.addOns().map(({ addOn, grants, ...sold }) => ({
    ...{ addOn, grants },
    ...soldAt(sold, catalogue.priceIdOf({ kind: 'add-on', addOn }), ids),
  }));
  const serviceLevels = ServiceLevel.options
    .filter((level) => level !== 'none')
    .map((serviceLevel) => ({ serviceLevel, features: [FEATURE_OF_SERVICE_LEVELS] }));
  const features = each(Feature.options, (feature) => offersOf(feature, catalogue));
  const printed = { plans, addOns, serviceLevels, features };
  return { hash: hashOf(printed), ...printed } as unknown as PrintedCatalogue; // the catalogue is deeply read-only
}

const defaultsOf = (line: ProductLine, plan: string, terms: Terms, product: string) => ({
  ...terms.organizationDefaults,
  ...(line === 'second' && {
    [`${product}Details`]: { plan },
    [`${product}Features`]: each(Feature.options, (feature) => planGrants(terms, feature)),
  }),
});

type Sold = Readonly<{ providerId: string | undefined; linkedProductIds: readonly string[] }>;

const soldAt = ({ providerId, linkedProductIds }: Sold, price: string | undefined, ids?: 'with provider ids') => ({
  soldOnline: price !== undefined,
  ...(ids && { providerId: providerId ?? null, linkedProductIds }),
});

/** The hash does not cover provider ids, so that callers with and without access to these ids get the same hash. */
const hashOf = (printed: object) =>
  createHash('sha256')
    .update(
      JSON.stringify(printed, (key, value: unknown) =>
        /^(providerId|linkedProductIds)$/.test(key) ? undefined : value,
      ),
    )
    .digest('hex');
