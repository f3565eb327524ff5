import { ada, added, as, bob, cyd, founded, given, on } from '../testing/organization.testing';
import { ownerNames, stewardNames, whenClosed, whoMay } from '../testing/who-may.testing';

const remove = (member: string) => ({ type: 'RemoveMember', data: { member } }) as const;
const removed = (member: string) => ({ type: 'MemberRemoved', data: { member } }) as const;
const team = [founded, added(ada, 'owner'), added(bob, 'admin'), added(cyd)];

describe('RemoveMember', () => {
  it.each([bob, cyd])('is recorded for the member %s', (member) => {
    expect(given(...team).when(remove(member))).toEqual([removed(member)]);
  });

  it('is refused a second time', () => {
    expect(given(...team, removed(cyd)).when(remove(cyd))).toMatchObject({ refused: 'no-such-member' });
    expect(given(founded).when(remove(ada))).toMatchObject({ refused: 'no-such-member' });
  });

  it('makes room for another member', () => {
    const full = [founded, on('second/solo'), added(ada)];
    const addBob = { type: 'AddMember', data: { member: bob, role: 'member' } } as const;
    expect(given(...full).when(addBob)).toMatchObject({ refused: 'limit-exceeded' });
    expect(given(...full, removed(ada)).when(addBob)).toEqual([added(bob)]);
  });

  it('is refused for the last owner', () => {
    expect(given(...team).when(remove(ada))).toMatchObject({ refused: 'last-owner' });
    const both = [...team, added('dddddddd-0000-4000-8000-000000000004', 'owner')];
    expect(given(...both).when(remove(ada))).toEqual([removed(ada)]);
  });

  it('may remove an owner if the sender is an owner or operator, but not if the sender is an admin', () => {
    expect(whoMay(remove(ada), ...team)).toEqual(ownerNames);
    expect(given(...team).when(remove(ada), as(bob))).toMatchObject({
      refused: 'not-allowed',
      detail:
        'To remove an owner, the caller needs one of these roles or scopes: owner, operator, organizations:write.',
    });
  });

  it("ends the member's permissions at once", () => {
    const command = { type: 'RenameOrganization', data: { name: 'Other' } } as const;
    expect(given(...team, removed(bob)).when(command, as(bob))).toMatchObject({ refused: 'no-such-organization' });
  });

  it('that removes no owner may be executed by admins, owners and operators until the organization is closed', () => {
    expect(whoMay(remove(cyd), ...team)).toEqual(stewardNames);
    expect(whenClosed(remove(ada), {}, added(ada))).toBe('organization-closed');
  });
});
