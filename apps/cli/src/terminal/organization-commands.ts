import { type Charter, organizationCommands, type OrganizationCommands } from '@charter/application';

/**
 * Commands of the command line, executed without after-effects. They need none: no command closes an organization, and
 * only an erasure removes a member. The erasure deletes the account's links itself.
 */
export const commandLineCommands = ({ organizations }: Pick<Charter, 'organizations'>): OrganizationCommands =>
  organizationCommands(organizations, { after: [] });
