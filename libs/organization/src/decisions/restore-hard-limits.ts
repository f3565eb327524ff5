import { z } from 'zod';
import type { Decision } from '../decision';
import type { Organization } from '../state';
import { Reason } from '../words';

export const RestoreHardLimits = z.strictObject({ reason: Reason.default('by hand') });
export type RestoreHardLimits = z.infer<typeof RestoreHardLimits>;

/** By hand, or recorded when the end of an override has passed, so that every answer changes by an event (`decisions.md` 17). */
export function restoreHardLimits({ reason }: RestoreHardLimits, { override }: Organization): Decision {
  return override ? [{ type: 'HardLimitsRestored', data: { reason } }] : [];
}
