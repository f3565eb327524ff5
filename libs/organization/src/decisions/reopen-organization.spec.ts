import { ada, added, closed, founded, given, on } from '../testing/organization.testing';
import { operatorNames, whoMay } from '../testing/who-may.testing';

const reopen = { type: 'ReopenOrganization', data: { reason: 'came back' } } as const;
const reopened = { type: 'OrganizationReopened', data: { reason: 'came back' } } as const;

describe('ReopenOrganization', () => {
  it('records the reason once, however often the command is sent', () => {
    expect(given(founded, closed).when(reopen)).toEqual([reopened]);
    expect(given(founded, closed, reopened).when(reopen)).toEqual([]);
  });

  it('records nothing if the organization is open', () => {
    expect(given(founded).when(reopen)).toEqual([]);
  });

  it('restores the features that the organization had before closing', () => {
    const life = [founded, on('second/teams'), added(ada)];
    expect(given(...life, closed, reopened).state()).toEqual(given(...life).state());
  });

  it('may be executed only by operators', () => {
    expect(whoMay(reopen, founded, closed)).toEqual(operatorNames);
  });
});
