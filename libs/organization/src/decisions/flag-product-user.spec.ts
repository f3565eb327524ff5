import { ada, added, bob, founded, given } from '../testing/organization.testing';
import { stewardNames, whenClosed, whoMay } from '../testing/who-may.testing';

const flag = (member: string) => ({ type: 'FlagProductUser', data: { member } }) as const;
const flagged = { type: 'ProductUserFlagged', data: { member: ada } } as const;
const unflagged = { type: 'ProductUserUnflagged', data: { member: ada } } as const;
const before = [founded, added(ada)];

describe('FlagProductUser', () => {
  it('is recorded once, however often it is sent', () => {
    expect(given(...before).when(flag(ada))).toEqual([flagged]);
    expect(given(...before, flagged).when(flag(ada))).toEqual([]);
    expect(given(...before, flagged).state().members[ada]!.productUser).toBe(true);
  });

  it('is recorded again after UnflagProductUser has reversed it', () => {
    expect(given(...before, flagged, unflagged).when(flag(ada))).toEqual([flagged]);
  });

  it('is refused for a person who is not a member', () => {
    expect(given(...before).when(flag(bob))).toMatchObject({ refused: 'no-such-member' });
  });

  it('may be executed by admins, owners and operators until the organization is closed', () => {
    expect(whoMay(flag(ada), ...before)).toEqual(stewardNames);
    expect(whenClosed(flag(ada), {}, added(ada))).toBe('organization-closed');
  });
});
