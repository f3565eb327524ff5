import { refuse } from '@charter/decider';
import { z } from 'zod';
import type { DecisionContext, Decision } from '../decision';
import { newEnd } from '../sales/new-end';
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
export function cancelAddOn(command: CancelAddOn, organization: Organization, context: DecisionContext): Decision {
  const { purchase, subscription } = command;
  const entries = saleEntriesOf(organization, purchase);
  if (entries.length === 0 && !command.effectiveAt)
    return refuse('no-such-purchase', 'This organization has no such purchase.');
  const end = newEnd(entries, command, context);
  if (!end) return [];
  if ('refused' in end) return end;
  const { effectiveAt, ended } = end;
  return [
    {
      type: 'AddOnCancelled',
      data: { purchase, ...(ended && { addOn: ended.addOn }), effectiveAt, ...(subscription && { subscription }) },
    },
  ];
}
