import { ada, added, bob, founded, given } from '../testing/organization.testing';
import { stewards, whenClosed, whoMay } from '../testing/who-may.testing';

const ask = (member: string) => ({ type: 'FlagProductUser', data: { member } }) as const;
const flagged = { type: 'ProductUserFlagged', data: { member: ada } } as const;
const unflagged = { type: 'ProductUserUnflagged', data: { member: ada } } as const;
const before = [founded, added(ada)];

describe('flagging a product user', () => {
  it('is recorded, once', () => {
    expect(given(...before).when(ask(ada))).toEqual([flagged]);
    expect(given(...before, flagged).when(ask(ada))).toEqual([]);
    expect(given(...before, flagged).state().members[ada]!.productUser).toBe(true);
  });

  it('can be taken back, and said again', () => {
    expect(given(...before, flagged, unflagged).when(ask(ada))).toEqual([flagged]);
  });

  it('is refused for someone who is no member', () => {
    expect(given(...before).when(ask(bob))).toMatchObject({ refused: 'no-such-member' });
  });

  it('is open to stewards, until the organization is closed', () => {
    expect(whoMay(ask(ada), ...before)).toEqual(stewards);
    expect(whenClosed(ask(ada), {}, added(ada))).toBe('organization-closed');
  });
});
