import { setTimeout as pause } from 'node:timers/promises';
import { RebuildInProgress } from '@charter/projections';
import type { Database } from './database';
import { type TestDatabase, postgresTestDatabase } from './database.testing';
import { countingView } from './read-model/counting-view.testing';

describe('Processes with clocks that differ by an hour, on one PostgreSQL server', () => {
  let place: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    place = await postgresTestDatabase();
    database = await place.open();
  });
  afterEach(() => jest.useRealTimers());
  afterAll(async () => {
    await database.close();
    await place.remove();
  });
  const hour = 3_600_000;
  const ahead = (ms: number) => jest.useFakeTimers({ doNotFake: undoctored, now: Date.now() + ms });

  it.each([
    ['ahead', hour],
    ['behind', -hour],
  ])(
    'do not start a second rebuild during another one, even if the clock of the second process is %s',
    async (_, by) => {
      const store = database.view(countingView());
      const begun = await store.begin({ takeOver: true });
      ahead(by);
      expect(await store.editions()).toMatchObject([{ edition: begun.id, place: 'building' }]);
      await expect(store.begin()).rejects.toThrow(RebuildInProgress);
      await begun.report('1'.padStart(20, '0'));
      jest.useRealTimers();
      expect(await store.editions()).toMatchObject([{ edition: begun.id, place: 'building' }]);
      await place.run(`update editions set heard_of = to_char((clock_timestamp() - interval '11 seconds') at time zone 'UTC',
      'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);
      ahead(-by);
      expect(await store.editions()).toMatchObject([{ edition: begun.id, place: 'interrupted' }]);
      const next = await store.begin();
      await store.abandon(next);
    },
  );

  it('measure the duration of a running request by the clock of the database server', async () => {
    const key = 'begun an hour ahead';
    ahead(hour);
    expect(await database.receipts.claim(key, 'body')).toEqual({ kind: 'new' });
    jest.useRealTimers();
    await pause(200);
    const known = await database.receipts.claim(key, 'body');
    expect(known).toMatchObject({ kind: 'unanswered' });
    const { since } = known as { since: number };
    expect(since).toBeGreaterThanOrEqual(190);
    expect(since).toBeLessThan(10_000);
  });

  it('read the time for the outbox from the clock of the database server', async () => {
    const before = await database.now!();
    ahead(hour);
    const after = await database.now!();
    expect(Math.abs(after - before)).toBeLessThan(10_000);
  });
});

/** The functions that Jest's fake timers do not replace, because these specs fake only `Date`. */
const undoctored = [
  ...(['hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
  ...(['setImmediate', 'clearImmediate', 'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const),
];
