import { ada, added, as, bob, closed, founded, given } from '../testing/organization.testing';
import { operators, whoMay } from '../testing/who-may.testing';

const found = (name = 'Acme') => ({ type: 'FoundOrganization', data: { name } }) as const;

describe('founding an organization', () => {
  it('records its name, and no more', () => {
    expect(given().when(found())).toEqual([founded]);
  });

  it('makes the named owner its first member', () => {
    const founding = { type: 'FoundOrganization', data: { name: 'Acme', owner: ada } } as const;
    expect(given().when(founding)).toEqual([founded, added(ada, 'owner')]);
  });

  it.each(['Acme', 'Other'])('is refused when it exists already, as %s too', (name) => {
    expect(given(founded).when(found(name))).toMatchObject({ refused: 'already-founded' });
  });

  it('is refused when it exists and is closed', () => {
    expect(given(founded, closed).when(found())).toMatchObject({ refused: 'organization-closed' });
  });

  it('is the word of operators alone; others learn that they may not, for there is nothing to hide yet', () => {
    expect(whoMay(found())).toEqual(operators);
    expect(given().when(found(), as(bob))).toMatchObject({ refused: 'not-allowed' });
  });
});
