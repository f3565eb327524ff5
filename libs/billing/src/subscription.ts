import { words } from '@charter/organization';
import { z } from 'zod';
import { type BillingFact, type Hold, slotKey, type Prices, type UnknownItem } from './fact';

/** A Stripe id. The maximum length lets Charter join two such ids to a purchase id (`decisions.md` 28). */
const StripeId = words.ProviderId.max(120);

const identified = z.union([words.ProviderId, z.object({ id: words.ProviderId }).transform(({ id }) => id)]);

const Item = z.object({
  id: StripeId,
  created: z.int().min(0),
  /** Absent for a metered price, which counts as one unit. */
  quantity: z.int().min(0).default(1),
  price: z.object({ id: words.ProviderId, product: identified }),
});
type Item = z.infer<typeof Item>;

/**
 * The fields of a Stripe subscription that Charter uses. Charter drops all other fields, because they may contain names
 * of persons.
 */
export const StripeSubscription = z.object({
  object: z.literal('subscription'),
  id: StripeId,
  status: z.enum([
    'active',
    'canceled',
    'incomplete',
    'incomplete_expired',
    'past_due',
    'paused',
    'trialing',
    'unpaid',
  ]),
  customer: identified,
  metadata: z.record(z.string(), z.string()).nullish(),
  items: z.object({ data: z.array(Item), has_more: z.boolean().optional() }),
});
export type StripeSubscription = z.infer<typeof StripeSubscription>;

/** The purchase id of an item. An item has the same purchase id in every message. */
const purchaseOf = (subscription: string, item: string): string => `${subscription}:${item}`;

/**
 * Turns a subscription's items into sales. The catalogue finds each item by its price or, if the price is unknown, by
 * its product. If two items are plans of the same product line, the item that was added last determines the plan. If
 * two subscriptions contain plans of the same product line, the newest subscription determines the plan (`decisions.md`
 * 24). An item with quantity 0 sells nothing.
 */
export function itemsOf(
  { id: subscription, items }: StripeSubscription,
  prices: Prices,
): Readonly<Pick<BillingFact, 'holds' | 'unknown' | 'itemOrder'>> {
  const bySlot = new Map<string, Hold>();
  const unknown: UnknownItem[] = [];
  const sorted = items.data.filter(({ quantity }) => quantity > 0).toSorted(newestLast);
  for (const item of sorted) {
    const hold = holdOf(subscription, unknownOf(item), prices);
    if (hold) bySlot.set(slotKey(hold), hold);
    else unknown.push(unknownOf(item));
  }
  const holds = [...bySlot.values()];
  return { holds, unknown, ...(unknown.length > 0 && { itemOrder: sorted.map(({ id }) => id) }) };
}

/**
 * The sale of one item. Undefined if the catalogue does not contain the item's price or product, or if the quantity is
 * above the maximum of an add-on.
 */
export function holdOf(subscription: string, item: UnknownItem, { byProviderId }: Prices): Hold | undefined {
  const sold = byProviderId(item.price) ?? byProviderId(item.product);
  if (!sold) return undefined;
  if (sold.kind === 'plan') return { kind: 'plan', line: sold.line, plan: sold.plan, item: item.item };
  if (isTooMany(item)) return undefined;
  const purchase = purchaseOf(subscription, item.item);
  return { kind: 'add-on', purchase, addOn: sold.addOn, quantity: item.quantity, item: item.item };
}

export const isTooMany = ({ quantity }: UnknownItem): boolean => !words.Quantity.safeParse(quantity).success;

const unknownOf = ({ id, price, quantity }: Item): UnknownItem => ({
  item: id,
  price: price.id,
  product: price.product,
  quantity,
});

const newestLast = (one: Item, other: Item) => one.created - other.created || (one.id < other.id ? -1 : 1);
