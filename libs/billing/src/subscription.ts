import { words } from '@charter/organization';
import { z } from 'zod';
import { type Hold, slotKey, type Prices, type UnknownItem } from './fact';

/** An id of Stripe's: short enough for two of them to make a purchase's (`decisions.md` 28). */
const StripeId = words.ProviderId.max(120);

const identified = z.union([words.ProviderId, z.object({ id: words.ProviderId }).transform(({ id }) => id)]);

const Item = z.object({
  id: StripeId,
  created: z.int().min(0),
  /** A metered price has none: one. */
  quantity: z.int().min(0).default(1),
  price: z.object({ id: words.ProviderId, product: identified }),
});
type Item = z.infer<typeof Item>;

/** Of Stripe's subscription what is used here; the rest may hold names, and is not looked at. */
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

/** The purchase that an item of a subscription is: the same one in every message. */
const purchaseOf = (subscription: string, item: string): string => `${subscription}:${item}`;

/**
 * What the items are called here: by price, else by product. Of two plans of one line the item that was added last counts, as
 * the newest does among subscriptions (`decisions.md` 24). A quantity of 0 is nothing sold.
 */
export function itemsOf(
  { id: subscription, items }: StripeSubscription,
  prices: Prices,
): Readonly<{ holds: readonly Hold[]; unknown: readonly UnknownItem[] }> {
  const byPlace = new Map<string, Hold>();
  const unknown: UnknownItem[] = [];
  for (const item of items.data.filter(({ quantity }) => quantity > 0).toSorted(newestLast)) {
    const hold = holdOf(subscription, unknownOf(item), prices);
    if (hold) byPlace.set(slotKey(hold), hold);
    else unknown.push(unknownOf(item));
  }
  return { holds: [...byPlace.values()], unknown };
}

/**
 * What an item holds in a subscription; nothing, as long as its price and its product name nothing, or more is sold than can be
 * held.
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
