import { refuse } from '@charter/decider';
import { z } from 'zod';
import type { Decision } from '../decision';
import type { Organization } from '../state';
import { Id } from '../words';

export const FlagProductUser = z.strictObject({ member: Id });
export type FlagProductUser = z.infer<typeof FlagProductUser>;

/** In parallel use, the second line notifies those who are flagged (`specification.md` §6). */
export function flagProductUser({ member }: FlagProductUser, { members }: Organization): Decision {
  const held = members[member];
  if (!held) return refuse('no-such-member', 'They are no member here.');
  return held.productUser ? [] : [{ type: 'ProductUserFlagged', data: { member } }];
}
