import { z } from 'zod';
import type { Decision } from '../decision';
import type { Organization } from '../state';
import { Reason } from '../words';

export const CloseOrganization = z.strictObject({ reason: Reason });
export type CloseOrganization = z.infer<typeof CloseOrganization>;

/**
 * Closes an organization. A closed organization accepts only ReopenOrganization, a repeated CloseOrganization,
 * RestoreHardLimits, ReportTraffic, and billing's commands about plans and add-ons. Its history stays readable
 * (`decisions.md` 27).
 */
export function closeOrganization({ reason }: CloseOrganization, organization: Organization): Decision {
  return organization.closed ? [] : [{ type: 'OrganizationClosed', data: { reason } }];
}
