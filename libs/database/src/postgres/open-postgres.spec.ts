import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../database';
import { databases, type TestDatabase, postgresTestDatabase } from '../database.testing';
import { aLink, aSession, now, testAccount } from '../people/people.testing';

describe.each(databases)('tables that several processes open in %s', (_, make) => {
  let place: TestDatabase;
  let here: Database;
  let there: Database;
  beforeAll(async () => {
    place = await make();
    [here, there] = await Promise.all([place.open(), place.open()]); // both make them
  });
  afterAll(async () => {
    await Promise.all([here.close(), there.close()]);
    await place.remove();
  });

  it('are the same tables', async () => {
    await here.marks.set('mode', 'demo');
    expect(await there.marks.get('mode')).toBe('demo');
    const ada = testAccount();
    expect(await here.people.accounts.insert(ada)).toBe('made');
    expect(await there.people.accounts.byId(ada.id)).toEqual(ada);
    expect((await there.people.accounts.list({ limit: 5 })).accounts).toEqual([ada]);
  });

  it('give a lease to one of them', async () => {
    expect([await here.lease('work').hold(), await there.lease('work').hold()]).toEqual([true, false]);
  });

  it('never fail over a character that cannot be kept', async () => {
    await here.marks.set('odd', 'a\0b\uD800c');
    expect(await there.marks.get('odd')).toMatch(/^a.b.c$/s);
    expect(await here.people.accounts.byUsername('ada\0')).toBeUndefined();
  });
});

describe('an erased person in PostgreSQL', () => {
  it('is in no table, no index, no old version of a row (U6)', async () => {
    const place = await postgresTestDatabase();
    const documents = await place.open();
    const ada = testAccount({ email: 'gone@canary.example', name: 'Canary Gone', username: 'canary' });
    const { accounts, links, sessions } = documents.people;
    await accounts.insert(ada);
    await accounts.insert(testAccount({ email: 'here@canary.example' }));
    for (let turn = 0; turn < 5; turn += 1) await accounts.change(ada.id, turn, { name: `Canary Gone ${turn}` });
    await links.replace(aLink(ada.id).link);
    await sessions.insert(aSession(ada.id).session);
    await accounts.link(ada.id, 'https://issuer.example', 'canary-subject', now);
    expect(await place.ask(vacuumed)).toMatchObject([{ vacuumed: false }]);
    await accounts.erase(ada.id, now);
    while (!isVacuumed((await place.ask(vacuumed))[0]!)) await pause(50); // else the spec takes too long
    expect(await place.ask(vacuumed)).toEqual([{ vacuumed: true, old: 0 }]);
    const tables = ['accounts', 'account_subjects', 'links', 'sessions', 'mails', 'marks', 'secrets'];
    const texts = await Promise.all(tables.map((table) => place.ask(`select t.*::text as row from ${table} t`)));
    expect(JSON.stringify(texts)).toContain('here@canary.example'); // so it would be found
    expect(JSON.stringify(texts)).not.toMatch(/gone@canary|Canary Gone|canary-subject/);
    await documents.close();
    await place.remove();
  });
});

const isVacuumed = (row: object) => (row as { vacuumed: boolean }).vacuumed;

/** The server's statistics of a table: whether it was vacuumed, and how many old row versions are left. */
const vacuumed = `select last_vacuum is not null as vacuumed, n_dead_tup as old from pg_stat_user_tables
  where schemaname = current_schema() and relname = 'accounts'`;
