import { founded, given } from '../testing/organization.testing';
import { stewardNames, whenClosed, whoMay } from '../testing/who-may.testing';

const rename = (name: string) => ({ type: 'RenameOrganization', data: { name } }) as const;
const renamed = { type: 'OrganizationRenamed', data: { name: 'Acme & Sons' } } as const;

describe('RenameOrganization', () => {
  it('records the new name once, however often the command is sent', () => {
    expect(given(founded).when(rename('Acme & Sons'))).toEqual([renamed]);
    expect(given(founded, renamed).when(rename('Acme & Sons'))).toEqual([]);
    expect(given(founded, renamed).state().name).toBe('Acme & Sons');
  });

  it('records nothing if the name equals the founding name', () => {
    expect(given(founded).when(rename('Acme'))).toEqual([]);
  });

  it('is refused before the organization is founded', () => {
    expect(given().when(rename('Acme'))).toMatchObject({ refused: 'no-such-organization' });
  });

  it('may be executed by admins, owners and operators until the organization is closed', () => {
    expect(whoMay(rename('Other'), founded)).toEqual(stewardNames);
    expect(whenClosed(rename('Other'))).toBe('organization-closed');
  });
});
