import type { Actor } from '@charter/decider';
import type { Organization } from './state';

/** What someone is here: their role in the organization, their platform role, or the scopes of their key. */
export type ActorRoles = readonly string[];

/** Who may do what, row by row (`decisions.md`, Who may do what). Everyone not named may not. */
export const readers = ['member', 'admin', 'owner', 'auditor', 'operator', 'organizations:read'] as const;
export const stewards = ['admin', 'owner', 'operator', 'organizations:write'] as const;
export const owners = ['owner', 'operator', 'organizations:write'] as const;
export const operators = ['operator', 'organizations:operate'] as const;
export const sellers = ['operator', 'billing:write'] as const;
export const auditors = ['admin', 'owner', 'auditor', 'operator', 'audit:read'] as const;

/**
 * The standing of someone in an organization. Powers come with the actor, looked up for this request; a role is read
 * from the organization's own stream. Only people have roles: a key with the id of a member is still a key.
 */
export function actorRolesOf({ kind, id, powers }: Actor, { members }: Pick<Organization, 'members'>): ActorRoles {
  const role = kind === 'account' && Object.hasOwn(members, id) ? members[id]!.role : undefined;
  return role ? [...powers, role] : powers;
}

export const hasAnyRole = (allowed: readonly string[], standing: ActorRoles): boolean =>
  standing.some((one) => allowed.includes(one));
