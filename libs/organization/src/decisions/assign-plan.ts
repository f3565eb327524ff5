import { refuse } from '@charter/decider';
import { z } from 'zod';
import type { Circumstances, Decision } from '../decision';
import { afterAll, inForce, isRepeated, isSame, tooFarAhead } from '../effective-dates';
import type { Organization } from '../organization';
import { Line } from '../terms';
import { ProviderId, When } from '../words';

export const AssignPlan = z.strictObject({
  line: Line,
  plan: z.string().min(1).max(100),
  /** A held plan keeps the terms it was sold with, unless those of today's catalogue are asked for (`decisions.md` 19). */
  terms: z.literal('today').optional(),
  effectiveAt: When.optional(),
  subscription: ProviderId.optional(),
});
export type AssignPlan = z.infer<typeof AssignPlan>;

/** It has already been sold, so fullness is no reason to refuse (`decisions.md` 10). What is refused is the next member. */
export function assignPlan(sold: AssignPlan, organization: Organization, circumstances: Circumstances): Decision {
  const { line, plan, subscription } = sold;
  const { at, catalogue, message } = circumstances;
  const news = organization.plans[line];
  const held = inForce(news)?.what;
  const keeps = held?.plan === plan && sold.terms !== 'today'; // whoever stays keeps what they bought
  const terms = keeps ? held.terms : catalogue.terms(line, plan);
  if (!terms) return refuse('unknown-plan', `There is no plan ${line}/${plan}.`, { line, plan });
  const what = { plan, terms };
  if (!sold.effectiveAt && isSame(held, what)) return []; // asked twice, happened once

  const effectiveAt = sold.effectiveAt ?? afterAll(news, at, false);
  if (sold.effectiveAt && tooFarAhead(effectiveAt, at))
    return refuse('not-yet-effective', `${effectiveAt} is in the future.`, { effectiveAt });
  const told = { effectiveAt, subscription: subscription ?? null, message, what };
  if (sold.effectiveAt && isRepeated(news, told)) return [];
  return [{ type: 'PlanAssigned', data: { line, plan, terms, effectiveAt, ...(subscription && { subscription }) } }];
}
