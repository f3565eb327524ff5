import { type Charter, organizationCommands, type OrganizationCommands } from '@charter/application';

/**
 * Commands given by hand, without after-effects. None of them closes an organization. Only an erasure removes a member,
 * and it deletes the links of the account itself.
 */
export const commandLineCommands = ({ organizations }: Pick<Charter, 'organizations'>): OrganizationCommands =>
  organizationCommands(organizations, { after: [] });
