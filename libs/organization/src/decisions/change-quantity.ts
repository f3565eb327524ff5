import { refuse } from '@charter/decider';
import { z } from 'zod';
import type { DecisionContext, Decision } from '../decision';
import { momentAfterAll, saleInForce } from '../sales/effective-dates';
import { saleEntriesOf, type Organization } from '../state';
import { ProviderId, Quantity } from '../words';

export const ChangeQuantity = z.strictObject({ purchase: ProviderId, quantity: Quantity });
export type ChangeQuantity = z.infer<typeof ChangeQuantity>;

/** A change of the quantity changes neither the grants (`decisions.md` 19) nor the subscription of the purchase. */
export function changeQuantity(
  { purchase, quantity }: ChangeQuantity,
  organization: Organization,
  { at }: DecisionContext,
): Decision {
  const entries = saleEntriesOf(organization, purchase);
  const held = saleInForce(entries);
  if (!held && entries.length > 0)
    return refuse('purchase-cancelled', `The purchase ${purchase} was cancelled.`, { purchase });
  if (!held) return refuse('no-such-purchase', 'This organization has no such purchase.');
  if (held.what.quantity === quantity) return [];

  const { addOn, grants } = held.what;
  const effectiveAt = momentAfterAll(entries, at, false);
  const { subscription } = held;
  return [
    {
      type: 'AddOnPurchased',
      data: { purchase, addOn, quantity, grants, effectiveAt, ...(subscription !== null && { subscription }) },
    },
  ];
}
