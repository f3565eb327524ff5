import { ada, added, closed, founded, given, on } from '../testing/organization.testing';
import { operators, whoMay } from '../testing/who-may.testing';

const reopen = { type: 'ReopenOrganization', data: { reason: 'came back' } } as const;
const reopened = { type: 'OrganizationReopened', data: { reason: 'came back' } } as const;

describe('reopening an organization', () => {
  it('records why, once', () => {
    expect(given(founded, closed).when(reopen)).toEqual([reopened]);
    expect(given(founded, closed, reopened).when(reopen)).toEqual([]);
  });

  it('is nothing new when it was never closed', () => {
    expect(given(founded).when(reopen)).toEqual([]);
  });

  it('gives everything back as it was', () => {
    const life = [founded, on('second/teams'), added(ada)];
    expect(given(...life, closed, reopened).state()).toEqual(given(...life).state());
  });

  it('is the word of operators', () => {
    expect(whoMay(reopen, founded, closed)).toEqual(operators);
  });
});
