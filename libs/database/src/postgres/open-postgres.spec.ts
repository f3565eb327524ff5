import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Database } from '../database';
import { connectedTo, databases, type TestDatabase, postgresTestDatabase, testNow } from '../database.testing';
import type { PostgresAddress } from './address';
import { vacuumClient, vacuuming } from './vacuum';
import { aLink, aSession, testAccount } from '../people/people.testing';

describe.each(databases)('Tables that two processes open in %s', (_, make) => {
  let place: TestDatabase;
  let here: Database;
  let there: Database;
  beforeAll(async () => {
    place = await make();
    // both processes create the tables at the same time
    [here, there] = await Promise.all([place.open(), place.open()]);
  });
  afterAll(async () => {
    await Promise.all([here.close(), there.close()]);
    await place.remove();
  });

  it('show each process the writes of the other process', async () => {
    await here.marks.set('mode', 'demo');
    expect(await there.marks.get('mode')).toBe('demo');
    const ada = testAccount();
    expect(await here.people.accounts.insert(ada)).toBe('made');
    expect(await there.people.accounts.byId(ada.id)).toEqual(ada);
    expect((await there.people.accounts.list({ limit: 5 })).accounts).toEqual([ada]);
  });

  it('give a lease to one process only', async () => {
    expect([await here.lease('work').hold(), await there.lease('work').hold()]).toEqual([true, false]);
  });

  it('replace characters that PostgreSQL cannot store, instead of failing', async () => {
    await here.marks.set('odd', 'a\0b\uD800c');
    expect(await there.marks.get('odd')).toMatch(/^a.b.c$/s);
    expect(await here.people.accounts.byUsername('ada\0')).toBeUndefined();
  });
});

describe('Purge of erased people from PostgreSQL', () => {
  it('leaves no name, address or subject of an erased person in the tables, and no old row version (U6)', async () => {
    const place = await postgresTestDatabase();
    const database = await place.open({ serving: true });
    const ada = testAccount({ email: 'gone@canary.example', name: 'Canary Gone', username: 'canary' });
    const { accounts, links, sessions } = database.people;
    await accounts.insert(ada);
    await accounts.insert(testAccount({ email: 'here@canary.example' }));
    for (let version = 0; version < 5; version += 1)
      await accounts.change(ada.id, version, { name: `Canary Gone ${version}` });
    await links.replace(aLink(ada.id).link);
    await sessions.insert(aSession(ada.id).session);
    await accounts.link(ada.id, 'https://issuer.example', 'canary-subject', testNow);
    const [{ now } = { now: '' }] = (await place.ask('select now()::text as now')) as { now: string }[];
    await accounts.erase(ada.id, testNow);
    const remains = expect.stringContaining('within a minute') as string;
    expect(await database.purgeErased()).toEqual({ outcome: 'under-way', remains });
    const withRows = async () => (await place.ask(withOldRows(now))).length;
    while ((await withRows()) > 0) await pause(50); // if the vacuum never ends, the spec's time limit ends this loop
    const tables = ['accounts', 'account_subjects', 'links', 'sessions', 'mails', 'marks', 'secrets'];
    const texts = await Promise.all(tables.map((table) => place.ask(`select t.*::text as row from ${table} t`)));
    // Proves that the search finds text that the tables contain.
    expect(JSON.stringify(texts)).toContain('here@canary.example');
    expect(JSON.stringify(texts)).not.toMatch(/gone@canary|Canary Gone|canary-subject/);
    await database.close();
    await place.remove();
  });

  it('repeats a vacuum that failed (U6)', async () => {
    const place = await postgresTestDatabase();
    const database = await place.open({ serving: true });
    const since = (await place.ask('select now()::text as now'))[0] as { now: string };
    const others = await connectedTo((place.options as { server: PostgresAddress }).server);
    await others.query('begin');
    await others.query('lock table accounts in access exclusive mode');
    await database.purgeErased();
    const waiting = `pg_stat_activity where query like 'vacuum%accounts%' and wait_event_type = 'Lock'`;
    while ((await place.ask(`select pid from ${waiting}`)).length === 0) await pause(20);
    await place.ask(`select pg_cancel_backend(pid) from ${waiting}`);
    await others.query('commit');
    await others.end();
    const later = `select last_vacuum > '${since.now}' as vacuumed from pg_stat_user_tables
      where schemaname = current_schema() and relname = 'accounts'`;
    while (!isVacuumed((await place.ask(later))[0]!)) await pause(50);
    await database.close();
    await place.remove();
  }, 30_000);
});

describe('Vacuum of PostgreSQL tables while another session locks a table', () => {
  let place: TestDatabase;
  let other: Client;
  const waiting = `pg_stat_activity where query like 'vacuum%accounts%' and wait_event_type = 'Lock'`;
  beforeEach(async () => {
    place = await postgresTestDatabase();
    await (await place.open()).close();
    other = await connectedTo((place.options as { server: PostgresAddress }).server);
    await other.query('begin; lock table billing_messages in share update exclusive mode');
  });
  afterEach(async () => {
    await other.end();
    await place.remove();
  });

  it('does not delay the close of the tables (U6)', async () => {
    const database = await place.open({ serving: true });
    await database.purgeErased();
    while ((await place.ask(`select pid from ${waiting}`)).length === 0) await pause(20);
    const begun = performance.now();
    await database.close();
    expect(performance.now() - begun).toBeLessThan(5_000);
  }, 30_000);

  it('begins once more for a call that arrives during the vacuum, because this call is about newer rows (U6)', async () => {
    const count = `select vacuum_count::int as vacuums from pg_stat_user_tables
      where schemaname = current_schema() and relname = 'billing_messages'`;
    const vacuums = async () => ((await place.ask(count)) as { vacuums: number }[])[0]!.vacuums;
    const before = await vacuums();
    const vacuum = vacuuming((place.options as { server: PostgresAddress }).server);
    const first = vacuum.start();
    while ((await place.ask(`select pid from ${waiting}`)).length === 0) await pause(20);
    const second = vacuum.start();
    await other.query('commit');
    expect(await Promise.all([first, second])).toEqual([true, true]);
    await vacuum.end();
    expect((await vacuums()) - before).toBe(2);
  }, 30_000);

  it('is reported as failed after a minute, so that Charter stores no certificate (U6)', async () => {
    const database = await place.open();
    const limit = jest.spyOn(globalThis, 'setTimeout');
    const purging = database.purgeErased();
    const [expire] = limit.mock.calls.find(([, ms]) => ms === 60_000)!;
    limit.mockRestore();
    while ((await place.ask(`select pid from ${waiting}`)).length === 0) await pause(20);
    expire();
    const remains = expect.stringContaining('not vacuumed the tables within a minute') as string;
    expect(await purging).toEqual({ outcome: 'failed', remains });
    await database.close();
  }, 30_000);

  it('has no time limit for its statement or its locks (U6)', async () => {
    const client = vacuumClient((place.options as { server: PostgresAddress }).server);
    await client.connect();
    const { rows } = await client.query(
      "select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock",
    );
    await client.end();
    expect(rows).toEqual([{ statement: '0', lock: '0' }]);
  });
});

const isVacuumed = (row: object) => (row as { vacuumed: boolean }).vacuumed;

/**
 * The tables about people that the server has not vacuumed since a moment, or that contain old row versions. Leaves out
 * `reader_roles`, which contains no name or address, and whose rows the projector deletes after the erasure.
 */
const withOldRows = (since: string) => `select relname from pg_stat_user_tables s
  where schemaname = current_schema() and (last_vacuum is null or last_vacuum < '${since}' or n_dead_tup > 0)
  and relname <> 'reader_roles'
  and (relname in ('accounts', 'billing_messages') or exists (select from information_schema.columns c
    where c.table_schema = s.schemaname and c.table_name = s.relname and c.column_name in ('account', 'made_by')))`;
