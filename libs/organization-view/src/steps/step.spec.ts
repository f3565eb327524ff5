import { fold, type Folded, type Recorded, deepCopy } from '@charter/decider';
import type { ChangedPart, Organization, OrganizationDraft, OrganizationEvent } from '@charter/organization';
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
import { applied, reversed } from '../applied.testing';
import { foldedAcme, foldedTo, recordedAt } from '../folded.testing';
import type { PatchLine } from '../differences/json-patch';
import { entitlements } from '../printed-entitlements';
import { publicDocument } from '../public-document';
import { organizationView } from '../view';
import { keyedDocument } from './keyed-document';
import { idsIn, type Step, stepBase, stepper, type StepsOf } from './step';

const id = '7d3f6f3e-7f4b-4b53-8a53-0f6a1f2b7c90';
const of: StepsOf = { id, product: 'pulse' };
const monday = '2026-11-02T09:00:00.000Z';
const friday = '2026-11-06T09:00:00.000Z';

type Printed = Readonly<{ document: object; entitlements: object }>;

/** The answers of Charter at a revision, as JSON. The lists of the document are objects with ids as keys. */
const answersAt = (current: Folded<Organization>): Printed =>
  plain({
    document: keyedDocument(publicDocument(id, 'pulse')(current, current.at)),
    entitlements: entitlements(id)(current, current.at),
  });
const plain = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

/** The steps of all events after the first. All events are folded into one state, which the fold changes in place. */
function stepsOf(events: readonly Recorded<OrganizationEvent>[], wanted: StepsOf = of) {
  let current: Folded<OrganizationDraft> = foldedTo(events.slice(0, 1).map(deepCopy));
  const base = plain<Printed>(stepBase(current, wanted));
  const stepOf = stepper(wanted);
  const steps = events
    .slice(1)
    .map((event) => stepOf(event, current, () => (current = fold(organizationView, [deepCopy(event)], current))));
  return { base, steps: plain(steps) };
}

/** The answers after a step. */
const after = (
  answers: Printed,
  { revision, at, ...lines }: Pick<Step, keyof Printed | 'revision' | 'at'>,
): Printed => ({
  document: { ...applied(answers.document, lines.document), revision, at },
  entitlements: { ...applied(answers.entitlements, lines.entitlements), revision, at },
});
/** The answers before a step, computed from the answers after the step. */
const before = (answers: Printed, { document, entitlements: entitled }: Step, previous: Recorded<OrganizationEvent>) =>
  after(answers, {
    document: reversed(document),
    entitlements: reversed(entitled),
    ...{ revision: previous.revision, at: previous.metadata.at },
  });

describe('Steps of a history', () => {
  it('turn the answers at the first revision into the answers at every later revision, and back again', () => {
    fc.assert(
      fc.property(anyLife, ({ events }) => {
        const { base, steps } = stepsOf(events);
        const answers = events.map((_, revision) => answersAt(foldedTo(events.slice(0, revision + 1).map(deepCopy))));
        expect(base).toEqual(answers[0]);
        for (const step of steps) {
          const [earlier, later] = [answers[step.revision - 1]!, answers[step.revision]!];
          expect([step.revision, after(earlier, step)]).toEqual([step.revision, later]);
          expect([step.revision, before(later, step, events[step.revision - 1]!)]).toEqual([step.revision, earlier]);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('name the event, its moments, its actor, its subject and its hash', () => {
    const events = recordedAt([
      [monday, founded],
      [friday, on('second/solo', monday)],
      [friday, added(ada)],
    ]);
    const [plan, member] = stepsOf(events).steps;
    expect(plan).toMatchObject({
      revision: 1,
      at: friday,
      effectiveAt: monday,
      type: 'PlanAssigned',
      actor: events[1]!.metadata.actor,
      about: ['plans', 'second'],
      hash: events[1]!.metadata.hash,
    });
    expect(member).toMatchObject({ about: ['members', ada] });
    expect(member).not.toHaveProperty('effectiveAt');
  });

  it('change only the entry that the event is about, and the number of used units', () => {
    const { steps } = stepsOf(
      recordedAt(
        [founded, added(ada, 'owner'), siteAdded(shop, 'shop.test'), added(bob)].map((event) => [monday, event]),
      ),
    );
    expect(steps.map(({ document }) => document.map(({ op, path }) => `${op} ${path}`))).toEqual([
      [`add /members/${ada}`],
      [`add /sites/${shop}`],
      [`add /members/${bob}`],
    ]);
    expect(steps[2]!.entitlements).toEqual([{ op: 'replace', path: '/limits/users/used', before: 1, value: 2 }]);
  });

  it('contain the previous value of everything that they remove or replace', () => {
    const { steps } = stepsOf(
      recordedAt([
        [monday, founded],
        [monday, on('second/solo', monday)],
        [monday, added(ada)],
        [friday, on('second/teams', friday)],
        [friday, { type: 'MemberRemoved', data: { member: ada } }],
      ]),
    );
    const lines = steps.flatMap(({ document, entitlements: entitled }) => [...document, ...entitled]);
    expect(lines.filter(({ op }) => op !== 'add').every((line) => 'before' in line)).toBe(true);
    const sinceAdded = { event: 2, at: monday };
    expect(steps[3]!.document).toContainEqual({
      op: 'remove',
      path: `/members/${ada}`,
      before: { _id: ada, role: 'member', pulseUser: false, since: sinceAdded, roleSince: sinceAdded },
    });
    expect(steps[2]!.document).toContainEqual({
      op: 'replace',
      path: '/plans/second/plan',
      before: 'solo',
      value: 'teams',
    });
  });

  it('show the end of an override at the next event of any type', () => {
    const { steps } = stepsOf(
      recordedAt([
        [monday, founded],
        [monday, overriddenUntil('2026-11-03T09:00:00.000Z')],
        [friday, added(ada)],
      ]),
    );
    expect(steps[1]!.document).toContainEqual({ op: 'replace', path: '/limits/override', before: true, value: false });
    expect(steps[1]!.entitlements).toContainEqual({
      op: 'replace',
      path: '/limits/users/overridden',
      before: true,
      value: false,
    });
  });

  it('compare all sites if the event changes a plan or closes the organization; after any other event, they compare only its own entry', () => {
    const { state } = foldedAcme(added(ada), siteAdded(shop, 'shop.example'));
    const compared = (...part: ChangedPart) => (['members', 'sites'] as const).flatMap(idsIn(state, part));
    for (const field of ['plans', 'closed'] as const) expect(compared(field)).toEqual([shop]);
    for (const field of ['name', 'traffic', 'override', 'purchases'] as const) expect(compared(field)).toEqual([]);
    expect(compared('members', ada)).toEqual([ada]);
  });

  it('contain only the parts that the request names', () => {
    const events = recordedAt(
      [founded, on('second/solo', monday), added(ada), bought(2, 'additionalUser')].map((e) => [monday, e]),
    );
    const all = stepsOf(events);
    const { base, steps } = stepsOf(events, { ...of, only: ['members', 'limits'] });
    expect(Object.keys(base.document)).toEqual(['_id', 'revision', 'at', 'limits', 'members']);
    expect(Object.keys(base.entitlements)).toEqual(['organization', 'revision', 'at', 'limits']);
    for (const [at, { document, entitlements: entitled }] of steps.entries()) {
      const isWanted = ({ path }: PatchLine) => /^\/(members|limits)(\/|$)/.test(path);
      expect(document).toEqual(all.steps[at]!.document.filter(isWanted));
      expect(entitled).toEqual(all.steps[at]!.entitlements.filter(isWanted));
    }
    expect(all.steps[0]!.document.map(({ path }) => path)).toContain('/plans/second');
  });
});
