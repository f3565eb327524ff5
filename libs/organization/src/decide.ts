import { type CommandContext, type Decider, isRefusal, refuse } from '@charter/decider';
import type { Catalogue } from './catalogue';
import { type CommandOf, commandRows, type CommandType, type OrganizationCommand } from './commands';
import { type DecisionContext, type Decision, notAllowed, type RefusalReason } from './decision';
import { eventFlaw, evolve, type OrganizationEvent } from './events';
import { initial, type Organization, type OrganizationDraft } from './state';
import { hasAnyRole, actorRolesOf } from './permission';
import { isOpenFor } from './standing';

export type OrganizationDecider = Decider<OrganizationDraft, OrganizationCommand, OrganizationEvent, RefusalReason>;

/** The rules for organizations. A sale takes its terms from the given catalogue. */
export const organizationDecider = (catalogue: Catalogue): OrganizationDecider => ({
  initial,
  evolve,
  flawOf: eventFlaw,
  decide: (command, organization, context) => decide(command, organization, context, catalogue),
});

function decide<Type extends CommandType>(
  { type, data }: CommandOf<Type>,
  organization: Organization,
  context: CommandContext,
  catalogue: Catalogue,
): Decision {
  const { may, decide: rule } = commandRows[type];
  const roles = actorRolesOf(context.actor, organization);

  // A caller without a role gets the refusal for a missing organization, so that the refusal does not reveal whether
  // the organization exists.
  if (type !== 'FoundOrganization' && (!organization.name || roles.length === 0)) return noSuchOrganization;
  if (!hasAnyRole(may, roles)) return notAllowed(may);
  if (!isOpenFor(type, context.actor, organization))
    return refuse('organization-closed', 'The organization is closed. Reopen it first.');
  const decisionContext: DecisionContext = {
    roles: roles,
    at: context.at,
    catalogue,
    message: context.message ?? null,
    mergesEqualMessages: context.mergesEqualMessages ?? false,
  };
  return rule(data, organization, decisionContext);
}

/**
 * `may`: whether an actor may execute a command on this state. `takes`: roles and scopes; each of them permits the
 * command. An actor whom an earlier command has removed may execute nothing. The rules can still refuse a permitted
 * command.
 */
export function permissionOf(
  command: OrganizationCommand,
  organization: Organization,
  context: CommandContext,
  catalogue: Catalogue,
): Readonly<{ may: boolean; takes: readonly string[] }> {
  const decision = decide(command, organization, context, catalogue);
  const refusal = isRefusal<RefusalReason>(decision) ? decision : undefined;
  const takes = (refusal?.facts as { takes?: readonly string[] } | undefined)?.takes;
  const isForbidden = refusal?.refused === 'not-allowed' || refusal?.refused === 'no-such-organization';
  return { may: !isForbidden, takes: takes ?? commandRows[command.type].may };
}

/** The refusal for a missing organization, and also for an organization that the caller may not see. */
export const noSuchOrganization = refuse(
  'no-such-organization',
  'There is no such organization, or you have no access to it.',
);

/** The refusal of a query about a moment before the founding, for callers with access to the organization. */
export const notFoundedYet = ({ founded }: Organization) =>
  refuse('no-such-organization', `The organization was founded at ${founded.at}. It did not exist before.`);
