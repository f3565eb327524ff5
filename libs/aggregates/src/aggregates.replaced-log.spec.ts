import { randomUUID } from 'node:crypto';
import { aggregates } from './aggregates';
import { MemoryLog } from '@charter/event-log';
import { memoryStore } from '@charter/event-log';
import type { EventLog } from '@charter/event-log';

type Event = { type: 'Renamed'; data: { name: string } };
const decider = {
  initial: () => ({ name: '' }),
  evolve: (draft: { name: string }, { data }: Event) => Object.assign(draft, { name: data.name }),
  decide: (command: Event) => [command],
};
const envelope = (command: string) => ({
  actor: { kind: 'system', id: 'spec', powers: [] } as const,
  at: '2026-11-21T10:00:00.000Z',
  ...{ command, correlation: command, causation: command },
});

it('`invalidate` drops every cached stream, so that the next query reads the log that has replaced the first log', async () => {
  const [newer, older] = [new MemoryLog(), new MemoryLog(memoryStore())];
  let current: EventLog = newer;
  const exchanged = new Proxy(newer, {
    get: (_, name) => {
      const value: unknown = Reflect.get(current, name);
      return typeof value === 'function' ? (value.bind(current) as unknown) : value;
    },
  });
  const { execute, query, invalidate } = aggregates<{ name: string }, Event, Event, never>(exchanged, decider);
  const name = (stream: string) => query(stream, ({ state, revision }) => [state.name, revision]);
  const rename = (stream: string, to: string) =>
    execute(stream, { type: 'Renamed', data: { name: to } }, envelope(randomUUID()));
  current = older;
  await rename('a', 'Before');
  invalidate();
  current = newer;
  for (const to of ['Before', 'After']) await rename('a', to);
  await rename('b', 'Only here');
  expect([await name('a'), await name('b')]).toEqual([
    ['After', 1],
    ['Only here', 0],
  ]);

  current = older;
  invalidate();
  expect([await name('a'), await name('b')]).toEqual([
    ['Before', 0],
    ['', -1],
  ]);
});
