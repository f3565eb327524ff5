import type { Actor } from '@charter/decider';
import { commandRows, type CommandType, permissions } from './commands';
import { keysOf } from './each';
import {
  actorRolesOf,
  type ActorRoles,
  auditors,
  billingReaders,
  domainOwners,
  hasAnyRole,
  owners,
  readers,
  stewards,
  supervisors,
} from './permission';
import type { Organization } from './state';
import { MemberRole } from './terms';

/** The kinds of data about an organization, each with the roles that may read this data. */
const reads = {
  document: readers,
  names: auditors,
  history: auditors,
  export: auditors,
  readers: supervisors,
  billing: billingReaders,
  singleSignOn: owners,
  verifiedDomains: domainOwners,
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type Readable = keyof typeof reads;
export const readables: readonly Readable[] = keysOf(reads);

/** The permissions of an actor in an organization's present state. */
export type ActorStanding = Readonly<{
  roles: ActorRoles;
  may: readonly CommandType[];
  reads: readonly Readable[];
  /** The roles that the actor may give to a member. */
  grants: readonly MemberRole[];
}>;

/**
 * The permissions of an actor, from the table that also decides commands. A rule can still refuse a permitted command,
 * for example beyond a limit.
 */
export function standingOf(actor: Actor, organization: Organization): ActorStanding {
  const roles = actorRolesOf(actor, organization);
  const may = keysOf(permissions).filter(
    (type) => !withoutRequest.includes(type) && isPermitted(type, actor, organization),
  );
  return {
    roles,
    may,
    reads: readables.filter((readable) => hasAnyRole(reads[readable], roles)),
    grants: may.includes('AddMember') ? grantsOf(roles) : [],
  };
}

/** No request about an existing organization sends these commands. Only the daily check sends `LoseEmailDomain`. */
const withoutRequest: readonly CommandType[] = ['FoundOrganization', 'LoseEmailDomain'];

/** Whether the table permits the actor to execute commands of this type in the organization's present state. */
function isPermitted(type: CommandType, actor: Actor, organization: Organization): boolean {
  return hasAnyRole(commandRows[type].may, actorRolesOf(actor, organization)) && isOpenFor(type, actor, organization);
}

/** Whether the organization is open, or is closed but still accepts this type from this actor (`decisions.md` 27). */
export function isOpenFor(type: CommandType, { kind }: Actor, organization: Organization): boolean {
  const { closed } = commandRows[type];
  return (
    organization.closed === null ||
    closed === 'also when closed' ||
    (closed === 'billing when closed' && kind === 'billing')
  );
}

const grantsOf = (roles: ActorRoles): readonly MemberRole[] =>
  MemberRole.options.filter((role) => hasAnyRole(role === 'owner' ? owners : stewards, roles));
