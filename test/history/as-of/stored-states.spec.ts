import { createSecretKey, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aggregates } from '@charter/aggregates';
import { createStateReader, verifyChainOf } from '@charter/application';
import { loadCatalogue } from '@charter/catalogue';
import { type Database, openDatabase } from '@charter/database';
import { MemoryLog, type NewEvent, type StoredEvent } from '@charter/event-log';
import { signerOf } from '@charter/integrity';
import { organizationDecider, stateVersion } from '@charter/organization';
import { organizationView } from '@charter/organization-view';
import fc from 'fast-check';
import { createSnapshotReplay } from '../../../libs/application/src/history/snapshots/snapshot-replay';
import { createStoredSnapshots } from '../../../libs/application/src/history/snapshots/stored-snapshots';
import { operator } from '../../../libs/organization/src/testing/organization.testing';
import { tampered } from '../../support/stores/tampering';
import { anyOf, anySteps, chance, livedThrough, momentsOf, plainly, type Steps, seed } from './life';

/** The number of events between two states; small, so that short histories have many of them. */
const EVERY = 4;
const KEY = createSecretKey(Buffer.alloc(32, 1));
type Life = Awaited<ReturnType<typeof livedThrough>>;

let folder: string;
let file: string;
let database: Database;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'charter-stored-states-'));
  file = join(folder, 'documents.db');
  database = await openDatabase({ file });
});
afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

/** A process with an empty memory on the shared database. */
function startedProcess({ organizations, log }: Life, { key = KEY, writes = true } = {}) {
  const stored = createStoredSnapshots({ log, database }, { key, writes, every: EVERY });
  const snapshotReplay = createSnapshotReplay({ organizations }, { every: EVERY, stored });
  const states = createStateReader({ log, snapshotReplay });
  return {
    stored,
    read: async (stream: string, revision: number, valid?: string) => {
      const prepared = await states.prepare(stream, { until: { revision }, valid });
      return { events: prepared.events, state: (await prepared.read())?.state };
    },
  };
}

/**
 * A history of 41 events or more, whose states a process has stored. A random life that leaves the organization closed
 * refuses the renames, and is left out.
 */
async function storedLife(): Promise<Life> {
  const lives = fc.sample(anySteps, { numRuns: 20, seed: 7 }).map((steps) => [...steps, ...renames(41)]);
  let life = await livedThrough(lives.pop()!);
  while (life.events.length < 41) life = await livedThrough(lives.pop()!);
  const { stored, read } = startedProcess(life);
  await read(life.stream, life.events.length - 1);
  await stored.settled();
  return life;
}
const renames = (count: number): Steps =>
  Array.from({ length: count }, (_, index) => ({
    command: { type: 'RenameOrganization', data: { name: `Acme ${index}` } } as const,
    asker: { actor: operator },
    minutes: 1,
  }));

describe('A read of the past that begins with a stored state', () => {
  it('gives the same state as a fold from the first event', async () => {
    let shorter = 0;
    await fc.assert(
      fc.asyncProperty(
        anySteps.map((steps) => [...steps, ...renames(41)]), // Charter stores states of longer histories only
        fc.array(fc.record({ some: chance, validly: fc.option(chance) }), { minLength: 5, maxLength: 5 }),
        async (steps, reads) => {
          const life = await livedThrough(steps);
          const { events, stream } = life;
          for (const { some, validly } of reads) {
            const { revision } = anyOf(events, some);
            const valid = validly === null ? undefined : anyOf(momentsOf(events), validly);
            const { stored, read } = startedProcess(life);
            const answer = await read(stream, revision, valid);
            await stored.settled();
            expect(answer.state).toEqual(plainly(events, revision, valid).state);
            expect(stored.refused()).toBe(0);
            if (answer.events <= revision) shorter += 1;
          }
        },
      ),
      { numRuns: 15, ...seed },
    );
    expect(shorter).toBeGreaterThan(0);
  });

  it('reads only the events after the newest stored state, also in a process that writes no states', async () => {
    const life = await storedLife();
    const last = life.events.length - 1;
    expect((await startedProcess(life, { writes: false }).read(life.stream, last)).events).toBeLessThanOrEqual(EVERY);
  });

  it.each([
    ['state was changed', `UPDATE history_snapshots SET state = replace(state, 'Acme', 'Other')`],
    ['revision was changed', 'UPDATE history_snapshots SET revision = revision + 1'],
    ['hash was changed', `UPDATE history_snapshots SET hash = 'other'`],
    ['moment of validity was changed', `UPDATE history_snapshots SET in_force_by = '2000-01-01T00:00:00.000Z'`],
    [
      'state is the state of another revision',
      `UPDATE history_snapshots SET state = (SELECT state FROM history_snapshots LIMIT 1)`,
    ],
  ])('does not use a state whose %s, counts it, and stores it anew', async (_, sql) => {
    const life = await storedLife();
    const { events, stream } = life;
    const last = events.length - 1;
    tampered(file, sql);
    const { stored, read } = startedProcess(life);
    const answer = await read(stream, last);
    await stored.settled();
    expect(answer.state).toEqual(plainly(events, last).state);
    expect(stored.refused()).toBeGreaterThan(0);
    const later = startedProcess(life);
    expect((await later.read(stream, last)).events).toBeLessThanOrEqual(EVERY);
    expect(later.stored.refused()).toBe(0);
  });

  it('does not use a state that a process with another secret has stored', async () => {
    const life = await storedLife();
    const { stored, read } = startedProcess(life, { key: createSecretKey(Buffer.alloc(32, 2)) });
    expect((await read(life.stream, life.events.length - 1)).events).toBe(life.events.length);
    await stored.settled();
    expect(stored.refused()).toBeGreaterThan(0);
  });

  it('does not use a state after a restored log has got other events, and removes all states of the stream', async () => {
    const life = await storedLife();
    const restored = await restoredAndContinued(life, 10);
    const { stored, read } = startedProcess(restored);
    const last = restored.events.length - 1;
    expect((await read(life.stream, last)).state).toEqual(plainly(restored.events, last).state);
    await stored.settled();
    expect(stored.refused()).toBe(1);
    const later = startedProcess(restored);
    expect((await later.read(life.stream, last)).events).toBeLessThanOrEqual(EVERY);
    expect(later.stored.refused()).toBe(0);
  });

  it('stores no state of a history whose chain is broken', async () => {
    const life = await livedThrough(renames(41));
    const broken = life.events.map((event) =>
      event.revision === 5 ? { ...event, data: { name: 'altered' } } : event,
    ) as typeof life.events;
    const log = await logWith(life.stream, broken);
    const { stored, read } = startedProcess({ ...life, log, organizations: organizationsIn(log) });
    await read(life.stream, 41);
    await stored.settled();
    const wanted = { version: stateVersion, after: -1, until: 41 };
    expect(await database.historySnapshots.newest(life.stream, wanted)).toBeUndefined();
  });

  it.each([
    ['the first event', [[0, 41]]],
    [
      'a state in memory',
      [
        [0, 22],
        [22, 41],
      ],
    ],
  ] as const)(
    'stores no state of events that were altered after their verification: begins with %s',
    async (_, reads) => {
      const life = await livedThrough(renames(41));
      const { stream, events } = life;
      const log = await logWith(stream, events.slice(0, 21));
      const process = { ...life, log, organizations: organizationsIn(log) };
      const { stored, read } = startedProcess(process);
      await read(stream, 20);
      await stored.settled();
      Object.assign(log.store.streams.get(stream)![5]!, { data: '{"name":"altered"}' });
      await log.append(stream, events.slice(21) as unknown as readonly NewEvent[], { expected: 'any' });
      const { replay } = createSnapshotReplay(process, { every: EVERY, stored }); // the memory has lost all states
      for (const [from, to] of reads) await replay(stream, { from, to }, () => (_event, _before, fold) => void fold());
      await stored.settled();
      const newest = await database.historySnapshots.newest(stream, { version: stateVersion, after: -1, until: 41 });
      expect(newest?.revision).toBe(20);
    },
  );
});

const organizationsIn = (log: MemoryLog) => aggregates(log, organizationDecider(loadCatalogue()));

async function logWith(stream: string, events: Life['events']): Promise<MemoryLog> {
  const log = new MemoryLog();
  await log.append(stream, events as unknown as readonly NewEvent[], { expected: 'no_stream' });
  return log;
}

/** The life in a restored log, which has only the first events, and in which the organization then got other events. */
async function restoredAndContinued({ id, stream, events }: Life, kept: number): Promise<Life> {
  const log = await logWith(stream, events.slice(0, kept));
  const organizations = organizationsIn(log);
  const at = events.at(-1)!.metadata.at;
  for (let count = kept; count < events.length; count += 1) {
    const command = randomUUID();
    const by = { actor: operator, at, command, correlation: command, causation: command };
    await organizations.execute(stream, { type: 'RenameOrganization', data: { name: `Restored ${count}` } }, by);
  }
  const stored: StoredEvent[] = [];
  for await (const event of log.readStream(stream)) stored.push(event);
  const after = stored.map((event) => ({ ...event, revision: Number(event.revision) })) as unknown as Life['events'];
  return { log, organizations, snapshotReplay: createSnapshotReplay({ organizations }), id, stream, events: after };
}

const refuseRead = () => {
  throw new Error('A stored state was read.');
};

describe('The verification of a history', () => {
  it('reads no stored state', async () => {
    const life = await storedLife();
    const view = database.view(organizationView);
    const unreadable = { ...database, historySnapshots: new Proxy({}, { get: refuseRead }) };
    const signer = signerOf('charter', Buffer.alloc(32, 1));
    const verdict = await verifyChainOf({ log: life.log, view, signer, database: unreadable as Database }, life.id);
    expect(verdict).toMatchObject({ ok: true, events: life.events.length });
  });
});
