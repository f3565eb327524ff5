import type { Actor } from '@charter/decider';
import type { OrganizationCommand } from '../commands';
import type { OrganizationEvent } from '../events';
import type { MemberRole } from '../terms';
import { added, as, closed, founded, given, withKey } from './organization.testing';

/** An actor for each role in the table of `decisions.md`: membership roles, platform roles, and scopes of API keys. */
const roles = { member: id(1), admin: id(2), owner: id(3) } satisfies Record<MemberRole, string>;
const platform = ['auditor', 'operator'];
const scopes = [
  'organizations:read',
  'organizations:write',
  'organizations:operate',
  'billing:write',
  'audit:read',
  'flags:read',
];
const actors: Readonly<Record<string, { actor: Actor }>> = {
  ...Object.fromEntries(Object.entries(roles).map(([role, member]) => [role, as(member)])),
  ...Object.fromEntries(platform.map((power) => [power, as(id(4), power)])),
  ...Object.fromEntries(scopes.map((scope) => [scope, withKey(scope)])),
};

/** The names of the actors that have permission to execute a command. */
export const whoMay = (command: OrganizationCommand, ...events: readonly OrganizationEvent[]): string[] =>
  Object.entries(actors)
    .filter(([, context]) => {
      // The cast is safe, because the keys of `roles` are membership roles.
      const members = Object.entries(roles).map(([role, member]) => added(member, role as MemberRole));
      const answer = given(...events, ...members).when(command, context);
      return !('refused' in answer) || !['not-allowed', 'no-such-organization'].includes(answer.refused);
    })
    .map(([name]) => name);

/** The rows of the permission table, each as the list of names that `whoMay` returns. */
export const stewardNames = ['admin', 'owner', 'operator', 'organizations:write'];
export const ownerNames = ['owner', 'operator', 'organizations:write'];
export const operatorNames = ['operator', 'organizations:operate'];
export const sellerNames = ['operator', 'billing:write'];

/** The outcome of a command on a closed organization: the reason of its refusal, or the types of its events. */
export const whenClosed = (
  command: OrganizationCommand,
  context?: Parameters<ReturnType<typeof given>['when']>[1],
  ...before: readonly OrganizationEvent[]
): string | readonly string[] => {
  const answer = given(founded, ...before, closed).when(command, context);
  return 'refused' in answer ? answer.refused : answer.map(({ type }) => type);
};

function id(last: number) {
  return `cccccccc-0000-4000-8000-00000000000${last}`;
}
