import type { Actor } from '@charter/decider';
import type { OrganizationCommand } from './commands';
import type { OrganizationEvent } from './events';
import { standingOf } from './standing';
import { commands } from './testing/every-command.testing';
import { ada, added, as, billing, bob, closed, cyd, founded, given, withKey } from './testing/organization.testing';

const open: readonly OrganizationEvent[] = [founded, added(ada, 'owner'), added(bob, 'admin'), added(cyd)];
const shut: readonly OrganizationEvent[] = [...open, closed];

const actors: readonly (readonly [name: string, actor: Actor])[] = [
  ['an owner', as(ada).actor],
  ['an administrator', as(bob).actor],
  ['a member', as(cyd).actor],
  ['an auditor', as('aud', 'auditor').actor],
  ['an operator', as('op', 'operator').actor],
  ['billing', billing('m-1').actor],
  ['a key to read', withKey('organizations:read').actor],
  ['a key to write', withKey('organizations:write').actor],
  ['a key with two scopes', withKey('audit:read', 'organizations:operate').actor],
  ['a key for flags', withKey('flags:read').actor],
];
const standing = (actor: Actor, events = open) => standingOf(actor, given(...events).state());

/**
 * The types of commands that the rules accept from this actor. Also the types that the rules refuse for other reasons
 * than the actor or the closed organization.
 */
const decided = (actor: Actor, events: readonly OrganizationEvent[]) =>
  commands
    .filter((command) => {
      // no request sends these commands
      if (['FoundOrganization', 'LoseEmailDomain'].includes(command.type)) return false;
      // cyd is not a member yet, but ada is an owner
      const data = 'member' in command.data ? { ...command.data, member: cyd } : command.data;
      const decision = given(...events).when({ ...command, data } as OrganizationCommand, { actor });
      const refusals = ['not-allowed', 'no-such-organization', 'organization-closed'];
      return !('refused' in decision) || !refusals.includes(decision.refused);
    })
    .map(({ type }) => type);

describe.each(actors)('The standing of %s', (_, actor) => {
  it.each([
    ['an open', open],
    ['a closed', shut],
  ])('names the commands that the rules of %s organization permit', (_state, events) => {
    expect(new Set(standing(actor, events).may)).toEqual(new Set(decided(actor, events)));
  });
});

describe('Standing', () => {
  it('names the roles that the actor has, and the roles that the actor may give', () => {
    const grants = Object.fromEntries(actors.map(([name, actor]) => [name, standing(actor).grants]));
    expect(grants).toMatchObject({
      'an owner': ['owner', 'admin', 'member'],
      'an administrator': ['admin', 'member'],
      'a member': [],
      'an auditor': [],
      'an operator': ['owner', 'admin', 'member'],
      'a key to write': ['owner', 'admin', 'member'],
    });
    expect(standing(as(bob, 'operator').actor).roles).toEqual(['operator', 'admin']);
    expect(standing(as(ada).actor, shut).grants).toEqual([]);
  });

  it('names the data that the actor may read, even after the organization was closed', () => {
    const reads = Object.fromEntries(actors.map(([name, actor]) => [name, standing(actor, shut).reads]));
    expect(reads).toMatchObject({
      'an owner': ['document', 'names', 'history', 'export', 'readers', 'billing', 'singleSignOn', 'verifiedDomains'],
      'an administrator': ['document', 'names', 'history', 'export', 'billing'],
      'a member': ['document'],
      'an auditor': ['document', 'names', 'history', 'export', 'readers'],
      'an operator': [
        'document',
        'names',
        'history',
        'export',
        'readers',
        'billing',
        'singleSignOn',
        'verifiedDomains',
      ],
      billing: ['billing'],
      'a key to read': ['document'],
      'a key to write': ['singleSignOn'],
      'a key with two scopes': ['names', 'history', 'export'],
      'a key for flags': [],
    });
  });
});
