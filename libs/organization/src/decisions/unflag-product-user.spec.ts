import { ada, added, bob, founded, given } from '../testing/organization.testing';
import { stewardNames, whenClosed, whoMay } from '../testing/who-may.testing';

const unflag = (member: string) => ({ type: 'UnflagProductUser', data: { member } }) as const;
const flagged = { type: 'ProductUserFlagged', data: { member: ada } } as const;
const unflagged = { type: 'ProductUserUnflagged', data: { member: ada } } as const;
const before = [founded, added(ada), flagged];

describe('UnflagProductUser', () => {
  it('is recorded once, however often it is sent', () => {
    expect(given(...before).when(unflag(ada))).toEqual([unflagged]);
    expect(given(...before, unflagged).when(unflag(ada))).toEqual([]);
    expect(given(...before, unflagged).state().members[ada]!.productUser).toBe(false);
  });

  it('is recorded again after FlagProductUser has reversed it', () => {
    expect(given(...before, unflagged, flagged).when(unflag(ada))).toEqual([unflagged]);
  });

  it('is refused for a person who is not a member', () => {
    expect(given(...before).when(unflag(bob))).toMatchObject({ refused: 'no-such-member' });
  });

  it('may be executed by admins, owners and operators until the organization is closed', () => {
    expect(whoMay(unflag(ada), ...before)).toEqual(stewardNames);
    expect(whenClosed(unflag(ada), {}, added(ada))).toBe('organization-closed');
  });
});
