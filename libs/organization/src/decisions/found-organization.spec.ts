import { ada, added, as, bob, closed, founded, given } from '../testing/organization.testing';
import { operatorNames, whoMay } from '../testing/who-may.testing';

const found = (name = 'Acme') => ({ type: 'FoundOrganization', data: { name } }) as const;

describe('FoundOrganization', () => {
  it('records only the name if it names no owner', () => {
    expect(given().when(found())).toEqual([founded]);
  });

  it('adds the named owner as the first member', () => {
    const founding = { type: 'FoundOrganization', data: { name: 'Acme', owner: ada } } as const;
    expect(given().when(founding)).toEqual([founded, added(ada, 'owner')]);
  });

  it.each(['Acme', 'Other'])('is refused for an existing organization, even with the name %s', (name) => {
    expect(given(founded).when(found(name))).toMatchObject({ refused: 'already-founded' });
  });

  it('is refused for a closed organization', () => {
    expect(given(founded, closed).when(found())).toMatchObject({ refused: 'organization-closed' });
  });

  it('may be executed only by operators; other actors get `not-allowed`', () => {
    expect(whoMay(found())).toEqual(operatorNames);
    expect(given().when(found(), as(bob))).toMatchObject({ refused: 'not-allowed' });
  });
});
