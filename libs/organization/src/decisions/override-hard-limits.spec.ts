import { founded, given, now, overridden } from '../testing/organization.testing';
import { operatorNames, whenClosed, whoMay } from '../testing/who-may.testing';

const later = '2026-12-01T00:00:00.000Z';
const muchLater = '2027-01-01T00:00:00.000Z';
const override = (until?: string, reason = 'a favour') =>
  ({ type: 'OverrideHardLimits', data: { reason, ...(until && { until }) } }) as const;
const overriddenUntil = (until: string) =>
  ({ type: 'HardLimitsOverridden', data: { reason: 'a favour', until } }) as const;

describe('OverrideHardLimits', () => {
  it('records the reason and the end once, however often the command is sent', () => {
    expect(given(founded).when(override())).toEqual([overridden]);
    expect(given(founded, overridden).when(override())).toEqual([]);
    expect(given(founded).when(override(later))).toEqual([overriddenUntil(later)]);
    expect(given(founded, overriddenUntil(later)).when(override(later))).toEqual([]);
  });

  it.each([
    ['another end', override(muchLater), overriddenUntil(later)],
    ['no end', override(), overriddenUntil(later)],
    ['an end', override(later), overridden],
    ['another reason', override(undefined, 'a promise'), overridden],
  ])('is recorded a second time with %s', (_what, command, before) => {
    expect(given(founded, before).when(command)).toEqual([{ type: 'HardLimitsOverridden', data: command.data }]);
  });

  it.each([
    ['in the past', '2026-10-31T23:59:59.999Z'],
    ['at this moment', now],
  ])('is refused if its end is %s', (_when, until) => {
    expect(given(founded).when(override(until))).toMatchObject({ refused: 'override-ended', facts: { until } });
  });

  it('is recorded if its end is one millisecond ahead', () => {
    const until = '2026-11-01T00:00:00.001Z';
    expect(given(founded).when(override(until))).toEqual([overriddenUntil(until)]);
  });

  it('is refused if its end has passed, even if the organization had the same override before', () => {
    expect(given(founded, overriddenUntil(later)).when(override(later), { at: later })).toMatchObject({
      refused: 'override-ended',
    });
  });

  it('may be executed by operators until the organization is closed', () => {
    expect(whoMay(override(), founded)).toEqual(operatorNames);
    expect(whenClosed(override())).toBe('organization-closed');
  });
});
