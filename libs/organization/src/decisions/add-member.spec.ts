import {
  ada,
  added,
  as,
  bob,
  bought,
  cyd,
  founded,
  given,
  now,
  on,
  overridden,
  withKey,
} from '../testing/organization.testing';
import type { MemberRole } from '../terms';
import { ownerNames, stewardNames, whenClosed, whoMay } from '../testing/who-may.testing';

const add = (member: string, role: MemberRole = 'member') => ({ type: 'AddMember', data: { member, role } }) as const;

describe('AddMember', () => {
  it('records the new member once, however often the command is sent', () => {
    expect(given(founded, on('second/solo')).when(add(ada))).toEqual([added(ada)]);
    expect(given(founded, on('second/solo'), added(ada)).when(add(ada))).toEqual([]);
  });

  it('is refused when the members have reached the limit, and the refusal names the events behind the limit', () => {
    const because = [
      { kind: 'plan', what: 'second/solo', amount: 1, event: 1, at: now },
      { kind: 'hard-limit', what: 'second/solo', amount: 2, event: 1, at: now },
    ];
    expect(given(founded, on('second/solo'), added(ada)).when(add(bob))).toMatchObject({
      refused: 'limit-exceeded',
      facts: { limit: 'users', allowed: 1, used: 1, requested: 1, hard: 2, because },
    });
  });

  it('is refused with one sentence if the limit is reached, and with another sentence if it is exceeded', () => {
    const { when } = given(founded, on('second/solo'), added(ada));
    expect(when(add(bob))).toMatchObject({ detail: '1 of 1 users are taken.' });
    const over = given(founded, on('second/solo'), added(ada), added(bob));
    expect(over.when(add(cyd))).toMatchObject({ detail: '2 users are in use, and 1 allowed.' });
  });

  it('is refused at the hard limit even if more users are bought, until an operator overrides the limit', () => {
    const full = [founded, on('second/solo'), bought(3, 'additionalUser'), added(ada), added(bob)];
    expect(given(...full).when(add(cyd))).toMatchObject({ refused: 'limit-exceeded' });
    expect(given(...full, overridden).when(add(cyd))).toEqual([added(cyd)]);
  });

  it('is accepted without a limit before the first plan', () => {
    expect(given(founded, added(ada), added(bob)).when(add(cyd))).toEqual([added(cyd)]);
  });

  it('may add an owner if the sender is an owner, but not if the sender is an admin', () => {
    const team = [founded, on('second/teams'), added(ada, 'owner'), added(bob, 'admin')];
    expect(given(...team).when(add(cyd, 'owner'), as(bob))).toMatchObject({
      refused: 'not-allowed',
      detail: 'To add an owner, the caller needs one of these roles or scopes: owner, operator, organizations:write.',
    });
    expect(given(...team).when(add(cyd, 'owner'), as(ada))).toEqual([added(cyd, 'owner')]);
  });

  it('is refused for a member and for an API key without the scope; a caller without a role gets `no-such-organization`', () => {
    const team = given(founded, added(ada));
    expect(team.when(add(cyd), as(ada))).toMatchObject({ refused: 'not-allowed' });
    expect(team.when(add(cyd), withKey('organizations:read'))).toMatchObject({ refused: 'not-allowed' });
    expect(team.when(add(cyd), as(bob))).toMatchObject({ refused: 'no-such-organization' });
  });

  it('may be executed by admins, owners and operators until the organization is closed', () => {
    expect(whoMay(add(ada), founded)).toEqual(stewardNames);
    expect(whoMay(add(ada, 'owner'), founded)).toEqual(ownerNames);
    expect(whenClosed(add(ada))).toBe('organization-closed');
  });

  it("is refused if the account is already a member, and the refusal contains the member's role", () => {
    expect(given(founded, added(ada, 'admin')).when(add(ada))).toMatchObject({
      refused: 'already-a-member',
      facts: { role: 'admin' },
    });
  });
});
