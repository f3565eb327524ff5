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
  it('is recorded once', () => {
    expect(given(founded, overridden).when(restore)).toEqual([restored]);
    expect(given(founded, overridden, restored).when(restore)).toEqual([]);
  });

  it('records nothing without an override', () => {
    expect(given(founded).when(restore)).toEqual([]);
  });

  it('is recorded for an override that has ended, so that an event marks the change', () => {
    expect(given(founded, ended).when(restore)).toEqual([restored]);
  });

  it('needs no reason', () => {
    expect(RestoreHardLimits.parse({})).toEqual({ reason: 'by hand' });
  });

  it('is open to operators, and is recorded for a closed organization too', () => {
    expect(whoMay(restore, founded, overridden)).toEqual(operatorNames);
    expect(whenClosed(restore, {}, overridden)).toEqual(['HardLimitsRestored']);
  });
});
