import fc from 'fast-check';
import { changesSince, snapshotAt, timelineOf } from './timeline';

const snapshots = [
  [0, { name: 'Acme', members: {}, plans: [], until: null }],
  [1, { name: 'Acme', members: { 'a-1': { role: 'owner' } }, plans: [{ plan: 'solo' }], until: null }],
  [2, { name: 'Acme Oy', members: {}, plans: [{ plan: 'solo' }, { plan: 'teams' }], until: null }],
] as const;
const whens = [0, 1, 2];
const sealed = timelineOf(snapshots);

/** The timeline of the snapshots, in which the snapshot at `when` has these other values. */
const changedAt = (when: number, more: object) =>
  timelineOf(snapshots.map(([at, snapshot]) => [at, at === when ? { ...snapshot, ...more } : snapshot] as const));
const changed = (when: number, more: object) =>
  changesSince(sealed, changedAt(when, more), whens).map(({ key, at }) => [key, at]);

describe('Timeline', () => {
  it('records each key at the snapshots where its value changes or the key disappears', () => {
    expect(sealed['/name']).toEqual([
      [0, 'Acme'],
      [2, 'Acme Oy'],
    ]);
    expect(sealed['/members/a-1/role']).toEqual([[1, 'owner'], [2]]);
    expect(sealed['/plans/1/plan']).toEqual([[2, 'teams']]);
  });

  it('restores every snapshot, with any keys and values', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.jsonValue().map((value) => ({ value })),
          { minLength: 1 },
        ),
        (values) => {
          fc.pre(!JSON.stringify(values).includes('__proto__'));
          const plain = values.map((value) => JSON.parse(JSON.stringify(value)) as unknown);
          const timeline = timelineOf(plain.map((value, at) => [at, value] as const));
          plain.forEach((value, at) => expect(snapshotAt(timeline, at)).toEqual(value));
        },
      ),
    );
  });
});

describe('The comparison of two timelines', () => {
  it('finds no change in equal timelines', () => {
    expect(changesSince(sealed, timelineOf(snapshots), whens)).toEqual([]);
  });

  it.each([
    ['at the top', 0, { country: null }],
    ['with keys below it', 1, { surveys: { 's-1': { name: 'Happy?' } } }],
    ['inside an entry', 1, { members: { 'a-1': { role: 'owner', since: 1 } } }],
    ['inside a list', 1, { plans: [{ plan: 'solo', seats: 3 }] }],
  ])('finds no change if the later timeline has a new field %s', (_, when, more) => {
    expect(changed(when, more)).toEqual([]);
  });

  it.each([
    ['another value', 1, { name: 'Oops' }, [['/name', 1]]],
    ['null in place of a value', 1, { name: null }, [['/name', 1]]],
    ['a value in place of null', 2, { until: 'x' }, [['/until', 2]]],
    ['a missing key', 1, { name: undefined }, [['/name', 1]]],
    // prettier-ignore
    ['an entry that the sealed timeline no longer has', 2, { members: { 'a-1': { role: 'owner' } } }, [['/members/a-1', 2], ['/members/a-1/role', 2]]],
    ['an id that the sealed timeline does not have', 2, { members: { 'b-2': {} } }, [['/members/b-2', 2]]],
    ['a longer list', 0, { plans: [{ plan: 'solo' }] }, [['/plans/0', 0], ['/plans/0/plan', 0]]], // prettier-ignore
    // prettier-ignore
    ['a list that is longer than in any sealed snapshot', 2, { plans: ['solo', 'teams', 'light'].map((plan) => ({ plan })) }, [['/plans/2', 2], ['/plans/2/plan', 2]]],
    ['a shorter list', 2, { plans: [{ plan: 'solo' }] }, [['/plans/1', 2], ['/plans/1/plan', 2]]], // prettier-ignore
    ['an object in place of a list', 0, { plans: {} }, [['/plans', 0]]],
  ])('finds %s', (_, when, more, keys) => {
    expect(changed(when, more)).toEqual(keys);
  });
});
