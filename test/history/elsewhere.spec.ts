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

describe('With two processes,', () => {
  it('concurrent reads of one history, at both processes, are recorded once', async () => {
    const id = await founded(served, { by: key });
    const auditing = await served.key({ scopes: ['audit:read'] });
    const responses = Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? served : beside).ask('GET', path(id, '/events'), { key: auditing }),
    );
    expect((await Promise.all(responses)).map(({ status }) => status)).toEqual(responses.map(() => 200));
    const types = (await eventsOf(served, `key-${await keyId(served, auditing)}`)).map(({ type }) => type);
    expect(types.filter((type) => type === 'HistoryRead')).toHaveLength(1);
  });

  it('a client of the change feed can resume at the second process, and gets events that the first process wrote', async () => {
    const id = await founded(served, { by: key });
    const feed = await following(`${served.url}/api/v1/events`, { key });
    await until(() => feed.received().some(({ data }) => data.stream.endsWith(id)));
    feed.leave();
    const headers = { 'Last-Event-ID': feed.received().at(-1)!.id };
    const other = await following(`${beside.url}/api/v1/events`, { key, headers });
    await served.ask('PATCH', path(id), { key, body: { name: 'Second' } });
    await until(() => other.received().length === 1);
    expect(other.received()[0]!.data).toMatchObject({ stream: `organization-${id}`, revision: 1 });
    other.leave();
  });
});

describe('Verification over HTTP', () => {
  it('finds a read model that differs from a replay', async () => {
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

  it('finds an event that was changed, and names its revision', async () => {
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
      reason: 'its hash does not match its content',
    });
  });
});

// acceptance.md I7
describe('I7: Operator', () => {
  it('can neither see nor set the password of an account', async () => {
    const [op, user] = [await person(served, { role: 'operator' }), await person(served)];
    const by = await signedIn(served, op);
    const before = await served.charter.database.people.accounts.byId(user.id);
    const list = await by.get('/api/v1/accounts?limit=100');
    expect(list.body.accounts.map(({ id }: { id: string }) => id)).toContain(user.id);
    expect(list.text).not.toMatch(/password|argon2/i);
    const wish = { password: 'a long phrase of an operator' };
    for (const [method, rest] of [
      ['PUT', '/password'],
      ['PATCH', ''],
      ['POST', '/reset'],
      ['PUT', ''],
    ] as const) {
      const { status } = await by.send(method, `/api/v1/accounts/${user.id}${rest}`, wish);
      expect([method, rest, status === 404 || status === 405]).toEqual([method, rest, true]);
    }
    await by.send('PUT', `/api/v1/accounts/${user.id}/role`, { role: 'auditor', ...wish });
    expect((await served.charter.database.people.accounts.byId(user.id))!.passwordHash).toBe(before!.passwordHash);
    // an operator can only start a reset, in which the person chooses the password
    expect((await by.send('POST', '/forgot', { email: user.email })).status).toBe(204);
    await until(async () =>
      (await accountEventsOf(served, user)).some(({ type }) => type === 'PasswordResetRequested'),
    );
    expect((await served.charter.database.people.accounts.byId(user.id))!.passwordHash).toBe(before!.passwordHash);
  });
});
