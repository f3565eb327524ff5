import { refuse } from '@charter/decider';
import { z } from 'zod';
import type { DecisionContext, Decision } from '../decision';
import { overrideOf } from '../entitlements';
import type { Organization } from '../state';
import { Reason, When } from '../words';

export const OverrideHardLimits = z.strictObject({ reason: Reason, until: When.optional() });
export type OverrideHardLimits = z.infer<typeof OverrideHardLimits>;

/** Suspends the hard limits, for ever or until a moment (`specification.md` §5). */
export function overrideHardLimits(
  { reason, until }: OverrideHardLimits,
  organization: Organization,
  { at }: DecisionContext,
): Decision {
  if (until !== undefined && until <= at) return refuse('override-ended', `${until} has passed already.`, { until });
  const { override } = organization;
  const same = override?.reason === reason && override.until === (until ?? null);
  if (same && overrideOf(organization, at)) return [];
  return [{ type: 'HardLimitsOverridden', data: { reason, ...(until && { until }) } }];
}
