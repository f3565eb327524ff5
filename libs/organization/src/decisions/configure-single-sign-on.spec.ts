import { founded, given } from '../testing/organization.testing';
import { ownerNames, whenClosed, whoMay } from '../testing/who-may.testing';

const issuer = 'https://login.acme.test';
const configure = (clientId: string, from = issuer) =>
  ({ type: 'ConfigureSingleSignOn', data: { issuer: from, clientId } }) as const;
const configured = { type: 'SingleSignOnConfigured', data: { issuer, clientId: 'charter' } } as const;

describe('ConfigureSingleSignOn', () => {
  it('records the issuer and the client id once, however often the command is sent', () => {
    expect(given(founded).when(configure('charter'))).toEqual([configured]);
    expect(given(founded, configured).when(configure('charter'))).toEqual([]);
  });

  it.each([
    ['another client', configure('other')],
    ['another issuer', configure('charter', 'https://login.other.test')],
  ])('replaces the earlier configuration with %s', (_what, command) => {
    expect(given(founded, configured).when(command)).toEqual([{ type: 'SingleSignOnConfigured', data: command.data }]);
  });

  it('may be executed by owners and operators until the organization is closed', () => {
    expect(whoMay(configure('charter'), founded)).toEqual(ownerNames);
    expect(whenClosed(configure('charter'))).toBe('organization-closed');
  });
});
