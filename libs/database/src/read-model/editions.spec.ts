import { setTimeout as pause } from 'node:timers/promises';
import { rebuild } from '@charter/projections';
import { Kysely } from 'kysely';
import { databases, type TestDatabase } from '../database.testing';
import { postgresDialect } from '../postgres/dialect';
import { poolOf } from '../postgres/pool';
import type { Schema } from '../schema/schema';
import { openTables } from '../sqlite/open-tables';
import { counted, countingView, opened, projectAll } from './counting-view.testing';
import { activateEdition } from './editions';

/** The tables over a separate connection. */
async function separateTables({ options }: TestDatabase) {
  if ('file' in options) return openTables(options.file);
  const settings = { max: 1, statement: 10_000, acquire: 5_000, synchronousCommit: 'on' };
  const tables = new Kysely<Schema>({ dialect: postgresDialect(poolOf(options.server, settings)) });
  return { tables, close: () => tables.destroy() };
}

describe.each(databases)('An edition in %s', (_database, make) => {
  it('is not abandoned if another process commits its activation while `abandon` waits', async () => {
    const fixture = await opened(make);
    const store = fixture.database.view(countingView());
    await fixture.write('tally-a', counted());
    await rebuild(fixture.log, store, countingView());
    const before = (await store.live())!;
    const edition = await store.begin();
    const { tables, close } = await separateTables(fixture.place);
    const [activated, committing] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const activation = tables.transaction().execute(async (within) => {
      expect(await activateEdition(within, 'tallies', edition.id, { liveIsOfLostLog: true })).toBe(true);
      activated.resolve(undefined);
      await committing.promise;
    });
    await activated.promise;
    expect((await store.live())!.id).toBe(before.id); // the activation is not committed yet

    const abandoning = store.abandon(edition);
    await pause(200); // gives the call time to reach the lock
    committing.resolve(undefined);
    await Promise.all([activation, abandoning]);
    expect((await store.live())!.id).toBe(edition.id);
    expect((await edition.status()).place).toBe('live');
    await close();
    await fixture.close();
  });

  it('accepts more commits than a 32-bit integer can count', async () => {
    const fixture = await opened(make);
    const store = fixture.database.view(countingView());
    await fixture.write('tally-a', counted());
    await projectAll(fixture.log, store);
    await fixture.place.run(`update editions set commits = ${2 ** 31 - 1}`);
    await fixture.write('tally-a', counted());
    await projectAll(fixture.log, store);
    expect(await fixture.place.ask('select commits from editions')).toEqual([{ commits: 2 ** 31 }]);
    await fixture.close();
  });
});
