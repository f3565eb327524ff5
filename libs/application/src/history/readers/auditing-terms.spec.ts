import { type AuditingTerm, auditingHours, auditingRoleAt, LAST } from './auditing-terms';

const at = (time: string) => `2026-11-21T${time}:00.000Z`;
const term = (role: AuditingTerm['role'], from: string, until?: string): AuditingTerm => ({
  ...{ role, from: at(from) },
  ...(until !== undefined && { until: at(until) }),
});

describe('Periods in which a member could audit', () => {
  const terms = [term('admin', '10:10', '10:20'), term('owner', '10:20', '10:40'), term('admin', '12:30')];

  it.each([
    ['10:10', 'admin'],
    ['10:20', 'owner'],
    ['10:50', 'owner'], // the role changed within that hour
    ['10:05', 'owner'],
    ['11:00', undefined],
    ['12:00', 'admin'],
    ['23:00', 'admin'],
  ])('are the auditing role at %s or, without one, the last auditing role in the same hour: %s', (time, role) => {
    expect(auditingRoleAt(terms, at(time))).toBe(role);
  });

  it('are converted to whole hours without overlaps', () => {
    expect(auditingHours(terms)).toEqual([
      { from: at('10:00'), to: '2026-11-21T10:59:59.999Z' },
      { from: at('12:00'), to: LAST },
    ]);
    expect(auditingHours([term('owner', '10:00'), term('admin', '11:00', '12:00')])).toEqual([
      { from: at('10:00'), to: LAST },
    ]);
    expect(auditingHours([])).toEqual([]);
  });
});
