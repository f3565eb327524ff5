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
  it('records the new member once', () => {
    expect(given(founded, on('second/solo')).when(add(ada))).toEqual([added(ada)]);
    expect(given(founded, on('second/solo'), added(ada)).when(add(ada))).toEqual([]);
  });

  it('is refused when the plan is full, and names the events behind the limit', () => {
    const because = [
      { kind: 'plan', what: 'second/solo', amount: 1, event: 1, at: now },
      { kind: 'hard-limit', what: 'second/solo', amount: 2, event: 1, at: now },
    ];
    expect(given(founded, on('second/solo'), added(ada)).when(add(bob))).toMatchObject({
      refused: 'limit-exceeded',
      facts: { limit: 'users', allowed: 1, used: 1, requested: 1, hard: 2, because },
    });
  });

  it('distinguishes a full list from an exceeded limit in its sentence', () => {
    const { when } = given(founded, on('second/solo'), added(ada));
    expect(when(add(bob))).toMatchObject({ detail: '1 of 1 users are taken.' });
    const over = given(founded, on('second/solo'), added(ada), added(bob));
    expect(over.when(add(cyd))).toMatchObject({ detail: '2 users are in use, and 1 allowed.' });
  });

  it('stops at the hard limit, however many seats are bought, until an override', () => {
    const full = [founded, on('second/solo'), bought(3, 'additionalUser'), added(ada), added(bob)];
    expect(given(...full).when(add(cyd))).toMatchObject({ refused: 'limit-exceeded' });
    expect(given(...full, overridden).when(add(cyd))).toEqual([added(cyd)]);
  });

  it('has no limit before the first plan', () => {
    expect(given(founded, added(ada), added(bob)).when(add(cyd))).toEqual([added(cyd)]);
  });

  it('lets only owners name an owner', () => {
    const team = [founded, on('second/teams'), added(ada, 'owner'), added(bob, 'admin')];
    expect(given(...team).when(add(cyd, 'owner'), as(bob))).toMatchObject({ refused: 'not-allowed' });
    expect(given(...team).when(add(cyd, 'owner'), as(ada))).toEqual([added(cyd, 'owner')]);
  });

  it('is refused to members and to keys without the scope, and hides the organization from strangers', () => {
    const team = given(founded, added(ada));
    expect(team.when(add(cyd), as(ada))).toMatchObject({ refused: 'not-allowed' });
    expect(team.when(add(cyd), withKey('organizations:read'))).toMatchObject({ refused: 'not-allowed' });
    expect(team.when(add(cyd), as(bob))).toMatchObject({ refused: 'no-such-organization' });
  });

  it('is open to stewards until the organization is closed', () => {
    expect(whoMay(add(ada), founded)).toEqual(stewardNames);
    expect(whoMay(add(ada, 'owner'), founded)).toEqual(ownerNames);
    expect(whenClosed(add(ada))).toBe('organization-closed');
  });

  it('names the role that the member already has', () => {
    expect(given(founded, added(ada, 'admin')).when(add(ada))).toMatchObject({
      refused: 'already-a-member',
      facts: { role: 'admin' },
    });
  });
});
