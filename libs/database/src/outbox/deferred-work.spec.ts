import { randomUUID } from 'node:crypto';
import type { Database } from '../database';
import { databases, type TestDatabase, testNow } from '../database.testing';

describe.each(databases)('Deferred work in %s', (_database, make) => {
  let place: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    place = await make();
    database = await place.open();
  });
  afterEach(async () => {
    const all = () => database.deferred.take(testNow + 1e9, testNow, 1_000);
    for (let found = await all(); found.length > 0; found = await all())
      await database.deferred.done(found.map(({ id }) => id));
  });
  afterAll(async () => {
    await database.close();
    await place.remove();
  });

  const added = async (now = testNow) => {
    const id = randomUUID();
    await database.deferred.add({ id, kind: 'reset', sealed: `sealed ${id}` }, now);
    return id;
  };
  const ids = (entries: readonly { id: string }[]) => entries.map(({ id }) => id).sort();

  it('is taken when it is due, the oldest entry first, and stays in the table until it is done', async () => {
    const [late, early] = [await added(), await added(testNow - 1_000)];
    expect(await database.deferred.take(testNow, testNow + 60_000, 1)).toEqual([
      { id: early, kind: 'reset', sealed: `sealed ${early}` },
    ]);
    expect(ids(await database.deferred.take(testNow, testNow + 60_000, 10))).toEqual([late]);
    expect(await database.deferred.take(testNow, testNow + 60_000, 10)).toEqual([]);
    await database.deferred.done([early]);
    expect(await database.deferred.take(testNow + 59_999, testNow + 90_000, 10)).toEqual([]);
    expect(ids(await database.deferred.take(testNow + 60_000, testNow + 90_000, 10))).toEqual([late]);
    expect(await database.deferred.waiting()).toBe(1);
  });

  it('is taken at once if the clock was set back after the work was added', async () => {
    const id = await added(testNow + 3_600_000);
    expect(ids(await database.deferred.take(testNow, testNow + 30_000, 10))).toEqual([id]);
    expect(await database.deferred.take(testNow, testNow + 30_000, 10)).toEqual([]);
  });

  it('is taken again with exactly the entries of the former claim, after or before new entries', async () => {
    const claim = await Promise.all(Array.from({ length: 3 }, () => added()));
    await database.deferred.take(testNow, testNow + 60_000, 3);
    const earlier = await added(testNow + 59_000);
    const later = await added(testNow + 60_000);
    const take = async () => ids(await database.deferred.take(testNow + 60_000, testNow + 90_000, 3));
    expect(await take()).toEqual([earlier, later].sort());
    expect(await take()).toEqual(claim.sort());
    expect(await take()).toEqual([]);
  });

  it('is taken by only one of two processes', async () => {
    const other = await place.open();
    const all = await Promise.all(Array.from({ length: 40 }, () => added()));
    const round = (n: number) => (n % 2 ? other : database).deferred.take(testNow, testNow + 60_000, 8);
    const taken = [];
    for (let more = true; more;) {
      // Several simultaneous calls of `take` may choose the same rows. Only one call takes these rows, so the other
      // calls take fewer rows.
      const found = (await Promise.all(Array.from({ length: 20 }, (_, n) => round(n)))).flat();
      taken.push(...found);
      more = found.length > 0;
    }
    expect(ids(taken)).toEqual(all.sort());
    await other.close();
  });
});
