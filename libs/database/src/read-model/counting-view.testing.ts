import { randomUUID } from 'node:crypto';
import type { Message, Metadata } from '@charter/decider';
import { type EventLog, type Json, MemoryLog } from '@charter/event-log';
import { type ProjectionOptions, project, type View } from '@charter/projections';
import { sqliteTestDatabase, type TestDatabase } from '../database.testing';
import type { ViewStore } from './view-store';

/**
 * A small view for specs. The view adds numbers and records revisions in order. The fold of a Cursed event fails until
 * a spec sets `curse.on` to false.
 */
export type CountingState = { name: string; total: number; seen: number[]; tags: string[] };
export type CountingEvent =
  | Message<'Named', { name: string }>
  | Message<'Counted', { by: number }>
  | Message<'Tagged', { tag: string }>
  | Message<'Untagged', { tag: string }>
  | Message<'Cursed', { by: number }>;

export const counted = (by = 1) => ({ type: 'Counted', data: { by } }) as const;
export const named = (name: string) => ({ type: 'Named', data: { name } }) as const;
export const tagAdded = (tag: string) => ({ type: 'Tagged', data: { tag } }) as const;
export const tagRemoved = (tag: string) => ({ type: 'Untagged', data: { tag } }) as const;
export const cursed = (by = 1) => ({ type: 'Cursed', data: { by } }) as const;

/** @param curse while `on` is true, a Cursed event changes the draft and then throws */
export const countingView = (curse = { on: true }, version = 1): View<CountingState, CountingEvent> => ({
  name: 'tallies',
  version,
  prefixes: ['tally-'],
  initial: () => ({ name: '', total: 0, seen: [], tags: [] }),
  row: ({ state: { name, tags, total } }) => {
    if (tags.includes('unlistable')) throw new Error('A row with the tag "unlistable" fails.');
    return name ? { name, tags, columns: { total } } : undefined;
  },
  evolve: (draft, { type, data }, { event }) => {
    draft.seen.push(event);
    switch (type) {
      case 'Named':
        draft.name = data.name;
        return draft;
      case 'Counted':
        if (!Number.isFinite(data.by)) throw new TypeError('The event contains no number.');
        draft.total += data.by;
        return draft;
      case 'Tagged':
        draft.tags.push(data.tag);
        return draft;
      case 'Untagged':
        draft.tags = draft.tags.filter((tag) => tag !== data.tag);
        return draft;
      case 'Cursed':
        draft.total += data.by;
        if (curse.on) throw new Error('The event is cursed.');
        return draft;
    }
  },
});

/** Returns a function that appends events to streams and tracks the streams' revisions. */
export function writerTo(log: EventLog) {
  const revisions = new Map<string, bigint>();
  return async (stream: string, ...events: readonly { type: string; data: object; metadata?: object }[]) => {
    const last = revisions.get(stream);
    const newEvents = events.map(({ type, data, metadata = METADATA }) => ({ id: randomUUID(), type, data, metadata }));
    const { revision, position } = await log.append(stream, newEvents, { expected: last ?? 'no_stream' });
    revisions.set(stream, revision);
    return position;
  };
}

const METADATA: Metadata = {
  command: 'c-1',
  correlation: 'c-1',
  causation: 'c-1',
  actor: { kind: 'system', id: 'spec' },
  at: '2026-11-21T10:00:00.000Z',
  schema: 1,
  previousHash: '',
  hash: '',
};

/** An empty log, and an empty database for its projections. */
export async function opened(make: () => Promise<TestDatabase> = sqliteTestDatabase) {
  const place = await make();
  const log = new MemoryLog();
  const database = await place.open();
  return {
    log,
    database,
    place,
    write: writerTo(log),
    close: async () => {
      await log.close();
      await database.close();
      await place.remove();
    },
  };
}

/** Projects all events that the log contains now, and then stops. */
export async function projectAll(
  log: EventLog,
  store: ViewStore<CountingState>,
  view = countingView(),
  options: Partial<ProjectionOptions> = {},
) {
  const projection = project(log, store, view, { alarm: () => undefined, pace: 0, ...options });
  try {
    await projection.whenProcessed(await log.head(), { timeout: 10_000 });
  } finally {
    await projection.stop();
  }
}

/** The documents and parked streams of the live edition as JSON, for comparison. */
export async function contents(store: ViewStore<CountingState>): Promise<Json> {
  const live = await store.live();
  if (!live) return null;
  const { documents } = await live.page('', 100_000);
  const { parked } = await live.status();
  return JSON.parse(
    JSON.stringify({ documents, parked: [...parked].map(([stream, { revision }]) => [stream, revision]) }),
  ) as Json;
}
