import { setTimeout as pause } from 'node:timers/promises';
import { MemoryLog } from '@charter/event-log';
import { project, verifyView } from '@charter/projections';
import type { Database } from './database';
import { databases, sqliteTestDatabase, type TestDatabase, postgresTestDatabase } from './database.testing';
import { counted, countingView, writerTo } from './read-model/counting-view.testing';

/** The same tables, opened by two for all of a `describe`. */
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

describe('a lease in a file', () => {
  let now = 0;
  const tables = openedTwice(sqliteTestDatabase);

  it('has one holder, who keeps it by renewing, until it expires or is given back', async () => {
    const clock = { now: () => now, lasts: 900 };
    const [mine, theirs] = [tables.one.lease('work', clock), tables.other.lease('work', clock)];
    expect([await mine.hold(), await theirs.hold()]).toEqual([true, false]);
    now += 800;
    expect([await mine.hold(), await theirs.hold()]).toEqual([true, false]);
    now += 800;
    expect([await theirs.hold(), await mine.hold()]).toEqual([false, true]);
    now += 900;
    expect([await theirs.hold(), await mine.hold()]).toEqual([true, false]);
    await mine.release(); // it is not theirs to give
    expect(await mine.hold()).toBe(false);
    await theirs.release();
    expect(await mine.hold()).toBe(true);
    expect(await tables.one.lease('other work', clock).hold()).toBe(true);
  });

  it('of a crashed server is taken over at once by the next server, and by no other process', async () => {
    const [died, beside] = [await tables.place.open({ serving: true }), await tables.place.open()];
    expect([await died.lease('serving').hold(), await beside.lease('serving').hold()]).toEqual([true, false]);
    await died.close(); // and the lease was not given back
    const next = await tables.place.open({ serving: true });
    expect([await beside.lease('serving').hold(), await next.lease('serving').hold()]).toEqual([false, true]);
    await next.close();
    await beside.close();
  });
});

describe('a lease on a server', () => {
  const tables = openedTwice(postgresTestDatabase);

  it('has one holder, who keeps it by renewing, until it expires or is given back', async () => {
    const [mine, theirs] = [tables.one.lease('work', { lasts: 600 }), tables.other.lease('work', { lasts: 600 })];
    expect([await mine.hold(), await theirs.hold()]).toEqual([true, false]);
    for (let turns = 0; turns < 4; turns += 1) {
      await pause(250);
      expect([await mine.hold(), await theirs.hold()]).toEqual([true, false]);
    }
    await pause(650);
    expect([await theirs.hold(), await mine.hold()]).toEqual([true, false]);
    await mine.release(); // it is not theirs to give
    expect(await mine.hold()).toBe(false);
    await theirs.release();
    expect(await mine.hold()).toBe(true);
    expect(await tables.one.lease('other work').hold()).toBe(true);
  });

  it('never has two holders at once, however many processes ask', async () => {
    const asking = Array.from({ length: 8 }, (_, n) =>
      [tables.one, tables.other][n % 2]!.lease('race', { holder: `h-${n}` }),
    );
    for (let rounds = 0; rounds < 5; rounds += 1) {
      const held = await Promise.all(asking.map((lease) => lease.hold()));
      expect(held.filter(Boolean)).toHaveLength(1);
      await asking[held.indexOf(true)]!.release();
    }
  });

  it('ends by the clock of the server, whatever the clocks of processes say', async () => {
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
    await tables.one.lease('crash').hold(); // and never again
    const from = performance.now();
    const theirs = tables.other.lease('crash');
    while (!(await theirs.hold())) await pause(100);
    expect(performance.now() - from).toBeLessThan(8_000);
  });
});

/** Everything but the date. */
const undoctored = [
  ...(['hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
  ...(['setImmediate', 'clearImmediate', 'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const),
];

describe.each(databases)('a lease in %s', (database, make) => {
  const tables = openedTwice(make);

  it('lets one of two projectors work; the other watches, and takes over when the first is gone', async () => {
    const log = new MemoryLog();
    const write = writerTo(log);
    const view = countingView();
    const start = (documents: Database) => {
      const lease = documents.lease('projector', { lasts: database === 'SQLite' ? 300 : 1_500 });
      return project(log, documents.view(view), view, { alarm: () => undefined, pace: 0, lease });
    };
    let [works, waits] = [start(tables.one), start(tables.other)];
    let turns = 0;
    for (; turns < (database === 'SQLite' ? 4 : 2); turns += 1) {
      const position = await write('tally-a', counted(1));
      await works.whenProcessed(position, { timeout: 5_000 });
      await waits.whenProcessed(position, { timeout: 5_000 }); // told of the other's progress
      if (turns > 0) expect([works.now().phase, waits.now().phase]).toEqual(['running', 'waiting']);
      await works.stop(); // as a process that dies: the lease stays until it expires
      const gone = await write('tally-a', counted(1));
      await waits.whenProcessed(gone, { timeout: 5_000 });
      expect(waits.now().phase).toBe('running');
      [works, waits] = [waits, start(turns % 2 === 0 ? tables.one : tables.other)];
      while (waits.now().phase !== 'waiting') await pause(5);
    }
    await Promise.all([works.stop(), waits.stop()]);
    const edition = (await tables.one.view(view).live())!;
    expect((await edition.get('tally-a'))?.state.total).toBe(turns * 2);
    expect(await verifyView(log, edition, view)).toMatchObject({ ok: true });
  });
});
