import type { Actor } from '@charter/decider';
import type { Organization } from './state';

/** The roles of an actor in one organization: the role as a member, the platform role, or the scopes of an API key. */
export type ActorRoles = readonly string[];

/**
 * The roles of each row in the table of permissions (`decisions.md`, Who may do what). Only these roles may execute the
 * row's commands.
 */
export const readers = ['member', 'admin', 'owner', 'auditor', 'operator', 'organizations:read'] as const;
export const stewards = ['admin', 'owner', 'operator', 'organizations:write'] as const;
export const owners = ['owner', 'operator', 'organizations:write'] as const;
/** The roles that may prove e-mail domains. A domain decides who may sign in, so no API key may prove a domain. */
export const domainOwners = ['owner', 'operator'] as const;
/** The roles that buy at a payment provider. An operator assigns plans without a payment. */
export const buyers = ['owner'] as const;
export const operators = ['operator', 'organizations:operate'] as const;
export const sellers = ['operator', 'billing:write'] as const;
/** The roles that may compare what an organization has paid for with what it was granted. */
export const billingReaders = ['admin', 'owner', 'operator', 'billing:write'] as const;
/** The roles that may read the flags of an organization. An auditor of the platform may not (`decisions.md`). */
export const flagReaders = ['member', 'admin', 'owner', 'operator', 'flags:read'] as const;
/** The roles that may see who has read a history. */
export const supervisors = ['owner', 'auditor', 'operator'] as const;
export const auditors = ['admin', 'owner', 'auditor', 'operator', 'audit:read'] as const;

/**
 * The roles of an actor in an organization: the actor's powers, which each request looks up, and the membership role
 * from the organization's stream. Only people have membership roles. An API key whose id equals a member's id has no
 * membership role.
 */
export function actorRolesOf({ kind, id, powers }: Actor, { members }: Pick<Organization, 'members'>): ActorRoles {
  const role = kind === 'account' && Object.hasOwn(members, id) ? members[id]!.role : undefined;
  return role ? [...powers, role] : powers;
}

export const hasAnyRole = (allowed: readonly string[], roles: ActorRoles): boolean =>
  roles.some((role) => allowed.includes(role));
