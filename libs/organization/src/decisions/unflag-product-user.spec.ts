import { ada, added, bob, founded, given } from '../testing/organization.testing';
import { stewards, whenClosed, whoMay } from '../testing/who-may.testing';

const ask = (member: string) => ({ type: 'UnflagProductUser', data: { member } }) as const;
const flagged = { type: 'ProductUserFlagged', data: { member: ada } } as const;
const unflagged = { type: 'ProductUserUnflagged', data: { member: ada } } as const;
const before = [founded, added(ada), flagged];

describe('unflagging a product user', () => {
  it('is recorded, once', () => {
    expect(given(...before).when(ask(ada))).toEqual([unflagged]);
    expect(given(...before, unflagged).when(ask(ada))).toEqual([]);
    expect(given(...before, unflagged).state().members[ada]!.productUser).toBe(false);
  });

  it('can be taken back, and said again', () => {
    expect(given(...before, unflagged, flagged).when(ask(ada))).toEqual([unflagged]);
  });

  it('is refused for someone who is no member', () => {
    expect(given(...before).when(ask(bob))).toMatchObject({ refused: 'no-such-member' });
  });

  it('is open to stewards, until the organization is closed', () => {
    expect(whoMay(ask(ada), ...before)).toEqual(stewards);
    expect(whenClosed(ask(ada), {}, added(ada))).toBe('organization-closed');
  });
});
