import { founded, given } from '../testing/organization.testing';
import { whenClosed, whoMay } from '../testing/who-may.testing';

const domain = 'acme.test';
const command = (type: 'ClaimEmailDomain' | 'ProveEmailDomain' | 'LoseEmailDomain' | 'ReleaseEmailDomain') =>
  ({ type, data: { domain } }) as const;
const change = (data: Readonly<{ automaticMembership?: boolean; managed?: boolean }>) =>
  ({ type: 'ChangeEmailDomainSettings', data: { domain, ...data } }) as const;
const event = (type: 'EmailDomainClaimed' | 'EmailDomainProven' | 'EmailDomainLost' | 'EmailDomainReleased') =>
  ({ type, data: { domain } }) as const;
const changed = (automaticMembership: boolean, managed: boolean) =>
  ({ type: 'EmailDomainSettingsChanged', data: { domain, automaticMembership, managed } }) as const;

const claimed = given(founded, event('EmailDomainClaimed'));
const proven = given(founded, event('EmailDomainClaimed'), event('EmailDomainProven'));
const refusedAs = (answer: unknown) => (answer as { refused?: string }).refused;

describe('E-mail domain', () => {
  it('is claimed once, however often the command is sent', () => {
    expect(given(founded).when(command('ClaimEmailDomain'))).toEqual([event('EmailDomainClaimed')]);
    expect(claimed.when(command('ClaimEmailDomain'))).toEqual([]);
    expect(proven.when(command('ClaimEmailDomain'))).toEqual([]);
  });

  it('is proven once, and only after a claim', () => {
    expect(refusedAs(given(founded).when(command('ProveEmailDomain')))).toBe('no-such-domain');
    expect(claimed.when(command('ProveEmailDomain'))).toEqual([event('EmailDomainProven')]);
    expect(proven.when(command('ProveEmailDomain'))).toEqual([]);
  });

  it('is lost only after its proof, and can be proven again', () => {
    expect(claimed.when(command('LoseEmailDomain'))).toEqual([]);
    expect(proven.when(command('LoseEmailDomain'))).toEqual([event('EmailDomainLost')]);
    const lost = given(founded, event('EmailDomainClaimed'), event('EmailDomainProven'), event('EmailDomainLost'));
    expect(lost.when(command('ProveEmailDomain'))).toEqual([event('EmailDomainProven')]);
  });

  it('can be released before and after its proof', () => {
    expect(refusedAs(given(founded).when(command('ReleaseEmailDomain')))).toBe('no-such-domain');
    expect(claimed.when(command('ReleaseEmailDomain'))).toEqual([event('EmailDomainReleased')]);
    expect(proven.when(command('ReleaseEmailDomain'))).toEqual([event('EmailDomainReleased')]);
  });

  it('has switches, which can be on only after the proof', () => {
    expect(refusedAs(given(founded).when(change({ managed: true })))).toBe('no-such-domain');
    expect(refusedAs(claimed.when(change({ managed: true })))).toBe('not-proven');
    expect(proven.when(change({ managed: true }))).toEqual([changed(false, true)]);
    expect(proven.when(change({ managed: false }))).toEqual([]);
  });

  it('keeps the value of a switch that the command does not contain', () => {
    const on = given(founded, event('EmailDomainClaimed'), event('EmailDomainProven'), changed(true, false));
    expect(on.when(change({ managed: true }))).toEqual([changed(true, true)]);
  });

  it('has its switches off after a loss and a new proof', () => {
    const again = given(
      ...[founded, event('EmailDomainClaimed'), event('EmailDomainProven'), changed(true, true)],
      ...[event('EmailDomainLost'), event('EmailDomainProven')],
    );
    expect(again.state().emailDomains[domain]).toMatchObject({
      ...{ proven: true, automaticMembership: false, managed: false },
    });
  });

  it('does not match an inherited property of the state', () => {
    const data = { domain: 'constructor' };
    expect(given(founded).when({ type: 'ClaimEmailDomain', data })).toEqual([{ type: 'EmailDomainClaimed', data }]);
  });

  it('may be changed by owners and operators, but by no API key', () => {
    for (const type of ['ClaimEmailDomain', 'ProveEmailDomain', 'LoseEmailDomain', 'ReleaseEmailDomain'] as const)
      expect([type, whoMay(command(type), founded)]).toEqual([type, ['owner', 'operator']]);
    expect(whoMay(change({}), founded)).toEqual(['owner', 'operator']);
  });

  it('of a closed organization can be lost and released, but not claimed, proven or changed', () => {
    const before = [event('EmailDomainClaimed'), event('EmailDomainProven')] as const;
    expect(whenClosed(command('LoseEmailDomain'), undefined, ...before)).toEqual(['EmailDomainLost']);
    expect(whenClosed(command('ReleaseEmailDomain'), undefined, ...before)).toEqual(['EmailDomainReleased']);
    for (const other of [command('ClaimEmailDomain'), command('ProveEmailDomain'), change({ managed: true })])
      expect(whenClosed(other, undefined, ...before)).toBe('organization-closed');
  });
});
