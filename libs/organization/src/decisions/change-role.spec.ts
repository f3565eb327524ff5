import { ada, added, as, bob, cyd, founded, given, withKey } from '../testing/organization.testing';
import { ownerNames, stewardNames, whenClosed, whoMay } from '../testing/who-may.testing';
import type { MemberRole } from '../terms';

const change = (member: string, role: MemberRole) => ({ type: 'ChangeRole', data: { member, role } }) as const;
const changed = (member: string, role: MemberRole) => ({ type: 'MemberRoleChanged', data: { member, role } }) as const;
const team = [founded, added(ada, 'owner'), added(bob, 'admin'), added(cyd)];

describe('ChangeRole', () => {
  it.each([
    [cyd, 'admin'],
    [cyd, 'owner'],
    [bob, 'member'],
    [bob, 'owner'],
  ] as const)('records once that %s now has the role %s', (member, role) => {
    expect(given(...team).when(change(member, role))).toEqual([changed(member, role)]);
    expect(given(...team, changed(member, role)).when(change(member, role))).toEqual([]);
    expect(given(...team, changed(member, role)).state().members[member]!.role).toBe(role);
  });

  it('is refused for a person who is not a member', () => {
    expect(given(founded, added(ada, 'owner')).when(change(bob, 'admin'))).toMatchObject({ refused: 'no-such-member' });
  });

  it.each(['admin', 'member'] as const)('never gives the last owner the role %s', (role) => {
    expect(given(...team).when(change(ada, role))).toMatchObject({ refused: 'last-owner' });
    expect(given(...team, changed(bob, 'owner')).when(change(ada, role))).toEqual([changed(ada, role)]);
  });

  it('records nothing when the last owner stays an owner', () => {
    expect(given(...team).when(change(ada, 'owner'))).toEqual([]);
  });

  it('may give and take the owner role if the sender is an owner or operator, but not if the sender is an admin', () => {
    const twoOwners = [founded, added(ada, 'owner'), added(cyd)];
    expect(whoMay(change(cyd, 'owner'), ...twoOwners)).toEqual(ownerNames);
    expect(whoMay(change(ada, 'member'), ...twoOwners)).toEqual(ownerNames);
    expect(given(...team).when(change(bob, 'owner'), as(bob))).toMatchObject({
      refused: 'not-allowed',
      detail:
        'To give or take the role owner, the caller needs one of these roles or scopes: owner, operator, organizations:write.',
    });
    expect(given(...team).when(change(bob, 'owner'), withKey('organizations:operate'))).toMatchObject({
      refused: 'not-allowed',
    });
  });

  it('that gives or takes no owner role may be executed by admins, owners and operators until the organization is closed', () => {
    expect(whoMay(change(cyd, 'admin'), ...team)).toEqual(stewardNames);
    expect(whenClosed(change(ada, 'admin'), {}, added(ada))).toBe('organization-closed');
  });
});
