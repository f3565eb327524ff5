import { z } from 'zod';
import type { Decision } from '../decision';
import type { Organization } from '../state';
import { Name } from '../words';

export const RenameOrganization = z.strictObject({ name: Name });
export type RenameOrganization = z.infer<typeof RenameOrganization>;

export function renameOrganization({ name }: RenameOrganization, organization: Organization): Decision {
  return name === organization.name ? [] : [{ type: 'OrganizationRenamed', data: { name } }];
}
