import { refuse } from '@charter/decider';
import { z } from 'zod';
import { type DecisionContext, type Decision, onlyOwnersMay } from '../decision';
import { isLastOwner, type Organization } from '../state';
import { hasAnyRole, owners } from '../permission';
import { MemberRole } from '../terms';
import { Id } from '../words';

export const ChangeRole = z.strictObject({ member: Id, role: MemberRole });
export type ChangeRole = z.infer<typeof ChangeRole>;

export function changeRole(
  { member, role }: ChangeRole,
  organization: Organization,
  { roles }: DecisionContext,
): Decision {
  const held = organization.members[member]?.role;

  if (!held) return refuse('no-such-member', 'This account is not a member of the organization.');
  if (held === role) return [];
  if ((held === 'owner' || role === 'owner') && !hasAnyRole(owners, roles))
    return onlyOwnersMay('give or take the role owner');
  if (isLastOwner(member, organization)) return refuse('last-owner', 'An organization keeps at least one owner.');
  return [{ type: 'MemberRoleChanged', data: { member, role } }];
}
