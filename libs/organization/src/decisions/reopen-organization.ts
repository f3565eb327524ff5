import { z } from 'zod';
import type { Decision } from '../decision';
import type { Organization } from '../state';
import { Reason } from '../words';

export const ReopenOrganization = z.strictObject({ reason: Reason });
export type ReopenOrganization = z.infer<typeof ReopenOrganization>;

export function reopenOrganization({ reason }: ReopenOrganization, organization: Organization): Decision {
  return organization.closed ? [{ type: 'OrganizationReopened', data: { reason } }] : [];
}
