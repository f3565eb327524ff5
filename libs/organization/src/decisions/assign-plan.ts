import { refuse } from '@charter/decider';
import { z } from 'zod';
import type { DecisionContext, Decision } from '../decision';
import { momentAfterAll, saleInForce, isRepeatedEntry, isDeepEqual, isTooFarAhead } from '../effective-dates';
import type { Organization } from '../state';
import { ProductLine } from '../terms';
import { ProviderId, When } from '../words';

export const AssignPlan = z.strictObject({
  line: ProductLine,
  plan: z.string().min(1).max(100),
  /** A held plan keeps the terms it was sold with, unless those of today's catalogue are asked for (`decisions.md` 19). */
  terms: z.literal('today').optional(),
  effectiveAt: When.optional(),
  subscription: ProviderId.optional(),
});
export type AssignPlan = z.infer<typeof AssignPlan>;

/** It has already been sold, so fullness is no reason to refuse (`decisions.md` 10). What is refused is the next member. */
export function assignPlan(sold: AssignPlan, organization: Organization, circumstances: DecisionContext): Decision {
  const { line, plan, subscription } = sold;
  const { at, catalogue, message } = circumstances;
  const news = organization.plans[line];
  const held = saleInForce(news)?.what;
  const keeps = held?.plan === plan && sold.terms !== 'today'; // whoever stays keeps what they bought
  const terms = keeps ? held.terms : catalogue.terms(line, plan);
  if (!terms) return refuse('unknown-plan', `There is no plan ${line}/${plan}.`, { line, plan });
  const what = { plan, terms };
  if (!sold.effectiveAt && isDeepEqual(held, what)) return []; // asked twice, happened once

  const effectiveAt = sold.effectiveAt ?? momentAfterAll(news, at, false);
  if (sold.effectiveAt && isTooFarAhead(effectiveAt, at))
    return refuse('not-yet-effective', `${effectiveAt} is in the future.`, { effectiveAt });
  const told = { effectiveAt, subscription: subscription ?? null, message, what };
  if (sold.effectiveAt && isRepeatedEntry(news, told)) return [];
  return [{ type: 'PlanAssigned', data: { line, plan, terms, effectiveAt, ...(subscription && { subscription }) } }];
}
