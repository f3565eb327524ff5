import { personalData } from '../docs/personal-data';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { browser, person, signedIn, accountEventsOf } from '../support/sign-in/people';
import { type Served, serving } from '../support/serving';
import { type Life, erasedPerson, personalTexts, personalTextsIn } from './personal-texts';

/** By which column of a table it is found whose a row is. */
const owner: Readonly<Record<string, string>> = { accounts: 'id', api_keys: 'made_by' };

describe('U11: the export of one’s own data', () => {
  let served: Served;
  let life: Life;
  let text: string;
  beforeAll(async () => {
    served = await serving({ environment: { TRUST_PROXY: '127.0.0.1' } });
    life = await erasedPerson(served);
    await life.here.send('POST', '/forgot', { email: personalTexts.email });
    await served.runtime.backgroundWork.settled();
    const answer = await life.here.get('/api/v1/me/export');
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    text = answer.text;
  }, 60_000);
  afterAll(() => served.close());

  it.each(personalData().filter(({ isExported }) => isExported))(
    'has what the page about personal data says: $table $columns',
    ({ table, columns }) => {
      const database = new DatabaseSync(join(served.folder, 'documents.db'), { readOnly: true });
      const rows = database
        .prepare(`select ${columns.join(', ')} from ${table} where ${owner[table] ?? 'account'} = ?`)
        .all(life.account.id);
      database.close();
      expect(rows.length).toBeGreaterThan(0);
      const values = rows.flatMap((row) => Object.values(row)).filter((value) => value !== null);
      for (const value of values) expect(text).toContain(String(value).replace(/^\["|"\]$/g, ''));
    },
  );

  it('has no secret, and no hash of one', () => {
    const database = new DatabaseSync(join(served.folder, 'documents.db'), { readOnly: true });
    const hidden = ['select password_hash from accounts where id = ?', 'select hash from sessions where account = ?'];
    const asked = [...hidden, 'select hash from links where account = ?', 'select sealed from mails where account = ?'];
    const secrets = asked.flatMap((sql) => database.prepare(sql).all(life.account.id).flatMap(Object.values));
    database.close();
    expect(secrets.length).toBeGreaterThan(3);
    for (const secret of secrets) if (secret !== null) expect(text).not.toContain(String(secret));
  });

  it('has all that is told of them, the organizations that they belong to, and nobody else’s', async () => {
    const own = JSON.parse(text) as { activity: { type: string }[]; organizations: { id: string }[] };
    const story = await accountEventsOf(served, life.account);
    expect(own.activity.map(({ type }) => type)).toEqual(story.map(({ type }) => type));
    expect(own.organizations).toMatchObject([{ id: life.organization, role: 'admin' }]);
    expect(personalTextsIn(text)).toEqual(
      expect.arrayContaining(['name', 'email', 'username', 'wished', 'agent', 'key']),
    );
    expect(text).not.toContain('Somebody 1');
  });

  it('is recorded in their own history, and logged', async () => {
    const story = await accountEventsOf(served, life.account);
    expect(story.at(-1)).toMatchObject({
      type: 'DataExported',
      metadata: { actor: { kind: 'account', id: life.account.id } },
    });
    expect(served.entries().filter(({ result }) => result === 'data-exported')).toHaveLength(2);
  });

  it('is for people who are signed in, about themselves', async () => {
    const nobody = await browser(served);
    expect((await nobody.get('/api/v1/me/export')).status).toBe(401);
    expect((await served.ask('GET', '/api/v1/me/export', { key: await served.key() })).status).toBe(403);
    const eve = await signedIn(served, await person(served));
    expect(personalTextsIn((await eve.get('/api/v1/me/export')).text)).toEqual([]);
  });
});
