import { type Charter, organizationCommands, type OrganizationCommands } from '@charter/application';

/**
 * Executes the organization commands that the command line sends. No further work is needed after a command (`after` is
 * empty): no command of the command line closes an organization, and only an erasure removes a member. The erasure
 * itself deletes the account's links.
 */
export const commandLineCommands = ({ organizations }: Pick<Charter, 'organizations'>): OrganizationCommands =>
  organizationCommands(organizations, { after: [] });
