import { z } from 'zod';
import type { Decision } from '../decision';
import { each } from '../each';
import type { Organization } from '../state';
import { type Resource, resourcesByHand } from '../terms';
import { AmountByHand, listing } from '../words';

/** A person cannot configure a fixed limit (`decisions.md` 7). */
export const ConfigureLimits = z
  .strictObject(
    each(resourcesByHand, () => AmountByHand.optional()),
    listing(resourcesByHand),
  )
  .refine((limits) => Object.keys(limits).length > 0, 'must name at least one limit');
export type ConfigureLimits = z.infer<typeof ConfigureLimits>;

/**
 * A configured limit replaces the plan's limit, until a command with null restores the plan's limit. Add-ons raise the
 * configured limit (`decisions.md` 17).
 */
export function configureLimits(wanted: ConfigureLimits, { limitsByHand }: Organization): Decision {
  const changes = (Object.entries(wanted) as [Resource, number | null | undefined][]).filter(
    ([resource, amount]) => amount !== undefined && amount !== (limitsByHand[resource]?.amount ?? null),
  );
  return changes.length === 0 ? [] : [{ type: 'LimitsConfigured', data: { limits: Object.fromEntries(changes) } }];
}
