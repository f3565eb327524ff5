import { refuse } from '@charter/decider';
import { z } from 'zod';
import type { Decision } from '../decision';
import type { Organization } from '../state';
import { Id } from '../words';

export const FlagProductUser = z.strictObject({ member: Id });
export type FlagProductUser = z.infer<typeof FlagProductUser>;

/** In parallel use, the second product line notifies only flagged members (`specification.md` §6). */
export function flagProductUser({ member }: FlagProductUser, { members }: Organization): Decision {
  const held = members[member];
  if (!held) return refuse('no-such-member', 'This account is not a member of the organization.');
  return held.productUser ? [] : [{ type: 'ProductUserFlagged', data: { member } }];
}
