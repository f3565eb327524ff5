import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../database';
import { databases, type TestDatabase, postgresTestDatabase, testNow } from '../database.testing';
import { aLink, aSession, testAccount } from '../people/people.testing';

describe.each(databases)('Tables that two processes open in %s', (_, make) => {
  let place: TestDatabase;
  let here: Database;
  let there: Database;
  beforeAll(async () => {
    place = await make();
    [here, there] = await Promise.all([place.open(), place.open()]); // both databases create the tables
  });
  afterAll(async () => {
    await Promise.all([here.close(), there.close()]);
    await place.remove();
  });

  it('show each process the writes of the other', async () => {
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

describe('Erased person in PostgreSQL', () => {
  it('is in no table, no index and no old row version (U6)', async () => {
    const place = await postgresTestDatabase();
    const database = await place.open();
    const ada = testAccount({ email: 'gone@canary.example', name: 'Canary Gone', username: 'canary' });
    const { accounts, links, sessions } = database.people;
    await accounts.insert(ada);
    await accounts.insert(testAccount({ email: 'here@canary.example' }));
    for (let version = 0; version < 5; version += 1)
      await accounts.change(ada.id, version, { name: `Canary Gone ${version}` });
    await links.replace(aLink(ada.id).link);
    await sessions.insert(aSession(ada.id).session);
    await accounts.link(ada.id, 'https://issuer.example', 'canary-subject', testNow);
    expect(await place.ask(vacuumed)).toMatchObject([{ vacuumed: false }]);
    await accounts.erase(ada.id, testNow);
    while (!isVacuumed((await place.ask(vacuumed))[0]!)) await pause(50); // the spec times out otherwise
    expect(await place.ask(vacuumed)).toEqual([{ vacuumed: true, old: 0 }]);
    const tables = ['accounts', 'account_subjects', 'links', 'sessions', 'mails', 'marks', 'secrets'];
    const texts = await Promise.all(tables.map((table) => place.ask(`select t.*::text as row from ${table} t`)));
    expect(JSON.stringify(texts)).toContain('here@canary.example'); // proves that the search finds text in the files
    expect(JSON.stringify(texts)).not.toMatch(/gone@canary|Canary Gone|canary-subject/);
    await database.close();
    await place.remove();
  });
});

const isVacuumed = (row: object) => (row as { vacuumed: boolean }).vacuumed;

/** The server's statistics of a table: whether it was vacuumed, and how many dead row versions are left. */
const vacuumed = `select last_vacuum is not null as vacuumed, n_dead_tup as old from pg_stat_user_tables
  where schemaname = current_schema() and relname = 'accounts'`;
