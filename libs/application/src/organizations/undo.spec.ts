import { randomUUID } from 'node:crypto';
import { aggregates } from '@charter/aggregates';
import { decideEach, fold, type Folded, type Recorded, deepCopy } from '@charter/decider';
import { MemoryLog } from '@charter/event-log';
import type { Organization, OrganizationDraft, OrganizationEvent } from '@charter/organization';
import { collectChangesToUndo, organizationView, type UndoRange } from '@charter/organization-view';
import fc from 'fast-check';
import { foldedTo } from '../../../organization-view/src/folded.testing';
import { termsCounted, valuesOf } from '../../../organization-view/src/undo/values-of.testing';
import { anyLife, decider } from '../../../organization/src/testing/any-history.testing';
import { ada, bob, catalogue, cyd, operator } from '../../../organization/src/testing/organization.testing';
import { undoOnPresent } from './undo';

type Events = readonly Recorded<OrganizationEvent>[];
type Stores = Parameters<typeof undoOnPresent>[0];

const organizations = aggregates(new MemoryLog(), decider);
/** The stores that an undo needs. In these stores, the given people are erased. */
const storesWith = (erased: readonly string[]) =>
  ({
    ...{ organizations, catalogue, settings: { productKey: 'pulse' } },
    database: {
      people: {
        accounts: {
          byIds: (ids: readonly string[]) =>
            Promise.resolve(ids.map((id) => ({ id, state: erased.includes(id) ? 'erased' : 'active' }))),
        },
      },
    },
  }) as unknown as Stores;

function read(events: Events, range: UndoRange) {
  let current: Folded<OrganizationDraft> = foldedTo([]);
  const { take, result } = collectChangesToUndo(range, 'pulse');
  for (const event of deepCopy(events))
    take(event, current.state, () => (current = fold(organizationView, [event], current)).state);
  return { ...result(), present: deepCopy(current) as Folded<Organization> };
}

/** Computes the undo of a range, and executes its commands as an operator. */
async function undone(events: Events, range: UndoRange, erased: readonly string[]) {
  const { changes, later, present } = read(events, range);
  const at = new Date(Date.parse(present.at) + 60_000).toISOString();
  const command = randomUUID();
  const context = { actor: operator, at, command, correlation: command, causation: command };
  const request = { id: randomUUID(), context, reason: 'undo', newPurchase: (cancelled: string) => `new-${cancelled}` };
  const undo = await undoOnPresent(storesWith(erased), request, { changes, later, present });
  const options = { isLenient: true };
  const { after, refused } = decideEach(decider, undo?.commands ?? [], present, { actor: operator, at }, options);
  return { undo, present: present.state, after, refused };
}

const stateAt = (events: Events, revision: number): Organization =>
  foldedTo(deepCopy(events.slice(0, revision + 1))).state;

const anyUndo = anyLife
  .filter(({ events }) => events.length > 1)
  .chain(({ events }) =>
    fc.record({
      events: fc.constant(events),
      first: fc.integer({ min: 1, max: events.length - 1 }),
      count: fc.constantFrom(1, 1, 1, 2, 5),
      erased: fc.subarray([ada, bob, cyd]),
    }),
  );

/** The values that an undo of the range must lead to, if nothing prevents the undo. */
function valuesWithout(events: Events, { first, last }: UndoRange): ReadonlyMap<string, unknown> {
  const [before, then, present] = [first - 1, last, events.length - 1].map((at) => valuesOf(stateAt(events, at)));
  const isChanged = (path: string) => JSON.stringify(before!.get(path)) !== JSON.stringify(then!.get(path));
  const paths = [...new Set([...before!.keys(), ...present!.keys()])];
  const values = paths.map((path) => [path, (isChanged(path) ? before! : present!).get(path)] as const);
  return new Map(values.filter(([, value]) => value !== undefined));
}

describe('An undo that says that it is exact', () => {
  it('restores each value that the undone events changed, and changes no other value', async () => {
    let exact = 0;
    await fc.assert(
      fc.asyncProperty(anyUndo, async ({ events, first, count, erased }) => {
        const range = { first, last: Math.min(events.length - 1, first + count - 1) };
        const { undo, after, refused } = await undone(events, range, erased);
        if (undo?.exact === false) return;
        if (undo) exact += 1;
        expect(refused).toEqual([]);
        expect(valuesOf(after)).toEqual(valuesWithout(events, range));
      }),
      { numRuns: 300 },
    );
    expect(exact).toBeGreaterThan(60);
  });

  it('of all later events leads to the state of a revision, with limits from the same plans', async () => {
    let exact = 0;
    await fc.assert(
      fc.asyncProperty(anyUndo, async ({ events, count, erased }) => {
        const first = Math.max(1, events.length - 2 * count); // near the end, because long undos are seldom exact
        const { undo, after, refused } = await undone(events, { first, last: events.length - 1 }, erased);
        if (undo?.exact === false) return;
        if (undo) exact += 1;
        const before = stateAt(events, first - 1);
        expect(refused).toEqual([]);
        expect(valuesOf(after)).toEqual(valuesOf(before));
        expect(termsCounted(after)).toEqual(termsCounted(before));
      }),
      { numRuns: 300 },
    );
    expect(exact).toBeGreaterThan(60);
  });
});
