import { z } from 'zod';
import type { DecisionContext, Decision } from '../decision';
import { newEnd } from '../sales/new-end';
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
export function endPlan(command: EndPlan, organization: Organization, context: DecisionContext): Decision {
  const { line, subscription } = command;
  const end = newEnd(organization.plans[line], command, context);
  if (!end) return [];
  if ('refused' in end) return end;
  const { effectiveAt, ended } = end;
  return [
    {
      type: 'PlanEnded',
      data: { line, ...(ended && { plan: ended.plan }), effectiveAt, ...(subscription && { subscription }) },
    },
  ];
}
