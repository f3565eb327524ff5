import { Kysely } from 'kysely';
import { postgresTestDatabase, sqliteTestDatabase, type TestDatabase, testNow } from '../database.testing';
import { postgresDialect } from '../postgres/dialect';
import { poolOf } from '../postgres/pool';
import { queryPlanOf } from '../schema/query-plan.testing';
import type { Schema } from '../schema/schema';
import { openTables } from '../sqlite/open-tables';
import { dueMails } from './mails';

/** Creates the tables, and 10,000 mails whose first attempt failed and whose next attempt is an hour later. */
async function addPostponedMails(place: TestDatabase): Promise<void> {
  await (await place.open()).close();
  await place.run(`insert into mails (id, kind, address, language, made, state, next, expires, sealed, attempts)
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 10000)
    select 'mail-' || n, 'reset', 'ada@example.com', 'en', '2026-11-21T09:00:00.000Z', 'waiting',
      '2026-11-21T11:00:00.000Z', '2026-11-22T09:00:00.000Z', 'sealed', 1 from numbers`);
}

describe('Query for due mails', () => {
  it('uses an index for each condition in SQLite', async () => {
    const place = await sqliteTestDatabase();
    await addPostponedMails(place);
    const { tables, close } = await openTables((place.options as { file: string }).file);
    const plan = await queryPlanOf(tables, 'explain query plan', dueMails(tables, testNow, 3));
    await close();
    await place.remove();
    expect(plan.filter((step) => / mails\b/.test(step)).map((step) => /\(.*\)$/.exec(step)?.[0])).toEqual([
      '(id=?)',
      '(state=? AND attempts=?)',
      '(state=? AND next<?)',
    ]);
  });

  it('reads no row of a postponed mail in PostgreSQL, with and without statistics', async () => {
    const place = await postgresTestDatabase();
    await addPostponedMails(place);
    const { server } = place.options as Extract<TestDatabase['options'], { server: unknown }>;
    const pool = poolOf(server, { max: 1, statement: 10_000, acquire: 10_000, synchronousCommit: 'on' });
    const tables = new Kysely<Schema>({ dialect: postgresDialect(pool) });
    const plans = [await queryPlanOf(tables, 'explain analyze', dueMails(tables, testNow, 3))];
    await place.run('analyze mails');
    plans.push(await queryPlanOf(tables, 'explain analyze', dueMails(tables, testNow, 3)));
    await tables.destroy();
    await place.remove();
    const withRows = (line: string) => /Rows Removed|actual time=\S+ rows=[1-9]/.test(line);
    expect(plans.map((plan) => plan.filter(withRows))).toEqual([[], []]);
  });
});
