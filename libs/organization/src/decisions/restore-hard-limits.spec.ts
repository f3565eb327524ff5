import { founded, given, overridden } from '../testing/organization.testing';
import { operatorNames, whenClosed, whoMay } from '../testing/who-may.testing';
import { RestoreHardLimits } from './restore-hard-limits';

const restore = { type: 'RestoreHardLimits', data: { reason: 'by hand' } } as const;
const restored = { type: 'HardLimitsRestored', data: { reason: 'by hand' } } as const;
const ended = {
  type: 'HardLimitsOverridden',
  data: { reason: 'a favour', until: '2026-10-01T00:00:00.000Z' },
} as const;

describe('RestoreHardLimits', () => {
  it('is recorded once, however often it is sent', () => {
    expect(given(founded, overridden).when(restore)).toEqual([restored]);
    expect(given(founded, overridden, restored).when(restore)).toEqual([]);
  });

  it('records nothing if there is no override', () => {
    expect(given(founded).when(restore)).toEqual([]);
  });

  it('is recorded for an override that has already ended, so that an event records the change of the limits', () => {
    expect(given(founded, ended).when(restore)).toEqual([restored]);
  });

  it('may be sent without a reason', () => {
    expect(RestoreHardLimits.parse({})).toEqual({ reason: 'by hand' });
  });

  it('may be executed by operators, even for a closed organization', () => {
    expect(whoMay(restore, founded, overridden)).toEqual(operatorNames);
    expect(whenClosed(restore, {}, overridden)).toEqual(['HardLimitsRestored']);
  });
});
