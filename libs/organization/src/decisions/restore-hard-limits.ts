import { z } from 'zod';
import type { Decision } from '../decision';
import type { Organization } from '../state';
import { Reason } from '../words';

export const RestoreHardLimits = z.strictObject({ reason: Reason.default('by hand') });
export type RestoreHardLimits = z.infer<typeof RestoreHardLimits>;

/**
 * Ends an override. An operator sends this command, or the process sends it when an override's end has passed. An event
 * therefore records every change of the limits (`decisions.md` 17).
 */
export function restoreHardLimits({ reason }: RestoreHardLimits, { override }: Organization): Decision {
  return override ? [{ type: 'HardLimitsRestored', data: { reason } }] : [];
}
