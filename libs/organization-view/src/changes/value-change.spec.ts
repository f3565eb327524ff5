import { fold, type Folded, type Recorded, deepCopy } from '@charter/decider';
import type { OrganizationDraft, OrganizationEvent } from '@charter/organization';
import fc from 'fast-check';
import { anyLife } from '../../../organization/src/testing/any-history.testing';
import { overriddenUntil } from '../../../organization/src/testing/entitled.testing';
import {
  ada,
  added,
  bob,
  bought,
  founded,
  on,
  shop,
  siteAdded,
} from '../../../organization/src/testing/organization.testing';
import { namesIn, pointerOf, valueAt } from '../differences/json-pointer';
import { foldedTo, recordedAt } from '../folded.testing';
import { entitlements } from '../printed-entitlements';
import { publicDocument } from '../public-document';
import { keyedDocument } from '../steps/keyed-document';
import { fieldsOfEveryStep } from '../steps/step';
import { organizationView } from '../view';
import { type ValueChange, valueChangeOf } from './value-change';
import { isValuePath, valueFields } from './value-path';

const id = '7d3f6f3e-7f4b-4b53-8a53-0f6a1f2b7c90';
const product = 'pulse';
const monday = '2026-11-02T09:00:00.000Z';
const friday = '2026-11-06T09:00:00.000Z';
type Events = readonly Recorded<OrganizationEvent>[];
type Json = Readonly<Record<string, unknown>>;

const plain = (value: object): Json => JSON.parse(JSON.stringify(value)) as Json;

/** The changes of the value at a path. All events are folded into one state, which the fold changes in place. */
function changesOf(events: Events, path: string): readonly ValueChange[] {
  let current: Folded<OrganizationDraft> = foldedTo([]);
  return events.flatMap((event) => {
    const apply = () => (current = fold(organizationView, [deepCopy(event)], current));
    const change = valueChangeOf(event, current, apply, { id, product, path: namesIn(path) });
    return change ? [JSON.parse(JSON.stringify(change)) as ValueChange] : [];
  });
}

/** For each revision, all values that have a path, as Charter prints them for `?asOf=`. */
const answersOf = (events: Events): readonly Json[] =>
  events.map((_, revision) => {
    const current = foldedTo(events.slice(0, revision + 1).map(deepCopy));
    const { limits, features, traffic } = entitlements(id)(current, current.at);
    const document = { ...keyedDocument(publicDocument(id, product)(current, current.at)), limits, features, traffic };
    return plain(Object.fromEntries(Object.entries(document).filter(([field]) => !fieldsOfEveryStep.has(field))));
  });

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The path of a value and the paths of all values inside it. */
const pathsIn = (value: unknown, path = ''): readonly string[] => [
  path,
  ...(isObject(value)
    ? Object.entries(value).flatMap(([name, inner]) => pathsIn(inner, `${path}${pointerOf([name])}`))
    : []),
];

/** A value after a change: removes the fields that only `before` has, and sets the fields of `after`. */
function changed(value: unknown, { before, after }: Readonly<{ before?: unknown; after?: unknown }>): unknown {
  if (!isObject(before) || !isObject(after)) return after;
  const kept = Object.entries(value as Json).filter(
    ([name]) => !Object.hasOwn(before, name) || Object.hasOwn(after, name),
  );
  const set = Object.entries(after).map(([name, inner]) => [
    name,
    changed(valueAt([name], value), { before: valueAt([name], before), after: inner }),
  ]);
  return Object.fromEntries([...kept, ...set]) as unknown;
}

describe('Changes of one value', () => {
  it('give the value at every revision when they are applied in order, for paths of any history', () => {
    fc.assert(
      fc.property(anyLife, fc.nat(), ({ events }, seed) => {
        const answers = answersOf(events);
        const all = [...new Set(answers.flatMap((answer) => pathsIn(answer)))];
        const paths = all.filter((path, index) => path.split('/').length < 3 || (index + seed) % 12 === 0);
        for (const path of paths) {
          expect([path, isValuePath(namesIn(path), product)]).toEqual([path, true]);
          const changes = changesOf(events, path);
          let value: unknown;
          for (const [revision, answer] of answers.entries()) {
            const change = changes.find((each) => each.revision === revision);
            const previous = value;
            if (change) value = changed(value, change);
            expect([path, revision, value]).toEqual([path, revision, valueAt(namesIn(path), answer)]);
            if (change) expect(JSON.stringify(value)).not.toEqual(JSON.stringify(previous));
          }
          if (changes[0]) expect(changes[0]).not.toHaveProperty('before');
        }
      }),
      { numRuns: 25 },
    );
  });

  it('name the event, its moments and its actor, with the value before and after', () => {
    const events = recordedAt([
      [monday, founded],
      [monday, on('second/solo', monday)],
      [friday, on('second/teams', monday)],
    ]);
    expect(changesOf(events, '/plans/second/plan')).toEqual([
      expect.objectContaining({ revision: 1, type: 'PlanAssigned', after: 'solo' }),
      {
        ...{ revision: 2, at: friday, effectiveAt: monday, type: 'PlanAssigned', actor: events[2]!.metadata.actor },
        ...{ before: 'solo', after: 'teams' },
      },
    ]);
  });

  it('of a parent path have one entry for each event that changed a child, with only the changed children', () => {
    const events = recordedAt(
      [
        ...[founded, added(ada, 'owner'), siteAdded(shop, 'shop.test'), added(bob)],
        { type: 'MemberRoleChanged', data: { member: bob, role: 'admin' } } as const,
        { type: 'MemberRemoved', data: { member: bob } } as const,
      ].map((event) => [monday, event]),
    );
    const member = (_id: string, role: string, event: number, roleEvent = event) => ({
      [_id]: { _id, role, pulseUser: false, since: { event, at: monday }, roleSince: { event: roleEvent, at: monday } },
    });
    expect(changesOf(events, '/members').map(({ revision, before, after }) => ({ revision, before, after }))).toEqual([
      { revision: 0, after: {} },
      { revision: 1, before: {}, after: member(ada, 'owner', 1) },
      { revision: 3, before: {}, after: member(bob, 'member', 3) },
      { revision: 4, before: member(bob, 'member', 3), after: member(bob, 'admin', 3, 4) },
      { revision: 5, before: member(bob, 'admin', 3, 4), after: {} },
    ]);
    expect(changesOf(events, `/members/${bob}/role`).map(({ before, after }) => [before, after])).toEqual([
      [undefined, 'member'],
      ['member', 'admin'],
      ['admin', undefined],
    ]);
    expect(changesOf(events, '')[3]).toMatchObject({
      before: { members: {}, limits: { users: { used: 1 } } },
      after: { members: member(bob, 'member', 3), limits: { users: { used: 2 } } },
    });
  });

  it('include changes of limits, features and traffic, and of their reasons', () => {
    const events = recordedAt(
      [founded, on('second/solo', monday), bought(2, 'additionalUser')].map((event) => [monday, event]),
    );
    expect(changesOf(events, '/limits/users/configured').map(({ after }) => after)).toEqual([null, 1, 3]);
    expect(changesOf(events, '/limits/users/because').at(-1)!.after).toHaveLength(
      (changesOf(events, '/limits/users/because').at(-1)!.before as unknown[]).length + 1,
    );
    expect(changesOf(events, '/features/feedback/on').map(({ revision }) => revision)).toEqual([0, 1]);
    expect(changesOf(events, '/traffic/allowance').map(({ revision }) => revision)).toEqual([0, 1]);
  });

  it('show the end of an override at the next event of any type', () => {
    const events = recordedAt([
      [monday, founded],
      [monday, overriddenUntil('2026-11-03T09:00:00.000Z')],
      [friday, { type: 'OrganizationRenamed', data: { name: 'Acme Oy' } }],
    ]);
    expect(changesOf(events, '/limits/users/overridden').map(({ revision, after }) => [revision, after])).toEqual([
      [0, false],
      [1, true],
      [2, false],
    ]);
  });

  it.each([
    '/nothing',
    '/limits/chairs',
    '/limits/override',
    '/limits/users/because/0',
    '/members/x/email',
    '/sites/x/features/nothing',
    '/qualityAssurance/x',
    '/constructor',
    '/__proto__',
    '/revision',
    '/name/',
  ])('do not exist for the path %s', (path) => {
    expect(isValuePath(namesIn(path), product)).toBe(false);
  });

  it('exist for paths that begin with a field of the document or of the entitlements', () => {
    expect(valueFields(product)).toEqual(expect.arrayContaining(['name', 'plans', 'members', 'pulse', 'traffic']));
  });
});
