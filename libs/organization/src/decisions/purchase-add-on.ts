import { type Immutable, refuse } from '@charter/decider';
import { z } from 'zod';
import type { DecisionContext, Decision } from '../decision';
import { continuedSale, momentAfterAll, refusalOfFuture, saleInForce } from '../sales/effective-dates';
import { isRepeatedEntry } from '../sales/entries';
import { namedTerms, TermsOf } from '../sales/named-terms';
import { saleEntriesOf, type Organization, type Purchase } from '../state';
import { NewGrants } from '../terms';
import { OfferName, ProviderId, Quantity, When } from '../words';

export const PurchaseAddOn = z.strictObject({
  addOn: OfferName,
  quantity: Quantity.default(1),
  purchase: ProviderId.optional(),
  /**
   * The grants of one unit. Without `grants`, the catalogue decides. Only operators may name other grants, or the
   * grants of an earlier sale.
   */
  grants: z
    .union([NewGrants, TermsOf], { error: 'must be all grants, or {"termsOf": the revision of an earlier sale}' })
    .optional(),
  effectiveAt: When.optional(),
  subscription: ProviderId.optional(),
});
export type PurchaseAddOn = z.infer<typeof PurchaseAddOn> & { purchase: string };

/** The quantity is a total, which replaces the purchase's earlier quantity (`decisions.md` 25). */
export function purchaseAddOn(sold: PurchaseAddOn, organization: Organization, context: DecisionContext): Decision {
  const { addOn, quantity, subscription, purchase } = sold;
  const { at, catalogue, message, mergesEqualMessages } = context;
  const entries = saleEntriesOf(organization, purchase);
  const held = saleInForce(entries)?.what;
  if (held && !sold.effectiveAt) return []; // a repeated purchase records no event
  if (!held && entries.length > 0 && message === null)
    return refuse('purchase-cancelled', `The purchase ${purchase} was cancelled. A new purchase needs a new id.`, {
      purchase,
    });

  const effectiveAt = sold.effectiveAt ?? momentAfterAll(entries, at, false);
  const refusal = refusalOfFuture(sold.effectiveAt, at);
  if (refusal) return refusal;
  const sales = Object.values(organization.purchases).flat();
  const place = { effectiveAt, subscription: subscription ?? null, message };
  const isSame = (what: Immutable<Purchase>) => what.addOn === addOn;
  const kept = message === null ? held : continuedSale(entries, place, isSame);
  const granted = sold.grants
    ? namedTerms(sold.grants, sales, (what) => (isSame(what) ? what.grants : undefined), context)
    : { terms: kept && isSame(kept) ? kept.grants : catalogue.grants(addOn) };
  if ('refused' in granted) return granted;
  const { terms: grants } = granted;
  if (!grants) {
    const known = catalogue.addOns().map((one) => one.addOn);
    return refuse('unknown-add-on', `There is no add-on ${addOn}. For sale: ${known.join(', ')}.`, { addOn, known });
  }

  const what = { addOn, quantity, grants };
  if (isRepeatedEntry(entries, { ...place, what }, mergesEqualMessages)) return [];
  return [{ type: 'AddOnPurchased', data: { purchase, ...what, effectiveAt, ...(subscription && { subscription }) } }];
}
