import { type Immutable, refuse } from '@charter/decider';
import { z } from 'zod';
import type { DecisionContext, Decision } from '../decision';
import { continuedSale, heldSales, momentAfterAll, refusalOfFuture, saleInForce } from '../sales/effective-dates';
import { isDeepEqual } from '../sales/deep-equal';
import { isRepeatedEntry } from '../sales/entries';
import { namedTerms, TermsOf } from '../sales/named-terms';
import type { Organization, Plan } from '../state';
import { NewTerms, ProductLine } from '../terms';
import { OfferName, ProviderId, When } from '../words';

export const AssignPlan = z.strictObject({
  line: ProductLine,
  plan: OfferName,
  /**
   * Without `terms`, a plan that the organization already holds keeps the terms of its sale (`decisions.md` 19).
   * `today` grants the terms of today's catalogue. Only operators may name other terms, or the terms of an earlier
   * sale.
   */
  terms: z
    .union([z.literal('today'), NewTerms, TermsOf], {
      error: 'must be "today", all terms of a plan, or {"termsOf": the revision of an earlier sale}',
    })
    .optional(),
  effectiveAt: When.optional(),
  subscription: ProviderId.optional(),
});
export type AssignPlan = z.infer<typeof AssignPlan>;

/**
 * Assigns a plan even if a list then exceeds its limit, because the plan is already sold (`decisions.md` 10). Charter
 * only refuses further entries in a list that exceeds its limit.
 */
export function assignPlan(sold: AssignPlan, organization: Organization, context: DecisionContext): Decision {
  const { line, plan, subscription } = sold;
  const { at, catalogue, message, mergesEqualMessages } = context;
  const entries = organization.plans[line];
  const held = saleInForce(entries)?.what;
  const effectiveAt = sold.effectiveAt ?? momentAfterAll(entries, at, false);
  const place = { effectiveAt, subscription: subscription ?? null, message };
  const isSame = (what: Immutable<Plan>) => what.plan === plan;
  const kept = message === null ? held : continuedSale(entries, place, isSame);
  const named = sold.terms;
  const granted =
    typeof named === 'object'
      ? namedTerms(named, entries, (what) => (isSame(what) ? what.terms : undefined), context)
      : // unless the command requests today's terms, the terms of the sale stay in force
        { terms: kept && isSame(kept) && named !== 'today' ? kept.terms : catalogue.terms(line, plan) };
  if ('refused' in granted) return granted;
  const { terms } = granted;
  if (!terms) {
    const known = catalogue.plans().map((sold) => `${sold.line}/${sold.plan}`);
    return refuse('unknown-plan', `There is no plan ${line}/${plan}. For sale: ${known.join(', ')}.`, {
      line,
      plan,
      known,
    });
  }
  const what = { plan, terms };
  // A repeated command records no event. The same plan for another subscription is no repetition, because the plan then
  // stays when the first subscription ends (`decisions.md` 24).
  const own = heldSales<Plan>(entries).find((sale) => sale.subscription === subscription);
  const isRepeated = isDeepEqual(held, what) && (subscription === undefined || isDeepEqual(own?.what, what));
  if (!sold.effectiveAt && isRepeated) return [];

  const refusal = refusalOfFuture(sold.effectiveAt, at);
  if (refusal) return refusal;
  const entry = { ...place, what };
  if (sold.effectiveAt && isRepeatedEntry(entries, entry, mergesEqualMessages)) return [];
  return [{ type: 'PlanAssigned', data: { line, plan, terms, effectiveAt, ...(subscription && { subscription }) } }];
}
