import { refuse } from '@charter/decider';
import { z } from 'zod';
import type { Decision } from '../decision';
import type { Organization } from '../state';
import { Id } from '../words';

export const UnflagProductUser = z.strictObject({ member: Id });
export type UnflagProductUser = z.infer<typeof UnflagProductUser>;

export function unflagProductUser({ member }: UnflagProductUser, { members }: Organization): Decision {
  const held = members[member];
  if (!held) return refuse('no-such-member', 'This account is not a member of the organization.');
  return held.productUser ? [{ type: 'ProductUserUnflagged', data: { member } }] : [];
}
