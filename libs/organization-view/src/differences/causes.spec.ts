import { type Cause, causeCollector, causeOf } from './causes';
import { ended, now } from '../../../organization/src/testing/organization.testing';
import { recordedAt } from '../folded.testing';

/** The maximum number of causes for one line of a difference. */
const CAUSES_MAX = 20;
const cause = (revision: number): Cause => ({ revision, type: 'OrganizationRenamed', actor: null, at: now });
const causes = (...revisions: number[]) => ({ causes: revisions.map(cause), causesInAll: revisions.length });
const revisionsOf = ({ causes }: { causes: readonly Cause[] }) => causes.map(({ revision }) => revision);

describe('A cause', () => {
  const before = '2026-10-31T00:00:00.000Z';
  const [event] = recordedAt([[now, ended('second', before)]]);

  it("names its event, the event's actor, and the moment from which the change is in force", () => {
    expect(causeOf(event!, '')).toEqual({
      ...{ revision: 0, type: 'PlanEnded', at: now, effectiveAt: before },
      actor: { kind: 'account', id: 'op' },
    });
  });

  it('is back-dated if its change takes effect before the start of the comparison', () => {
    expect(causeOf(event!, now)).toMatchObject({ backDated: true });
    expect(causeOf(event!, before)).not.toHaveProperty('backDated');
  });
});

/** A collector with one group of causes for each name. */
function collected(groups: Readonly<Record<string, readonly number[]>>) {
  const collector = causeCollector<string>();
  for (const [name, revisions] of Object.entries(groups))
    for (const revision of revisions) collector.add(name, cause(revision));
  return collector;
}
const upTo = (end: number) => Array.from({ length: end }, (_, revision) => revision);

describe('Collected causes', () => {
  it('are grouped by the name of the changed value', () => {
    const collector = collected({ users: [3, 5] });
    expect(collector.of(['users'])).toEqual(causes(3, 5));
    expect(collector.of(['feedback'])).toEqual(causes());
    expect(collector.of([])).toEqual(causes());
    expect(collector.names()).toEqual(['users']);
  });

  it('contain only the newest causes, and the number of all causes', () => {
    const { causesInAll, causes } = collected({ users: upTo(CAUSES_MAX + 7) }).of(['users']);
    expect(causesInAll).toBe(CAUSES_MAX + 7);
    expect(revisionsOf({ causes })).toEqual(upTo(CAUSES_MAX).map((index) => index + 7));
  });

  it('of several groups contain each cause once, in the order of revisions', () => {
    expect(collected({ users: [2, 9], sites: [2, 4] }).of(['users', 'sites'])).toEqual(causes(2, 4, 9));
  });

  it('count each cause of several long groups once, even a cause that no group lists', () => {
    const collector = collected({ logo: upTo(25), live: upTo(25), name: [40] });
    const { causesInAll, causes } = collector.of(['logo', 'live', 'name']);
    expect(causesInAll).toBe(26);
    expect(revisionsOf({ causes })).toEqual([...upTo(25).slice(6), 40]);
  });

  it('contain the event of an override and the end of this override as two causes', () => {
    const collector = collected({ users: [3] });
    collector.add('users', { ...cause(3), endedAt: now });
    expect(collector.of(['users'])).toEqual({ causes: [cause(3), { ...cause(3), endedAt: now }], causesInAll: 2 });
  });
});
