import { refuse } from '@charter/decider';
import { z } from 'zod';
import type { DecisionContext, Decision } from '../decision';
import { momentAfterAll, affectedByEnd, saleInForce, isRepeatedEntry, isTooFarAhead } from '../effective-dates';
import type { Organization } from '../state';
import { ProductLine } from '../terms';
import { ProviderId, When } from '../words';

export const EndPlan = z.strictObject({
  line: ProductLine,
  effectiveAt: When.optional(),
  subscription: ProviderId.optional(),
});
export type EndPlan = z.infer<typeof EndPlan>;

/** By hand the line ends; with a subscription only what it brought. News of an end is kept even if nothing is held yet. */
export function endPlan(ended: EndPlan, organization: Organization, { at, message }: DecisionContext): Decision {
  const { line, subscription } = ended;
  const news = organization.plans[line];
  const held = saleInForce(affectedByEnd(subscription, news));
  if (!held && !ended.effectiveAt) return []; // asked twice, happened once

  const effectiveAt = ended.effectiveAt ?? momentAfterAll(news, at, true);
  if (ended.effectiveAt && isTooFarAhead(effectiveAt, at))
    return refuse('not-yet-effective', `${effectiveAt} is in the future.`, { effectiveAt });
  if (isRepeatedEntry(news, { effectiveAt, subscription: subscription ?? null, message, what: null })) return [];

  const plan = held && held.effectiveAt <= effectiveAt && held.what.plan; // late news may end nothing
  return [
    { type: 'PlanEnded', data: { line, ...(plan && { plan }), effectiveAt, ...(subscription && { subscription }) } },
  ];
}
