import { z } from 'zod';
import type { Decision } from '../decision';
import type { Organization } from '../state';

export const ChangeParallelUse = z.strictObject({ parallelUse: z.boolean().nullable() });
export type ChangeParallelUse = z.infer<typeof ChangeParallelUse>;

/**
 * The customer decides about parallel use. Parallel use affects only the recipients of notifications (`decisions.md` 9,
 * 15).
 */
export function changeParallelUse({ parallelUse }: ChangeParallelUse, organization: Organization): Decision {
  return organization.parallelUse === parallelUse ? [] : [{ type: 'ParallelUseChanged', data: { parallelUse } }];
}
