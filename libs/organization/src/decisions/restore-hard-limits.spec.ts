import { founded, given, overridden } from '../testing/organization.testing';
import { operators, whenClosed, whoMay } from '../testing/who-may.testing';
import { RestoreHardLimits } from './restore-hard-limits';

const restore = { type: 'RestoreHardLimits', data: { reason: 'by hand' } } as const;
const restored = { type: 'HardLimitsRestored', data: { reason: 'by hand' } } as const;
const ended = {
  type: 'HardLimitsOverridden',
  data: { reason: 'a favour', until: '2026-10-01T00:00:00.000Z' },
} as const;

describe('restoring hard limits', () => {
  it('is recorded, once', () => {
    expect(given(founded, overridden).when(restore)).toEqual([restored]);
    expect(given(founded, overridden, restored).when(restore)).toEqual([]);
  });

  it('is nothing new without an override', () => {
    expect(given(founded).when(restore)).toEqual([]);
  });

  it('is recorded for an override that time has ended, so that the answer changes by an event', () => {
    expect(given(founded, ended).when(restore)).toEqual([restored]);
  });

  it('needs no reason by hand', () => {
    expect(RestoreHardLimits.parse({})).toEqual({ reason: 'by hand' });
  });

  it('is the word of operators, and is recorded for a closed organization too', () => {
    expect(whoMay(restore, founded, overridden)).toEqual(operators);
    expect(whenClosed(restore, {}, overridden)).toEqual(['HardLimitsRestored']);
  });
});
