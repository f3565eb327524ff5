import {
  type Charter,
  finishRemoval,
  forgetRemovedMembers,
  organizationCommands,
  type OrganizationCommands,
} from '@charter/application';

/**
 * Executes the organization commands that the command line sends. No command of the command line closes an
 * organization, so no work is needed for closed organizations.
 */
export const commandLineCommands = (charter: Charter): OrganizationCommands =>
  organizationCommands(charter.organizations, {
    after: [(executed) => forgetRemovedMembers(charter, executed)],
    failed: (failure) => finishRemoval(charter, failure),
  });
