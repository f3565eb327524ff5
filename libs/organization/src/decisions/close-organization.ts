import { z } from 'zod';
import type { Decision } from '../decision';
import type { Organization } from '../state';
import { Reason } from '../words';

export const CloseOrganization = z.strictObject({ reason: Reason });
export type CloseOrganization = z.infer<typeof CloseOrganization>;

/**
 * Closes an organization. A closed organization refuses every command except ReopenOrganization and commands that
 * record outside facts, such as billing messages and traffic. Its history stays readable (`decisions.md` 27).
 */
export function closeOrganization({ reason }: CloseOrganization, organization: Organization): Decision {
  return organization.closed ? [] : [{ type: 'OrganizationClosed', data: { reason } }];
}
