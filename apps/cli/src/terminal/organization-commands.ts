import { type Charter, organizationCommands, type OrganizationCommands } from '@charter/application';

/** Commands given by hand. None of them removes a member or closes an organization, so nothing is done after them. */
export const commandLineCommands = ({ organizations }: Pick<Charter, 'organizations'>): OrganizationCommands =>
  organizationCommands(organizations, { after: [] });
