import { randomUUID } from 'node:crypto';
import { fold, type Recorded, deepCopy } from '@charter/decider';
import type { OrganizationEvent } from '@charter/organization';
import { applyPatch, type Operation } from 'rfc6902';
import { overriddenUntil } from '../../../organization/src/testing/entitled.testing';
import {
  ada,
  added,
  bob,
  bought,
  catalogue,
  ended,
  founded,
  limitsThatDiffer,
  on,
  siteAdded,
  shop,
} from '../../../organization/src/testing/organization.testing';
import { differenceFrom } from './difference';
import { foldedTo, recordedAt } from '../folded.testing';
import { recordedState } from '../recorded-state';
import { organizationView } from '../view';

const monday = '2026-11-02T09:00:00.000Z';
const tuesday = '2026-11-03T09:00:00.000Z';
const wednesday = '2026-11-04T09:00:00.000Z';
const friday = '2026-11-06T09:00:00.000Z';

const renamed = (name: string): OrganizationEvent => ({ type: 'OrganizationRenamed', data: { name } });
const removed = (member: string): OrganizationEvent => ({ type: 'MemberRemoved', data: { member } });

type Dated = readonly [at: string, event: OrganizationEvent];
const start: readonly Dated[] = [
  [monday, founded],
  [monday, on('second/solo', monday)],
];

/** Folds the events in `before`, then the events in `after`, and returns the difference between the two states. */
function difference(
  before: readonly Dated[],
  after: readonly Dated[],
  { from = monday, to = friday, valid = null }: { from?: string; to?: string; valid?: string | null } = {},
) {
  const events = recordedAt([...before, ...after]);
  let current = foldedTo(events.slice(0, before.length));
  const builder = differenceFrom(current, from, valid);
  const apply = (event: Recorded<OrganizationEvent>) => (current = fold(organizationView, [event], current));
  for (const event of events.slice(before.length)) builder.take(event, () => apply(event));
  return builder.end(current, to);
}
const revisions = ({ causes }: { causes: readonly { revision: number }[] }) => causes.map(({ revision }) => revision);

describe('Difference', () => {
  it('contains the revisions and moments of its start and end, and the number of events between them', () => {
    expect(difference(start, [[tuesday, renamed('Acme Oy')]])).toMatchObject({
      from: { revision: 1, at: monday, moment: monday },
      to: { revision: 2, at: tuesday, moment: friday },
      valid: null,
      events: 1,
    });
  });

  it('begins with an empty state before the first event', () => {
    const { from, state } = difference([], [[monday, founded]]);
    expect(from).toEqual({ revision: -1, at: null, moment: monday });
    expect(state).toMatchObject([{ op: 'replace', path: '/name', before: '', value: 'Acme' }]);
  });

  it('is empty if the state is the same at both ends, even if there are events between them', () => {
    const { events, state, entitlements } = difference(start, [
      [tuesday, added(ada)],
      [wednesday, removed(ada)],
    ]);
    expect({ events, state, entitlements }).toEqual({
      events: 2,
      state: [],
      entitlements: { limits: {}, features: {} },
    });
  });

  it('is a JSON Patch from the first recorded state to the second', () => {
    const after: readonly Dated[] = [
      [tuesday, added(ada, 'owner')],
      [tuesday, siteAdded(shop, 'shop.test')],
      [wednesday, on('second/teams', wednesday)],
      [wednesday, bought(2, 'additionalUser')],
      [friday, renamed('Acme Oy')],
    ];
    const patched = deepCopy(recordedState(foldedTo(recordedAt(start)).state)) as object;
    const problems = applyPatch(patched, difference(start, after).state as unknown as Operation[]);
    expect(problems.filter(Boolean)).toEqual([]);
    expect(patched).toEqual(recordedState(foldedTo(recordedAt([...start, ...after])).state));
  });

  it('replaces a plan as a whole, and names the previous value', () => {
    const { state } = difference(start, [[tuesday, on('second/teams', tuesday)]]);
    expect(state).toMatchObject([
      { op: 'replace', path: '/plans/second', before: { plan: 'solo' }, value: { plan: 'teams' } },
    ]);
  });
});

describe('Difference of a purchase', () => {
  it("has the previous value, even if the purchase's id is the name of an inherited property", () => {
    const purchased = (quantity: number) => {
      const { type, data } = bought(quantity, 'additionalUser');
      return { type, data: { ...data, purchase: 'constructor' } } as OrganizationEvent;
    };
    const { state } = difference([...start, [monday, purchased(2)]], [[tuesday, purchased(1)]]);
    expect(state).toMatchObject([{ op: 'replace', path: '/addOns/constructor', before: { quantity: 2 } }]);
  });
});

describe('Causes of a line in a difference', () => {
  it('are all events that changed the value of the line, and no other events', () => {
    const { state } = difference(start, [
      [tuesday, renamed('Acme Oy')],
      [tuesday, added(ada)],
      [wednesday, renamed('Acme AG')],
    ]);
    const byPath = Object.fromEntries(state.map((line) => [line.path, revisions(line)]));
    expect(byPath).toEqual({ '/name': [2, 4], [`/members/${ada}`]: [3] });
  });

  it('include later changes of an entry if the line adds the entry', () => {
    const promoted: OrganizationEvent = { type: 'MemberRoleChanged', data: { member: ada, role: 'admin' } };
    const { state } = difference(start, [
      [tuesday, added(ada)],
      [wednesday, promoted],
    ]);
    expect(state).toMatchObject([{ op: 'add', path: `/members/${ada}`, value: { role: 'admin' } }]);
    expect(revisions(state[0]!)).toEqual([2, 3]);
  });

  it('are found without a comparison of each line with each changed path', () => {
    const members = Array.from({ length: 200 }, () => randomUUID());
    const startsWith = jest.spyOn(String.prototype, 'startsWith');
    const { state } = difference(
      start,
      members.map((member) => [tuesday, added(member)]),
    );
    const comparisons = startsWith.mock.calls.length;
    startsWith.mockRestore();
    expect(state.map(revisions)).toEqual(members.map((_, index) => [index + 2]));
    expect(comparisons).toBeLessThan(10 * members.length);
  });

  it('are not the events of an entry whose id begins with the id of the line', () => {
    const { state } = difference(start, [
      [tuesday, siteAdded('shop', 'shop.test')],
      [wednesday, siteAdded('shop-2', 'second.shop.test')],
    ]);
    expect(state.map((line) => [line.path, revisions(line)])).toEqual([
      ['/sites/shop', [2]],
      ['/sites/shop-2', [3]],
    ]);
  });

  it('are back-dated if their event takes effect before the difference begins', () => {
    const { state } = difference(start, [[tuesday, on('first/essential', '2026-10-01T00:00:00.000Z')]]);
    expect(state[0]!.causes).toMatchObject([{ revision: 2, backDated: true }]);
  });
});

describe('Entitlements in a difference', () => {
  it('are only the limits and features that differ, with the events that changed them', () => {
    const { limits, features } = difference(start, [
      [tuesday, renamed('Acme Oy')],
      [wednesday, on('second/teams', wednesday)],
    ]).entitlements;
    expect(Object.keys(limits)).toEqual(
      limitsThatDiffer(catalogue.terms('second', 'solo')!, catalogue.terms('second', 'teams')!),
    );
    expect(limits.users).toMatchObject({ before: { limit: 1, hard: 2 }, after: { limit: 5, hard: 10 } });
    expect(features).toMatchObject({ matomoIntegration: { before: false, after: true } });
    expect([limits.users!, features.matomoIntegration!].map(revisions)).toEqual([[3], [3]]);
  });

  it('show how much of a limit is used', () => {
    const { users } = difference(start, [
      [tuesday, added(ada)],
      [wednesday, added(bob)],
    ]).entitlements.limits;
    expect(users).toMatchObject({ before: { used: 0, over: 0 }, after: { used: 2, over: 1 } });
    expect(revisions(users!)).toEqual([2, 3]);
  });

  it('name an ended override as a cause, even if no event records its end', () => {
    const overridden: readonly Dated[] = [
      ...start,
      [monday, bought(3, 'additionalUser')],
      [monday, overriddenUntil(wednesday)],
    ];
    expect(difference(overridden, [], { to: tuesday }).entitlements.limits).toEqual({});
    const { users } = difference(overridden, []).entitlements.limits;
    expect(users).toMatchObject({ before: { limit: 4 }, after: { limit: 2 }, causesInAll: 1 });
    expect(users!.causes).toMatchObject([
      { type: 'HardLimitsOverridden', revision: 3, endedAt: wednesday, actor: null },
    ]);
  });

  it('are computed for the same moment at both ends if the query names a moment (`valid`)', () => {
    const overridden: readonly Dated[] = [
      ...start,
      [monday, bought(3, 'additionalUser')],
      [monday, overriddenUntil(wednesday)],
    ];
    const { valid, entitlements } = difference(overridden, [[friday, ended('second', friday)]], { valid: tuesday });
    expect(valid).toBe(tuesday);
    expect(entitlements.limits).toEqual({});
    expect(Object.keys(entitlements.features)).toEqual(['feedback']);
  });
});
