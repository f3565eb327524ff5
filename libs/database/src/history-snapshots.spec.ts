import type { Database } from './database';
import { databases, type TestDatabase } from './database.testing';

describe.each(databases)('Snapshots of histories in %s', (_database, make) => {
  let place: TestDatabase;
  let database: Database;
  beforeEach(async () => {
    place = await make();
    database = await place.open();
  });
  afterEach(async () => {
    await database.close();
    await place.remove();
  });
  const moment = (day: number) => `2026-11-${String(day).padStart(2, '0')}T00:00:00.000Z`;
  const snapshot = (revision: number, { stream = 'a', version = 1, proof = 'right' } = {}) => ({
    ...{ stream, version, revision, proof, hash: `hash ${revision}`, state: '{}' },
    ...{ at: moment(revision), inForceBy: moment(revision + 1) },
  });
  const newest = (
    until: number,
    { after = -1, version = 1, valid }: { after?: number; version?: number; valid?: string } = {},
  ) => database.historySnapshots.newest('a', { version, after, until, valid });

  it('are found by stream, version, range of revisions and moment of validity', async () => {
    const { historySnapshots } = database;
    await historySnapshots.store('a', 1, [snapshot(2), snapshot(4), snapshot(6)], 2);
    await historySnapshots.store('b', 1, [snapshot(8, { stream: 'b' })], 2);
    expect(await newest(9)).toEqual(snapshot(6));
    expect(await newest(5)).toEqual(snapshot(4));
    expect([await newest(1), await newest(3, { after: 2 }), await newest(9, { version: 2 })]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(await newest(9, { valid: moment(5) })).toEqual(snapshot(4));
  });

  it('replace older versions, the same revision, and revisions that are no multiples of the distance', async () => {
    const { historySnapshots } = database;
    await historySnapshots.store('a', 1, [snapshot(2), snapshot(4), snapshot(6)], 2);
    await historySnapshots.store('a', 1, [snapshot(8, { proof: 'first' })], 4);
    await historySnapshots.store('a', 1, [snapshot(8, { proof: 'second' })], 4);
    expect([await newest(7), await newest(9)]).toEqual([snapshot(4), snapshot(8, { proof: 'second' })]);
    await historySnapshots.store('a', 2, [snapshot(4, { version: 2 })], 4);
    expect([await newest(9), await newest(9, { version: 2 })]).toEqual([undefined, snapshot(4, { version: 2 })]);
  });

  it('are removed together for a stream, or one by one unless another process has replaced them', async () => {
    const { historySnapshots } = database;
    await historySnapshots.store('a', 1, [snapshot(2), snapshot(4), snapshot(6)], 2);
    await historySnapshots.remove(snapshot(6));
    await historySnapshots.remove(snapshot(4, { proof: 'older' }));
    expect(await newest(9)).toEqual(snapshot(4));
    await historySnapshots.removeAll('a');
    expect(await newest(9)).toBeUndefined();
  });
});
