import { personalData } from '../docs/personal-data';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { browser, person, signedIn, accountEventsOf } from '../support/sign-in/people';
import { done, founded } from '../support/requests/organizations';
import { following } from '../history/following';
import { type Served, serving, until } from '../support/serving';
import { type PersonWithData, personWithData, personalTexts, personalTextsIn } from './personal-texts';

/** The column that contains the account id of a row's owner, for tables where this column is not `account`. */
const owner: Readonly<Record<string, string>> = { accounts: 'id', api_keys: 'made_by' };

describe('U11: Export of own data', () => {
  let served: Served;
  let subject: PersonWithData;
  let former: string;
  let text: string;
  beforeAll(async () => {
    served = await serving({ environment: { TRUST_PROXY: '127.0.0.1' } });
    subject = await personWithData(served);
    await subject.here.send('POST', '/forgot', { email: personalTexts.email });
    const key = await served.key();
    former = await founded(served, { by: key });
    await done(
      served,
      key,
      former,
      ['POST', '/members', { email: personalTexts.email, role: 'member' }],
      ['DELETE', `/members/${subject.account.id}`],
    );
    await served.runtime.backgroundWork.settled();
    const answer = await subject.here.get('/api/v1/me/export');
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    text = answer.text;
  }, 60_000);
  afterAll(() => served.close());

  it.each(personalData().filter(({ isExported }) => isExported))(
    'contains the columns that the page about personal data promises: $table $columns',
    ({ table, columns }) => {
      const database = new DatabaseSync(join(served.folder, 'documents.db'), { readOnly: true });
      const rows = database
        .prepare(`select ${columns.join(', ')} from ${table} where ${owner[table] ?? 'account'} = ?`)
        .all(subject.account.id);
      database.close();
      expect(rows.length).toBeGreaterThan(0);
      const values = rows.flatMap((row) => Object.values(row)).filter((value) => value !== null);
      for (const value of values) expect(text).toContain(String(value).replace(/^\["|"\]$/g, ''));
    },
  );

  it('contains no hash of the password, of a session or of a link, and no encrypted mail', () => {
    const database = new DatabaseSync(join(served.folder, 'documents.db'), { readOnly: true });
    const hidden = ['select password_hash from accounts where id = ?', 'select hash from sessions where account = ?'];
    const queries = [
      ...hidden,
      'select hash from links where account = ?',
      'select sealed from mails where account = ?',
    ];
    const secrets = queries.flatMap((sql) => database.prepare(sql).all(subject.account.id).flatMap(Object.values));
    database.close();
    expect(secrets.length).toBeGreaterThan(3);
    for (const secret of secrets) if (secret !== null) expect(text).not.toContain(String(secret));
  });

  it("contains the person's events, organizations and personal texts", async () => {
    const own = JSON.parse(text) as {
      activity: { type: string }[];
      organizations: { id: string }[];
      formerOrganizations: string[];
    };
    const story = await accountEventsOf(served, subject.account);
    expect(own.activity.map(({ type }) => type)).toEqual(story.map(({ type }) => type));
    expect(own.organizations).toMatchObject([{ id: subject.organization, role: 'admin' }]);
    expect(own.formerOrganizations).toEqual([former]);
    expect(personalTextsIn(text)).toEqual(
      expect.arrayContaining(['name', 'email', 'username', 'wished', 'agent', 'key', 'zone']),
    );
    expect(text).not.toContain('Somebody 1');
  });

  it("is recorded in the person's stream, and logged", async () => {
    const story = await accountEventsOf(served, subject.account);
    expect(story.at(-1)).toMatchObject({
      type: 'DataExported',
      metadata: { actor: { kind: 'account', id: subject.account.id } },
    });
    expect(served.entries().filter(({ result }) => result === 'data-exported')).toHaveLength(2);
  });

  it('lacks an organization in `formerOrganizations` after the person is a member again', async () => {
    const eve = await person(served);
    const here = await signedIn(served, eve);
    const key = await served.key();
    const id = await founded(served, { by: key });
    const add: [string, string, object] = ['POST', '/members', { email: eve.email, role: 'member' }];
    const exported = async () => {
      const { organizations, formerOrganizations } = (await here.get('/api/v1/me/export')).body as {
        organizations: { id: string }[];
        formerOrganizations: string[];
      };
      return [organizations.map((organization) => organization.id), formerOrganizations];
    };
    await done(served, key, id, add, ['DELETE', `/members/${eve.id}`]);
    expect(await exported()).toEqual([[], [id]]);
    await done(served, key, id, add);
    expect(await exported()).toEqual([[id], []]);
  });

  it('sends its first events before it has read the last events, so that no process needs memory for all events', async () => {
    const eve = await signedIn(served, await person(served));
    const { log } = served.charter;
    const readStream = log.readStream.bind(log);
    const isReceived = Promise.withResolvers<boolean>();
    let isEarly: boolean | undefined;
    jest.spyOn(log, 'readStream').mockImplementation(async function* (...read) {
      for await (const event of readStream(...read)) for (let copy = 0; copy < 1_000; copy += 1) yield event;
      if (!read[0].startsWith('account-')) return;
      isEarly = await Promise.race([isReceived.promise, pause(3_000, false, { ref: false })]);
    });
    const answer = await following(`${served.url}/api/v1/me/export`, { headers: { Cookie: eve.cookieHeader() } });
    await until(() => answer.text().includes('"activity":[{"'));
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    isReceived.resolve(true);
    await until(() => answer.ended() === 'ended');
    jest.restoreAllMocks();
    const { activity } = JSON.parse(answer.text()) as { activity: { type: string }[] };
    expect([isEarly, activity.length % 1_000]).toEqual([true, 0]);
    expect(activity.at(-1)!.type).toBe('DataExported');
  });

  it('answers HEAD without the document', async () => {
    const eve = await signedIn(served, await person(served));
    const { status, text: body, headers } = await eve.send('HEAD', '/api/v1/me/export');
    expect([status, body, headers['content-type']]).toEqual([200, '', 'application/json; charset=utf-8']);
  });

  it('is refused without a session and with an API key, and gives a person no data of another person', async () => {
    const signedOut = await browser(served);
    expect((await signedOut.get('/api/v1/me/export')).status).toBe(401);
    expect((await served.ask('GET', '/api/v1/me/export', { key: await served.key() })).status).toBe(403);
    const eve = await signedIn(served, await person(served));
    expect(personalTextsIn((await eve.get('/api/v1/me/export')).text)).toEqual([]);
  });
});
