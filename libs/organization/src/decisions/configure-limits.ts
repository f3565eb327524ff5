import { z } from 'zod';
import type { Decision } from '../decision';
import type { Organization } from '../organization';
import type { Resource } from '../terms';
import { AmountByHand } from '../words';

/** The limit of web-analytics domains is always 1,000, so nobody can set it (`decisions.md` 7). */
export const ConfigureLimits = z
  .strictObject({
    users: AmountByHand.optional(),
    contentSections: AmountByHand.optional(),
    qualityAssuranceDomains: AmountByHand.optional(),
  })
  .refine((limits) => Object.keys(limits).length > 0, 'must name at least one limit');
export type ConfigureLimits = z.infer<typeof ConfigureLimits>;

/** Takes the place of the plan's base, until null gives it back; add-ons count on top of it (`decisions.md` 17). */
export function configureLimits(wanted: ConfigureLimits, { limitsByHand }: Organization): Decision {
  const changes = (Object.entries(wanted) as [Resource, number | null | undefined][]).filter(
    ([resource, amount]) => amount !== undefined && amount !== (limitsByHand[resource]?.amount ?? null),
  );
  return changes.length === 0 ? [] : [{ type: 'LimitsConfigured', data: { limits: Object.fromEntries(changes) } }];
}
