import { refuse } from '@charter/decider';
import { z } from 'zod';
import { type DecisionContext, type Decision, onlyOwnersMay } from '../decision';
import { isLastOwner, type Organization } from '../state';
import { hasAnyRole, owners } from '../permission';
import { Id } from '../words';

export const RemoveMember = z.strictObject({ member: Id });
export type RemoveMember = z.infer<typeof RemoveMember>;

export function removeMember(
  { member }: RemoveMember,
  organization: Organization,
  { roles }: DecisionContext,
): Decision {
  const held = organization.members[member]?.role;

  if (!held) return refuse('no-such-member', 'This account is not a member of the organization.');
  if (held === 'owner' && !hasAnyRole(owners, roles)) return onlyOwnersMay('remove an owner');
  if (isLastOwner(member, organization)) return refuse('last-owner', 'An organization keeps at least one owner.');
  return [{ type: 'MemberRemoved', data: { member } }];
}
