import { type Cause, causeCollector, causeOf, mergeCauses } from './causes';
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

describe('Collected causes', () => {
  it('are grouped by the name of the changed value, and keep in each group the order in which they were added', () => {
    const collector = causeCollector<'users' | 'feedback'>();
    for (const revision of [3, 5]) collector.add('users', cause(revision));
    expect(collector.of('users')).toEqual(causes(3, 5));
    expect(collector.of('feedback')).toEqual(causes());
    expect(collector.names()).toEqual(['users']);
  });

  it('contain only the newest causes, and the number of all causes', () => {
    const collector = causeCollector<'users'>();
    for (let revision = 0; revision < CAUSES_MAX + 7; revision += 1) collector.add('users', cause(revision));
    expect(collector.of('users').causesInAll).toBe(CAUSES_MAX + 7);
    expect(revisionsOf(collector.of('users'))).toEqual(Array.from({ length: CAUSES_MAX }, (_, index) => index + 7));
  });
});

describe('Merged causes', () => {
  it('contain each event once, in the order of revisions', () => {
    expect(mergeCauses([causes(2, 9), causes(2, 4)])).toEqual(causes(2, 4, 9));
    expect(mergeCauses([])).toEqual(causes());
  });

  it('count all causes, even those that the given lists or the result leave out', () => {
    const many = { ...causes(...Array.from({ length: CAUSES_MAX }, (_, index) => index)), causesInAll: 30 };
    const merged = mergeCauses([many, causes(40)]);
    expect(merged.causesInAll).toBe(31);
    expect(merged.causes).toHaveLength(CAUSES_MAX);
    expect(revisionsOf(merged).at(-1)).toBe(40);
  });
});
