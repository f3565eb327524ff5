import { refuse } from '@charter/decider';
import { z } from 'zod';
import type { DecisionContext, Decision } from '../decision';
import { affectedByEnd, isTooFarAhead, momentAfterAll, saleInForce } from '../sales/effective-dates';
import { isRepeatedEntry } from '../sales/entries';
import type { Organization } from '../state';
import { ProductLine } from '../terms';
import { ProviderId, When } from '../words';

export const EndPlan = z.strictObject({
  line: ProductLine,
  effectiveAt: When.optional(),
  subscription: ProviderId.optional(),
});
export type EndPlan = z.infer<typeof EndPlan>;

/**
 * If the command names a subscription, only this subscription's sale ends; otherwise all sales of the product line end.
 * Charter records an end from billing even if the plan is not recorded yet (`decisions.md` 24).
 */
export function endPlan(
  ended: EndPlan,
  organization: Organization,
  { at, message, mergesEqualMessages }: DecisionContext,
): Decision {
  const { line, subscription } = ended;
  const entries = organization.plans[line];
  const held = saleInForce(affectedByEnd(subscription, entries));
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

  const plan = held && held.effectiveAt <= effectiveAt && held.what.plan; // no plan if a late message ends no sale
  return [
    { type: 'PlanEnded', data: { line, ...(plan && { plan }), effectiveAt, ...(subscription && { subscription }) } },
  ];
}
