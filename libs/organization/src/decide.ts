import { type CommandContext, type Decider, refuse } from '@charter/decider';
import type { Catalogue } from './catalogue';
import { type CommandOf, commandRows, type CommandType, type OrganizationCommand } from './commands';
import type { DecisionContext, Decision, RefusalReason } from './decision';
import { evolve, type OrganizationEvent } from './events';
import { initial, type Organization, type OrganizationDraft } from './state';
import { hasAnyRole, actorRolesOf } from './permission';

export type OrganizationDecider = Decider<OrganizationDraft, OrganizationCommand, OrganizationEvent, RefusalReason>;

/** The rules of organizations, selling from this catalogue. */
export const organizationDecider = (catalogue: Catalogue): OrganizationDecider => ({
  initial,
  evolve,
  decide: (command, organization, asked) => decide(command, organization, asked, catalogue),
});

function decide<Type extends CommandType>(
  { type, data }: CommandOf<Type>,
  organization: Organization,
  asked: CommandContext,
  catalogue: Catalogue,
): Decision {
  const { may, decide: rule } = commandRows[type];
  const standing = actorRolesOf(asked.actor, organization);

  // A stranger does not even learn that it exists.
  if (type !== 'FoundOrganization' && (!organization.name || standing.length === 0)) return noSuchOrganization;
  if (!hasAnyRole(may, standing)) return refuse('not-allowed', `This takes one of: ${may.join(', ')}.`);
  if (organization.closed && !countsWhenClosed(type, asked))
    return refuse('organization-closed', 'The organization is closed. Reopen it first.');
  const circumstances: DecisionContext = { roles: standing, at: asked.at, catalogue, message: asked.message ?? null };
  return rule(data, organization, circumstances);
}

/** For whoever may not know, what is there and what is not look alike. */
export const noSuchOrganization = refuse(
  'no-such-organization',
  'There is no such organization, or you may not know of it.',
);

function countsWhenClosed(type: CommandType, { actor }: CommandContext): boolean {
  const { closed } = commandRows[type];
  return closed === 'also when closed' || (closed === 'billing when closed' && actor.kind === 'billing');
}
