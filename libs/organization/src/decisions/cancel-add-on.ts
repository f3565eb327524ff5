import { refuse } from '@charter/decider';
import { z } from 'zod';
import type { DecisionContext, Decision } from '../decision';
import { affectedByEnd, isTooFarAhead, momentAfterAll, saleInForce } from '../sales/effective-dates';
import { isRepeatedEntry } from '../sales/entries';
import { saleEntriesOf, type Organization } from '../state';
import { ProviderId, When } from '../words';

export const CancelAddOn = z.strictObject({
  purchase: ProviderId,
  effectiveAt: When.optional(),
  subscription: ProviderId.optional(),
});
export type CancelAddOn = z.infer<typeof CancelAddOn>;

/**
 * Ends all units of the purchase. Charter records an end from billing even if the purchase is not recorded yet
 * (`decisions.md` 24).
 */
export function cancelAddOn(
  ended: CancelAddOn,
  organization: Organization,
  { at, message, mergesEqualMessages }: DecisionContext,
): Decision {
  const { purchase, subscription } = ended;
  const entries = saleEntriesOf(organization, purchase);
  const held = saleInForce(affectedByEnd(subscription, entries));
  if (entries.length === 0 && !ended.effectiveAt)
    return refuse('no-such-purchase', 'This organization has no such purchase.');
  if (!held && !ended.effectiveAt) return []; // a repeated command records no event

  const effectiveAt = ended.effectiveAt ?? momentAfterAll(entries, at, true);
  if (ended.effectiveAt && isTooFarAhead(effectiveAt, at))
    return refuse('not-yet-effective', `${effectiveAt} is in the future.`, { effectiveAt });
  if (
    isRepeatedEntry(
      entries,
      { effectiveAt, subscription: subscription ?? null, message, what: null },
      mergesEqualMessages,
    )
  )
    return [];

  // If a late message ends no sale, the event contains no add-on.
  const addOn = held && held.effectiveAt <= effectiveAt && held.what.addOn;
  return [
    {
      type: 'AddOnCancelled',
      data: { purchase, ...(addOn && { addOn }), effectiveAt, ...(subscription && { subscription }) },
    },
  ];
}
