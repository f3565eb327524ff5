import type { ConfigureLimits } from './configure-limits';
import type { OrganizationEvent } from '../events';
import { ada, added, bob, founded, given, on } from '../testing/organization.testing';
import { operatorNames, whenClosed, whoMay } from '../testing/who-may.testing';

const configure = (data: ConfigureLimits) => ({ type: 'ConfigureLimits', data }) as const;
// The cast is needed because the command's type allows undefined values, and the event's type does not.
const configured = (limits: ConfigureLimits) => ({ type: 'LimitsConfigured', data: { limits } }) as OrganizationEvent;

describe('ConfigureLimits', () => {
  it('records the limits once, however often the command is sent', () => {
    expect(given(founded).when(configure({ users: 7, contentSections: 0 }))).toEqual([
      configured({ users: 7, contentSections: 0 }),
    ]);
    const set = given(founded, configured({ users: 7, contentSections: 0 }));
    expect(set.when(configure({ users: 7, contentSections: 0 }))).toEqual([]);
  });

  it('records only the limits that it changes', () => {
    const set = given(founded, configured({ users: 7 }));
    expect(set.when(configure({ users: 7, contentSections: 3 }))).toEqual([configured({ contentSections: 3 })]);
    expect(set.when(configure({ users: undefined, qualityAssuranceDomains: 1 }))).toEqual([
      configured({ qualityAssuranceDomains: 1 }),
    ]);
  });

  it("restores the plan's limit if the command contains null", () => {
    const set = given(founded, configured({ users: 7, contentSections: 3 }));
    expect(set.when(configure({ users: null }))).toEqual([configured({ users: null })]);
    const back = given(founded, configured({ users: 7, contentSections: 3 }), configured({ users: null }));
    expect(back.when(configure({ users: null }))).toEqual([]);
    expect(Object.keys(back.state().limitsByHand)).toEqual(['contentSections']);
  });

  it('records 0, which means unlimited; null, by contrast, removes the manual limit', () => {
    expect(given(founded).when(configure({ users: 0 }))).toEqual([configured({ users: 0 })]);
    expect(given(founded).when(configure({ users: null }))).toEqual([]);
    expect(given(founded, configured({ users: 0 })).when(configure({ users: 0 }))).toEqual([]);
  });

  it('records a limit that is lower than the current use', () => {
    const full = given(founded, on('second/teams'), added(ada), added(bob));
    expect(full.when(configure({ users: 1 }))).toEqual([configured({ users: 1 })]);
  });

  it('may be executed by operators until the organization is closed', () => {
    expect(whoMay(configure({ users: 7 }), founded)).toEqual(operatorNames);
    expect(whenClosed(configure({ users: 7 }))).toBe('organization-closed');
  });
});
