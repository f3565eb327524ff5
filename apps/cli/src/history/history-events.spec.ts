import type { Metadata } from '@charter/decider';
import { MemoryLog } from '@charter/event-log';
import { appendAgain } from '../../../../test/projections/projecting';
import { organizationsOf } from '../../../../test/history/golden';
import { type EventFilter, filteredEvents } from './history-events';

/** Events of several actors, one minute apart. */
const { stream } = organizationsOf('schema-1')[0]!;
const stored = organizationsOf('schema-1').filter((event) => event.stream === stream);
const events = stored.map(({ type, revision, metadata }) => ({
  ...{ type, revision: Number(revision), metadata: metadata as Metadata },
}));
const log = new MemoryLog();
beforeAll(async () => {
  for (const event of stored) await appendAgain(log, event);
});

const minute = (at: number) => events[at]!.metadata.at;
const repetitions = new Map([[2, 1]]);
const [last, second] = [events.length - 1, events[1]!.metadata.actor.id];

it.each<[string, EventFilter, (event: (typeof events)[number]) => boolean]>([
  ['all', {}, () => true],
  ['from a revision', { from: { revision: 5 } }, ({ revision }) => revision >= 5],
  ['from a moment on', { from: { moment: minute(4) } }, ({ metadata: { at } }) => at >= minute(4)],
  ['up to a revision', { to: { revision: 1 } }, ({ revision }) => revision <= 1],
  ['up to a moment', { to: { moment: minute(2) } }, ({ metadata: { at } }) => at <= minute(2)],
  ['as of a revision', { asOf: { revision: 3 } }, ({ revision }) => revision <= 3],
  [
    'of some types',
    { type: ['PlanAssigned', 'MemberRemoved'] },
    ({ type }) => /^(PlanAssigned|MemberRemoved)$/.test(type),
  ],
  ['by a kind of actor', { actor: 'billing' }, ({ metadata: { actor } }) => actor.kind === 'billing'],
  ['by an actor', { actor: second }, ({ metadata: { actor } }) => actor.id === second],
  ['up to far beyond the end', { to: { revision: 999 }, from: { revision: 6 } }, ({ revision }) => revision >= 6],
  ['from beyond the end', { from: { revision: 999 } }, () => false],
  ['before the founding', { to: { moment: '2020-01-01T00:00:00.000Z' } }, () => false],
  [
    'a narrow part',
    { from: { moment: minute(3) }, to: { revision: 6 }, actor: second },
    ({ revision, metadata: { at, actor } }) => at >= minute(3) && revision <= 6 && actor.id === second,
  ],
  ['without repetitions', { fold: true }, ({ revision }) => !repetitions.has(revision)],
])('The filter returns the chosen events, in either order, up to the limit: %s', async (_, choice, isWanted) => {
  const expected = events.filter(isWanted).map(({ revision }) => revision);
  const revisions = async (more: EventFilter) => {
    const chosen: number[] = [];
    for await (const { revision } of filteredEvents(log, stream, { ...choice, ...more }, last, repetitions))
      chosen.push(Number(revision));
    return chosen;
  };
  expect(await revisions({})).toEqual(expected);
  expect(await revisions({ newest: true })).toEqual(expected.toReversed());
  expect(await revisions({ limit: 2 })).toEqual(expected.slice(0, 2));
  expect(await revisions({ limit: 2, newest: true })).toEqual(expected.toReversed().slice(0, 2));
});

it('The filter reads no event after the last wanted event, and ends when its callback throws', async () => {
  const seen: number[] = [];
  const read = async (choice: EventFilter, onSeen: (count: number) => void) => {
    for await (const event of filteredEvents(log, stream, choice, last, repetitions, onSeen))
      expect(event.stream).toBe(stream);
  };
  await read({ to: { revision: 2 } }, (count) => seen.push(count));
  expect(seen).toEqual([1, 2, 3]);
  const stop = () => {
    throw new Error('Stopped.');
  };
  await expect(read({}, stop)).rejects.toThrow('Stopped.');
});
