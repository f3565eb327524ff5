import { DatabaseSync } from 'node:sqlite';
import { founded, path } from '../support/requests/organizations';
import { person, signedIn, accountEventsOf } from '../support/sign-in/people';
import { eventsOf, keyId, type Served, serving, settled, until } from '../support/serving';
import { onTables } from '../support/stores/tables';
import { following } from './following';

let served: Served;
let beside: Served;
let key: string;
beforeAll(async () => {
  served = await serving();
  beside = await serving({ folder: served.folder, role: 'beside' });
  key = await served.key();
});
afterAll(async () => {
  await beside.stop();
  await served.close();
});

describe('on two processes', () => {
  it('a reader who asks both at once is told of once', async () => {
    const id = await founded(served, { by: key });
    const auditing = await served.key({ scopes: ['audit:read'] });
    const asked = Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? served : beside).ask('GET', path(id, '/events'), { key: auditing }),
    );
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(asked.map(() => 200));
    const told = (await eventsOf(served, `key-${await keyId(served, auditing)}`)).map(({ type }) => type);
    expect(told.filter((type) => type === 'HistoryRead')).toHaveLength(1);
  });

  it('the change feed goes on at the other one, which hears of what the first has written', async () => {
    const id = await founded(served, { by: key });
    const feed = await following(`${served.url}/api/v1/events`, { key });
    await until(() => feed.heard().some(({ data }) => data.stream.endsWith(id)));
    feed.leave();
    const headers = { 'Last-Event-ID': feed.heard().at(-1)!.id };
    const other = await following(`${beside.url}/api/v1/events`, { key, headers });
    await served.ask('PATCH', path(id), { key, body: { name: 'Second' } });
    await until(() => other.heard().length === 1);
    expect(other.heard()[0]!.data).toMatchObject({ stream: `organization-${id}`, revision: 1 });
    other.leave();
  });
});

describe('verifying over HTTP', () => {
  it('finds a read model that is not what a replay gives', async () => {
    const id = await founded(served, { by: key, name: 'Acme' });
    await settled(served);
    expect((await served.ask('GET', path(id, '/verify'), { key })).body).toMatchObject({ ok: true });
    await onTables(
      served,
      `UPDATE documents SET state = replace(state, '"Acme"', '"Evil"') WHERE stream = 'organization-${id}'`,
    );
    expect((await served.ask('GET', path(id, '/verify'), { key })).body).toMatchObject({
      ok: false,
      events: 1,
      readModel: { ok: false, reason: expect.stringMatching(/not what a replay/) },
    });
  });

  it('finds an event that was changed, and names it', async () => {
    const id = await founded(served, { by: key, name: 'Acme' });
    await served.ask('PATCH', path(id), { key, body: { name: 'Second' } });
    const events = new DatabaseSync(`${served.folder}/events.db`, { timeout: 1_000 });
    events.exec('DROP TRIGGER events_final_1');
    const change = `UPDATE events SET data = CAST(replace(CAST(data AS TEXT), 'Second', 'Third!') AS BLOB)
      WHERE revision = 1 AND stream = (SELECT id FROM streams WHERE name = 'organization-${id}')`;
    expect(events.prepare(change).run().changes).toBe(1);
    events.close();
    expect((await served.ask('GET', path(id, '/verify'), { key })).body).toEqual({
      ok: false,
      at: 1,
      reason: 'its content is not what was hashed',
    });
  });
});

// acceptance.md I7
it('I7: an operator neither sees nor sets a password of somebody', async () => {
  const [op, somebody] = [await person(served, { role: 'operator' }), await person(served)];
  const by = await signedIn(served, op);
  const before = await served.charter.documents.people.accounts.byId(somebody.id);
  const list = await by.get('/api/v1/accounts?limit=100');
  expect(list.body.accounts.map(({ id }: { id: string }) => id)).toContain(somebody.id);
  expect(list.text).not.toMatch(/password|argon2/i);
  const wish = { password: 'a long phrase of an operator' };
  for (const [method, rest] of [
    ['PUT', '/password'],
    ['PATCH', ''],
    ['POST', '/reset'],
    ['PUT', ''],
  ] as const) {
    const { status } = await by.send(method, `/api/v1/accounts/${somebody.id}${rest}`, wish);
    expect([method, rest, status === 404 || status === 405]).toEqual([method, rest, true]);
  }
  await by.send('PUT', `/api/v1/accounts/${somebody.id}/role`, { role: 'auditor', ...wish });
  expect((await served.charter.documents.people.accounts.byId(somebody.id))!.passwordHash).toBe(before!.passwordHash);
  expect((await by.send('POST', '/forgot', { email: somebody.email })).status).toBe(204); // started, and not chosen
  await until(async () =>
    (await accountEventsOf(served, somebody)).some(({ type }) => type === 'PasswordResetRequested'),
  );
  expect((await served.charter.documents.people.accounts.byId(somebody.id))!.passwordHash).toBe(before!.passwordHash);
});
