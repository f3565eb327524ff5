import { founded, given } from '../testing/organization.testing';
import { ownerNames, whenClosed, whoMay } from '../testing/who-may.testing';

const remove = { type: 'RemoveSingleSignOn', data: {} } as const;
const removed = { type: 'SingleSignOnRemoved', data: {} } as const;
const configured = {
  type: 'SingleSignOnConfigured',
  data: { issuer: 'https://login.acme.test', clientId: 'charter' },
} as const;

describe('RemoveSingleSignOn', () => {
  it('is recorded once, however often it is sent', () => {
    expect(given(founded, configured).when(remove)).toEqual([removed]);
    expect(given(founded, configured, removed).when(remove)).toEqual([]);
    expect(given(founded, configured, removed).state().singleSignOn).toBeNull();
  });

  it('records nothing when no single sign-on is configured', () => {
    expect(given(founded).when(remove)).toEqual([]);
  });

  it('may be executed by owners and operators until the organization is closed', () => {
    expect(whoMay(remove, founded, configured)).toEqual(ownerNames);
    expect(whenClosed(remove, {}, configured)).toBe('organization-closed');
  });
});
