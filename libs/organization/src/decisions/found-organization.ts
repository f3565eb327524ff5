import { refuse } from '@charter/decider';
import { z } from 'zod';
import type { Decision } from '../decision';
import type { Organization } from '../state';
import { Id, Name } from '../words';

export const FoundOrganization = z.strictObject({ name: Name, owner: Id.optional() });
export type FoundOrganization = z.infer<typeof FoundOrganization>;

export function foundOrganization({ name, owner }: FoundOrganization, organization: Organization): Decision {
  if (organization.name) return refuse('already-founded', 'This organization already exists.');
  return [
    { type: 'OrganizationFounded', data: { name } },
    ...(owner ? [{ type: 'MemberAdded', data: { member: owner, role: 'owner' } } as const] : []),
  ];
}
