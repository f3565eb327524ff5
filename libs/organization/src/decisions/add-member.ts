import { refuse } from '@charter/decider';
import { z } from 'zod';
import { type DecisionContext, type Decision, limitExceeded, onlyOwnersMay } from '../decision';
import type { Organization } from '../state';
import { hasAnyRole, owners } from '../permission';
import { MemberRole } from '../terms';
import { Id } from '../words';

export const AddMember = z.strictObject({ member: Id, role: MemberRole });
export type AddMember = z.infer<typeof AddMember>;

export function addMember(
  { member, role }: AddMember,
  organization: Organization,
  { roles, at }: DecisionContext,
): Decision {
  const held = organization.members[member]?.role;

  if (held === role) return []; // a repeated command records no event
  if (held)
    return refuse('already-a-member', `This account is already a member, with the role ${held}.`, { role: held });
  if (role === 'owner' && !hasAnyRole(owners, roles)) return onlyOwnersMay('add an owner');

  const full = limitExceeded('members', organization, at);
  return full ?? [{ type: 'MemberAdded', data: { member, role } }];
}
