import { setTimeout as pause } from 'node:timers/promises';
import { MemoryLog } from '@charter/event-log';
import { project, verifyView } from '@charter/projections';
import type { Database } from './database';
import {
  connectedTo,
  databases,
  sqliteTestDatabase,
  type TestDatabase,
  postgresTestDatabase,
} from './database.testing';
import type { PostgresAddress } from './postgres/address';
import { counted, countingView, writerTo } from './read-model/counting-view.testing';

/** Opens the same tables two times, as two processes would. All specs of a `describe` share both `Database` objects. */
function openedTwice(make: () => Promise<TestDatabase>) {
  const tables = {} as { place: TestDatabase; one: Database; other: Database };
  beforeAll(async () => {
    tables.place = await make();
    [tables.one, tables.other] = [await tables.place.open(), await tables.place.open()];
  });
  afterAll(async () => {
    await tables.one.close();
    await tables.other.close();
    await tables.place.remove();
  });
  return tables;
}

describe('Lease in a SQLite file', () => {
  let now = 0;
  const tables = openedTwice(sqliteTestDatabase);

  it('has one holder at a time: a renewal extends the lease, and its expiry or release ends it', async () => {
    const clock = { now: () => now, lasts: 900 };
    const [mine, theirs] = [tables.one.lease('work', clock), tables.other.lease('work', clock)];
    expect([await mine.hold(), await theirs.hold()]).toEqual([true, false]);
    now += 800;
    expect([await mine.hold(), await theirs.hold()]).toEqual([true, false]);
    now += 800;
    expect([await theirs.hold(), await mine.hold()]).toEqual([false, true]);
    now += 900;
    expect([await theirs.hold(), await mine.hold()]).toEqual([true, false]);
    await mine.release(); // has no effect, because another process holds the lease
    expect(await mine.hold()).toBe(false);
    await theirs.release();
    expect(await mine.hold()).toBe(true);
    expect(await tables.one.lease('other work', clock).hold()).toBe(true);
  });

  it('begins at the request: a process does not hold the lease if the answer takes longer than the lease lasts', async () => {
    const clock = { now: () => now, lasts: 900 };
    const [mine, theirs] = [tables.one.lease('late', clock), tables.other.lease('late', clock)];
    const late = mine.hold();
    now += 900;
    expect([await late, await theirs.hold()]).toEqual([false, true]);
    const inTime = tables.one.lease('in time', clock).hold();
    now += 899;
    expect(await inTime).toBe(true);
  });

  it('passes at once from a crashed server to the next server, and to no other process', async () => {
    const [crashed, other] = [await tables.place.open({ serving: true }), await tables.place.open()];
    expect([await crashed.lease('serving').hold(), await other.lease('serving').hold()]).toEqual([true, false]);
    await crashed.close(); // keeps the lease, as after a crash
    const next = await tables.place.open({ serving: true });
    expect([await other.lease('serving').hold(), await next.lease('serving').hold()]).toEqual([false, true]);
    await next.close();
    await other.close();
  });
});

describe('Lease on a PostgreSQL server', () => {
  const tables = openedTwice(postgresTestDatabase);

  it('has one holder at a time: a renewal extends the lease, and its expiry or release ends it', async () => {
    const [mine, theirs] = [tables.one.lease('work', { lasts: 600 }), tables.other.lease('work', { lasts: 600 })];
    expect([await mine.hold(), await theirs.hold()]).toEqual([true, false]);
    for (let round = 0; round < 4; round += 1) {
      await pause(250);
      expect([await mine.hold(), await theirs.hold()]).toEqual([true, false]);
    }
    await pause(650);
    expect([await theirs.hold(), await mine.hold()]).toEqual([true, false]);
    await mine.release(); // has no effect, because another process holds the lease
    expect(await mine.hold()).toBe(false);
    await theirs.release();
    expect(await mine.hold()).toBe(true);
    expect(await tables.one.lease('other work').hold()).toBe(true);
  });

  it('has at most one holder when eight callers request it at the same time', async () => {
    const leases = Array.from({ length: 8 }, (_, n) =>
      [tables.one, tables.other][n % 2]!.lease('race', { holder: `h-${n}` }),
    );
    for (let round = 0; round < 5; round += 1) {
      const held = await Promise.all(leases.map((lease) => lease.hold()));
      expect(held.filter(Boolean)).toHaveLength(1);
      await leases[held.indexOf(true)]!.release();
    }
  });

  it('begins at the request: a process does not hold the lease if the answer takes longer than the lease lasts', async () => {
    const client = await connectedTo((tables.place.options as { server: PostgresAddress }).server);
    await client.query('begin; lock table leases in access exclusive mode');
    const late = tables.one.lease('late', { lasts: 300 }).hold();
    await pause(400);
    await client.query('commit');
    expect(await late).toBe(false);
    await client.end();
  });

  it('may expire while another process waits for a table lock; that process then gets the lease', async () => {
    await tables.one.lease('expired', { lasts: 200 }).hold();
    const client = await connectedTo((tables.place.options as { server: PostgresAddress }).server);
    await client.query('begin; lock table leases in access exclusive mode');
    const theirs = tables.other.lease('expired').hold(); // its transaction begins before the lease expires
    await pause(400);
    await client.query('commit');
    expect(await theirs).toBe(true);
    await client.end();
  });

  it('expires by the clock of the database server, not by the clock of a process', async () => {
    const mine = tables.one.lease('clock', { lasts: 60_000 });
    expect(await mine.hold()).toBe(true);
    jest.useFakeTimers({ doNotFake: undoctored, now: Date.now() + 3_600_000 });
    try {
      expect(await tables.other.lease('clock').hold()).toBe(false);
    } finally {
      jest.useRealTimers();
    }
  });

  it('passes to another process within ten seconds of a crash', async () => {
    await tables.one.lease('crash').hold(); // takes the lease, and never renews it
    const from = performance.now();
    const theirs = tables.other.lease('crash');
    while (!(await theirs.hold())) await pause(100);
    expect(performance.now() - from).toBeLessThan(8_000);
  });
});

/** The functions that Jest's fake timers do not replace, because this spec fakes only `Date`. */
const undoctored = [
  ...(['hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
  ...(['setImmediate', 'clearImmediate', 'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const),
];

describe.each(databases)('Projector lease in %s', (dialect, make) => {
  const tables = openedTwice(make);

  it('lets one of two projectors run; the second projector takes over after the first projector crashes', async () => {
    const log = new MemoryLog();
    const write = writerTo(log);
    const view = countingView();
    const start = (database: Database) => {
      const lease = database.lease('projector', { lasts: dialect === 'SQLite' ? 300 : 1_500 });
      return project(log, database.view(view), view, { alarm: () => undefined, pace: 0, lease });
    };
    let [running, waiting] = [start(tables.one), start(tables.other)];
    let rounds = 0;
    for (; rounds < (dialect === 'SQLite' ? 4 : 2); rounds += 1) {
      const position = await write('tally-a', counted(1));
      await running.whenProcessed(position, { timeout: 5_000 });
      // the waiting projector reads the progress of the projecting process
      await waiting.whenProcessed(position, { timeout: 5_000 });
      if (rounds > 0) expect([running.now().phase, waiting.now().phase]).toEqual(['running', 'waiting']);
      await running.stop(); // the lease is not released, as after a crash, so it stays until it expires
      const afterCrash = await write('tally-a', counted(1));
      await waiting.whenProcessed(afterCrash, { timeout: 5_000 });
      expect(waiting.now().phase).toBe('running');
      [running, waiting] = [waiting, start(rounds % 2 === 0 ? tables.one : tables.other)];
      while (waiting.now().phase !== 'waiting') await pause(5);
    }
    await Promise.all([running.stop(), waiting.stop()]);
    const edition = (await tables.one.view(view).live())!;
    expect((await edition.get('tally-a'))?.state.total).toBe(rounds * 2);
    expect(await verifyView(log, edition, view)).toMatchObject({ ok: true });
  });
});
