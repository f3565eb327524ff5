import { refuse } from '@charter/decider';
import { z } from 'zod';
import type { DecisionContext, Decision } from '../decision';
import { momentAfterAll, saleInForce, isRepeatedEntry, isTooFarAhead } from '../effective-dates';
import { saleEntriesOf, type Organization } from '../state';
import { ProviderId, Quantity, When } from '../words';

export const PurchaseAddOn = z.strictObject({
  addOn: z.string().min(1).max(100),
  quantity: Quantity.default(1),
  purchase: ProviderId.optional(),
  effectiveAt: When.optional(),
  subscription: ProviderId.optional(),
});
export type PurchaseAddOn = z.infer<typeof PurchaseAddOn> & { purchase: string };

/** Quantities are absolute: how many this purchase counts from now on (`decisions.md` 25). */
export function purchaseAddOn(
  sold: PurchaseAddOn,
  organization: Organization,
  circumstances: DecisionContext,
): Decision {
  const { addOn, quantity, subscription, purchase } = sold;
  const { at, catalogue, message } = circumstances;
  const news = saleEntriesOf(organization, purchase);
  const held = saleInForce(news)?.what;
  if (held && !sold.effectiveAt) return []; // a purchase that is known answers as it is
  if (!held && news.length > 0 && message === null)
    return refuse('purchase-cancelled', `The purchase ${purchase} was cancelled. A new purchase needs a new id.`, {
      purchase,
    });

  const effectiveAt = sold.effectiveAt ?? momentAfterAll(news, at, false);
  if (sold.effectiveAt && isTooFarAhead(effectiveAt, at))
    return refuse('not-yet-effective', `${effectiveAt} is in the future.`, { effectiveAt });
  const grants = held?.addOn === addOn ? held.grants : catalogue.grants(addOn);
  if (!grants) return refuse('unknown-add-on', `There is no add-on ${addOn}.`, { addOn });

  const what = { addOn, quantity, grants };
  if (isRepeatedEntry(news, { effectiveAt, subscription: subscription ?? null, message, what })) return [];
  return [{ type: 'AddOnPurchased', data: { purchase, ...what, effectiveAt, ...(subscription && { subscription }) } }];
}
