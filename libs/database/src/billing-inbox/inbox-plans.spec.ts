import { Kysely } from 'kysely';
import { folder, postgresTestDatabase, sqliteTestDatabase, type TestDatabase } from '../database.testing';
import { postgresDialect } from '../postgres/dialect';
import { poolOf } from '../postgres/pool';
import { queryPlanOf } from '../schema/query-plan.testing';
import type { Schema, Tables } from '../schema/schema';
import { openTables } from '../sqlite/open-tables';
import { aboutOrganization, forgetRawText, listedMessages } from './inbox-rows';
import { acmeId } from './inbox.testing';

/** Creates the tables, and 10,000 messages that neither name an organization nor have a linked customer. */
async function addForeignMessages(place: TestDatabase): Promise<void> {
  await (await place.open()).close();
  await place.run(`insert into billing_messages
      (provider, id, type, time, state, received, customer, subscription, fact, raw, attempts)
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 10000)
    select 'stripe', 'evt_' || n, 'type', '2026-11-21T09:00:00.000Z', 'applied', '2026-11-21T09:00:00.000Z',
      'cus_' || n, 'sub_' || n, '{}', '{}', 1 from numbers`);
  await place.run(`insert into billing_customers values
    ('stripe', 'cus_linked', '${acmeId}', '2026-11-21T09:00:00.000Z')`);
}

/** The lines of the plans that the database makes for the queries for the messages of an organization. */
async function plansOf(tables: Tables, explain: string): Promise<readonly string[]> {
  const queries = [aboutOrganization(tables, acmeId), ...forgetRawText(tables, { organization: acmeId })];
  return (await Promise.all(queries.map((query) => queryPlanOf(tables, explain, query)))).flat();
}

describe('Queries for the messages of an organization', () => {
  it('use an index for each condition in SQLite', async () => {
    const place = await sqliteTestDatabase();
    await addForeignMessages(place);
    const { tables, close } = await openTables((place.options as { file: string }).file);
    const plan = await plansOf(tables, 'explain query plan');
    await close();
    await place.remove();
    const readings = plan.filter((step) => /\b(SCAN|SEARCH)\b/.test(step));
    expect(readings.map((step) => /^SCAN.*|\(.*\)$/.exec(step)?.[0])).toEqual([
      '(organization=?)',
      '(provider=? AND customer=?)',
      '(organization=?)',
      '(provider=? AND subscription=?)',
      '(organization=?)',
      '(organization=?)',
      '(provider=? AND customer=?)',
      '(organization=?)',
    ]);
  });

  it('read no other message in PostgreSQL, with and without statistics', async () => {
    const place = await postgresTestDatabase();
    await addForeignMessages(place);
    const { server } = place.options as Extract<TestDatabase['options'], { server: unknown }>;
    const pool = poolOf(server, { max: 1, statement: 10_000, acquire: 10_000, synchronousCommit: 'on' });
    const tables = new Kysely<Schema>({ dialect: postgresDialect(pool) });
    const plans = [await plansOf(tables, 'explain analyze')];
    await place.run('analyze billing_messages');
    await place.run('analyze billing_customers');
    plans.push(await plansOf(tables, 'explain analyze'));
    await tables.destroy();
    await place.remove();
    const withRows = (line: string) => /Rows Removed|billing_messages.*actual time=\S+ rows=[1-9]/.test(line);
    expect(plans.map((plan) => plan.filter(withRows))).toEqual([[], []]);
  });
});

it('The list of billing messages reads only the rows of its page', async () => {
  const { file, remove } = folder();
  const { tables, close } = await openTables(file());
  const before = { received: '2026-11-21T10:00:00.000Z', provider: 'stripe', id: 'evt_1' };
  const pages = [{ limit: 10 }, { before, limit: 10 }].flatMap((page) => [
    page,
    { ...page, state: 'applied' as const },
  ]);
  const read = await Promise.all(
    pages.map((query) => queryPlanOf(tables, 'explain query plan', listedMessages(tables, query))),
  );
  await close();
  remove();
  expect(read).toEqual([
    ['SCAN billing_messages USING INDEX billing_messages_received'],
    ['SEARCH billing_messages USING INDEX billing_messages_state (state=?)', sortedByKey],
    ['SEARCH billing_messages USING INDEX billing_messages_received ((received,provider,id)<(?,?,?))'],
    ['SEARCH billing_messages USING INDEX billing_messages_state (state=? AND received<?)', sortedByKey],
  ]);
});

/** SQLite sorts only the messages that were received at the same moment. */
const sortedByKey = 'USE TEMP B-TREE FOR LAST 2 TERMS OF ORDER BY';
