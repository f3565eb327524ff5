import { refuse } from '@charter/decider';
import { z } from 'zod';
import { type Circumstances, type Decision, exceeded } from '../decision';
import type { Organization } from '../organization';
import { isAny, owners } from '../permission';
import { Id, Role } from '../words';

export const AddMember = z.strictObject({ member: Id, role: Role });
export type AddMember = z.infer<typeof AddMember>;

export function addMember(
  { member, role }: AddMember,
  organization: Organization,
  { standing, at }: Circumstances,
): Decision {
  const held = organization.members[member]?.role;

  if (held === role) return []; // asked twice, happened once
  if (held) return refuse('already-a-member', `They are ${held} here.`, { role: held });
  if (role === 'owner' && !isAny(owners, standing)) return refuse('not-allowed', 'Only an owner can name another.');

  const full = exceeded('members', organization, at);
  return full ?? [{ type: 'MemberAdded', data: { member, role } }];
}
