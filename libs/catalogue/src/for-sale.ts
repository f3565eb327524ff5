import type { Immutable } from '@charter/decider';
import type { Catalogue, Grants, ProductLine, Terms } from '@charter/organization';
import type { AddOnEntry, CatalogueFile, PlanEntry } from './file';

interface PlanForSale {
  readonly line: ProductLine;
  readonly plan: string;
  readonly terms: Terms;
  /** The plan's id at the payment provider; undefined if the provider does not sell the plan. */
  readonly providerId: string | undefined;
  readonly linkedProductIds: readonly string[];
  /** The names of the fields whose values the specification leaves open. */
  readonly ours: readonly string[];
}

interface AddOnForSale {
  readonly addOn: string;
  readonly grants: Grants;
  readonly providerId: string | undefined;
  readonly linkedProductIds: readonly string[];
  readonly ours: readonly string[];
}

/** The product to which a payment provider's id belongs. */
type SoldProduct =
  | { readonly kind: 'plan'; readonly line: ProductLine; readonly plan: string }
  | { readonly kind: 'add-on'; readonly addOn: string };

/**
 * Everything that is for sale: the catalogue that the domain reads, the lists of plans and add-ons, and a search by
 * provider id. All returned objects are frozen.
 */
export interface ForSale extends Catalogue {
  plans(): readonly PlanForSale[];
  addOns(): readonly AddOnForSale[];
  /** The product with a payment provider's price or product id; undefined if the catalogue does not contain the id. */
  byProviderId(id: string): SoldProduct | undefined;
  /**
   * The price at which a checkout sells the product; undefined if the catalogue names no price. Among the ids of a
   * product, only an id that begins with `price_` is a price.
   */
  priceIdOf(product: SoldProduct): string | undefined;
}

export function forSale(file: CatalogueFile): ForSale {
  const plans = new Map(Object.entries(file.plans).map(([key, entry]) => [key, planOf(key, entry)]));
  const addOns = new Map(Object.entries(file.addOns).map(([key, entry]) => [key, addOnOf(key, entry)]));
  const byId = new Map<string, SoldProduct>([
    ...[...plans.values()].flatMap((entry) => idsOf(entry).map((id) => [id, productOfPlan(entry)] as const)),
    ...[...addOns.values()].flatMap((entry) => idsOf(entry).map((id) => [id, productOfAddOn(entry)] as const)),
  ]);
  const lists = frozen({ plans: [...plans.values()], addOns: [...addOns.values()] });
  return {
    terms: (line, plan) => plans.get(`${line}/${plan}`)?.terms,
    grants: (addOn) => addOns.get(addOn)?.grants,
    plans: () => lists.plans,
    addOns: () => lists.addOns,
    byProviderId: (id) => byId.get(id),
    priceIdOf: (product) => {
      const entry = product.kind === 'plan' ? plans.get(`${product.line}/${product.plan}`) : addOns.get(product.addOn);
      return entry && idsOf(entry).find((id) => id.startsWith('price_'));
    },
  };
}

function planOf(key: string, entry: PlanEntry): PlanForSale {
  const { providerId, linkedProductIds, ours, ...terms } = entry;
  const [line, plan] = key.split('/') as [ProductLine, string]; // the schema of the file has checked the key
  return { line, plan, terms, providerId, linkedProductIds, ours };
}

const addOnOf = (addOn: string, { providerId, ...entry }: AddOnEntry): AddOnForSale => ({
  addOn,
  providerId,
  ...entry,
});

const idsOf = ({ providerId, linkedProductIds }: PlanForSale | AddOnForSale) =>
  providerId === undefined ? linkedProductIds : [providerId, ...linkedProductIds];
const productOfPlan = ({ line, plan }: PlanForSale): SoldProduct => Object.freeze({ kind: 'plan', line, plan });
const productOfAddOn = ({ addOn }: AddOnForSale): SoldProduct => Object.freeze({ kind: 'add-on', addOn });

function frozen<T extends object>(value: T): Immutable<T> {
  for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) frozen(inner);
  return Object.freeze(value);
}
