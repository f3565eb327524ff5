import type { Immutable } from '@charter/decider';
import type { Catalogue, Grants, ProductLine, Terms } from '@charter/organization';
import type { AddOnEntry, CatalogueFile, PlanEntry } from './file';

interface PlanForSale {
  readonly line: ProductLine;
  readonly plan: string;
  readonly terms: Terms;
  /** What the payment provider calls it, if it is sold there. */
  readonly providerId: string | undefined;
  readonly linkedProductIds: readonly string[];
  /** The fields whose values the specification leaves to us. */
  readonly ours: readonly string[];
}

interface AddOnForSale {
  readonly addOn: string;
  readonly grants: Grants;
  readonly providerId: string | undefined;
  readonly linkedProductIds: readonly string[];
  readonly ours: readonly string[];
}

/** What a payment provider's id names. */
type SoldProduct =
  | { readonly kind: 'plan'; readonly line: ProductLine; readonly plan: string }
  | { readonly kind: 'add-on'; readonly addOn: string };

/** All that is for sale: the domain's port, lists for people, and the way back from a provider's id. Deeply frozen. */
export interface ForSale extends Catalogue {
  plans(): readonly PlanForSale[];
  addOns(): readonly AddOnForSale[];
  /** What a price or product id of the payment provider names, or nothing if it is not ours. */
  byProviderId(id: string): SoldProduct | undefined;
}

export function forSale(file: CatalogueFile): ForSale {
  const plans = new Map(Object.entries(file.plans).map(([key, entry]) => [key, planOf(key, entry)]));
  const addOns = new Map(Object.entries(file.addOns).map(([key, entry]) => [key, addOnOf(key, entry)]));
  const sold = new Map<string, SoldProduct>([
    ...[...plans.values()].flatMap((one) => idsOf(one).map((id) => [id, planSold(one)] as const)),
    ...[...addOns.values()].flatMap((one) => idsOf(one).map((id) => [id, addOnSold(one)] as const)),
  ]);
  const lists = frozen({ plans: [...plans.values()], addOns: [...addOns.values()] });
  return {
    terms: (line, plan) => plans.get(`${line}/${plan}`)?.terms,
    grants: (addOn) => addOns.get(addOn)?.grants,
    plans: () => lists.plans,
    addOns: () => lists.addOns,
    byProviderId: (id) => sold.get(id),
  };
}

function planOf(key: string, entry: PlanEntry): PlanForSale {
  const { providerId, linkedProductIds, ours, ...terms } = entry;
  const [line, plan] = key.split('/') as [ProductLine, string]; // the file's schema has checked the key
  return { line, plan, terms, providerId, linkedProductIds, ours };
}

const addOnOf = (addOn: string, { providerId, ...entry }: AddOnEntry): AddOnForSale => ({
  addOn,
  providerId,
  ...entry,
});

const idsOf = ({ providerId, linkedProductIds }: PlanForSale | AddOnForSale) =>
  providerId === undefined ? linkedProductIds : [providerId, ...linkedProductIds];
const planSold = ({ line, plan }: PlanForSale): SoldProduct => Object.freeze({ kind: 'plan', line, plan });
const addOnSold = ({ addOn }: AddOnForSale): SoldProduct => Object.freeze({ kind: 'add-on', addOn });

function frozen<T extends object>(value: T): Immutable<T> {
  for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) frozen(inner);
  return Object.freeze(value);
}
