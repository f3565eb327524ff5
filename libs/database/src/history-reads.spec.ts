import type { Database } from './database';
import { databases, type TestDatabase } from './database.testing';
import type { HistoryRead } from './history-reads';

const at = (minute: number) => `2026-11-21T10:${String(minute).padStart(2, '0')}:00.000Z`;
const read = (scope: string, minute: number, more: Partial<HistoryRead> = {}): HistoryRead => ({
  ...{ scope, at: at(minute), kind: 'account', reader: 'ada', did: 'read', role: null },
  ...more,
});
const whole = (scope: string) => ({ scope, from: at(0), to: at(59) });

describe.each(databases)('Recorded reads of histories in %s', (_database, make) => {
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
  const commit = (from: string | undefined, to: string, reads: readonly HistoryRead[], anew = false) =>
    database.historyReads.commit({ from, to, anew, reads, roles: new Map() });

  it('are returned for several histories and periods, newest first, in pages that contain each read once', async () => {
    const operator = { reader: 'op', role: 'operator', did: 'followed' } as const;
    const reads = [
      ...Array.from({ length: 30 }, (_, minute) => read('a', minute)),
      ...Array.from({ length: 30 }, (_, minute) => read('all', minute, operator)),
      read('a', 5, { did: 'exported' }),
      read('b', 7),
    ];
    expect(await commit(undefined, '1', [...reads, reads[0]!])).toBe(true);
    const ranges = [whole('a'), { ...whole('all'), from: at(3), to: at(20) }];
    const seen: HistoryRead[] = [];
    for (let beyond: HistoryRead | undefined; ;) {
      const page = await database.historyReads.page(ranges, { beyond, limit: 7 });
      seen.push(...page);
      beyond = page.at(-1);
      if (!beyond) break;
    }
    const wanted = reads.filter(
      (each) => each.scope === 'a' || (each.scope === 'all' && each.at >= at(3) && each.at <= at(20)),
    );
    expect(seen.map(({ at: moment }) => moment)).toEqual(
      wanted.map(({ at: moment }) => moment).toSorted((left, right) => (left < right ? 1 : -1)),
    );
    expect(new Set(seen.map((each) => JSON.stringify(each)))).toEqual(
      new Set(wanted.map((each) => JSON.stringify(each))),
    );
  });

  it('are returned for more histories than one SQL statement can name', async () => {
    const scopes = Array.from({ length: 130 }, (_, index) => `scope-${index}`);
    await commit(
      undefined,
      '1',
      scopes.map((scope, index) => read(scope, index % 60, { reader: scope })),
    );
    const page = await database.historyReads.page(scopes.map(whole), { limit: 5 });
    expect(page.map(({ at: moment, reader }) => [moment, reader])).toEqual([
      [at(59), 'scope-59'],
      [at(59), 'scope-119'],
      [at(58), 'scope-58'],
      [at(58), 'scope-118'],
      [at(57), 'scope-57'],
    ]);
    expect(await database.historyReads.page([], { limit: 5 })).toEqual([]);
  });

  it('stay unchanged if another process has already stored its progress', async () => {
    const { historyReads } = database;
    const other = await place.open();
    expect(await commit(undefined, 'mine', [read('a', 1)])).toBe(true);
    expect(
      await other.historyReads.commit({ from: undefined, to: 'yours', reads: [read('a', 2)], roles: new Map() }),
    ).toBe(false);
    expect(
      await other.historyReads.commit({ from: 'mine', to: 'yours', reads: [read('a', 2)], roles: new Map() }),
    ).toBe(true);
    expect(await commit('mine', 'again', [], true)).toBe(false);
    expect(await historyReads.progress()).toBe('yours');
    expect(await historyReads.page([whole('a')], { limit: 9 })).toHaveLength(2);
    await other.close();
  });

  it('are deleted, together with the stored roles, when the projection begins anew', async () => {
    const { historyReads } = database;
    await historyReads.commit({
      ...{ from: undefined, to: '1', reads: [read('a', 1)] },
      roles: new Map([
        ['ada', 'operator'],
        ['ben', null],
        ['eve', 'auditor'],
      ]),
    });
    await historyReads.commit({ from: '1', to: '2', reads: [], roles: new Map([['eve', undefined]]) });
    expect(await historyReads.rolesOf(['ada', 'ben', 'eve', 'mia'])).toEqual(
      new Map([
        ['ada', 'operator'],
        ['ben', null],
      ]),
    );
    await historyReads.reset();
    expect(await historyReads.progress()).toBeUndefined();
    expect(await commit(undefined, '3', [read('a', 2)], true)).toBe(true);
    expect(await historyReads.page([whole('a')], { limit: 9 })).toEqual([read('a', 2)]);
    expect(await historyReads.rolesOf(['ada'])).toEqual(new Map());
  });
});
