import { type Charter, organizationCommands, type OrganizationCommands } from '@charter/application';

/**
 * Executes the commands of the command line, without after-effects. They need none: no command closes an organization,
 * and only an erasure removes a member. The erasure itself deletes the account's links.
 */
export const commandLineCommands = ({ organizations }: Pick<Charter, 'organizations'>): OrganizationCommands =>
  organizationCommands(organizations, { after: [] });
