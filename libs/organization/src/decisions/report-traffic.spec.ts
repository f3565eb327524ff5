import { founded, given } from '../testing/organization.testing';
import { operatorNames, whenClosed, whoMay } from '../testing/who-may.testing';

const report = (views: number, month = '2026-11') => ({ type: 'ReportTraffic', data: { month, views } }) as const;
const reported = (views: number, month = '2026-11') => ({ type: 'TrafficReported', data: { month, views } }) as const;

describe('ReportTraffic', () => {
  it("records the month's total once", () => {
    expect(given(founded).when(report(82_000))).toEqual([reported(82_000)]);
    expect(given(founded, reported(82_000)).when(report(82_000))).toEqual([]);
  });

  it('records a total of zero', () => {
    expect(given(founded).when(report(0))).toEqual([reported(0)]);
    expect(given(founded, reported(0)).when(report(0))).toEqual([]);
  });

  it("replaces the month's total, and records nothing for a lower total", () => {
    const { when } = given(founded, reported(5));
    expect(when(report(6))).toEqual([reported(6)]);
    expect(when(report(4))).toEqual([]);
    expect(given(founded, reported(5), reported(6)).state().traffic).toEqual({ '2026-11': 6 });
  });

  it('records each month separately, even past months', () => {
    expect(given(founded, reported(5)).when(report(4, '2026-10'))).toEqual([reported(4, '2026-10')]);
    expect(given(founded, reported(5)).when(report(4, '1999-01'))).toEqual([reported(4, '1999-01')]);
  });

  it('is refused for a month that has not begun in any time zone yet', () => {
    const refused = { refused: 'month-not-begun', facts: { month: '2026-12' } };
    const { when } = given(founded);
    expect(when(report(1, '2026-12'))).toMatchObject(refused);
    expect(when(report(1, '2026-12'), { at: '2026-11-30T09:59:59.999Z' })).toMatchObject(refused);
    expect(when(report(1, '2026-12'), { at: '2026-11-30T10:00:00.000Z' })).toEqual([reported(1, '2026-12')]);
    expect(when(report(1, '2027-01'), { at: '2026-12-31T12:00:00.000Z' })).toEqual([reported(1, '2027-01')]);
  });

  it('may be executed by operators, even for a closed organization', () => {
    expect(whoMay(report(1), founded)).toEqual(operatorNames);
    expect(whenClosed(report(1))).toEqual(['TrafficReported']);
  });
});
