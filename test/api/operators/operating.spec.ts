import { randomUUID } from 'node:crypto';
import { type Scope } from '@charter/identity';
import { founded, path } from '../../support/requests/organizations';
import { type Browser, PASSWORD, person, signedIn, accountEventsOf } from '../../support/sign-in/people';
import { eventsOf, paused, resumed, type Served, serving } from '../../support/serving';

let served: Served;
let beside: Served;
let op: Browser;
let operatorId: string;
beforeAll(async () => {
  served = await serving({ environment: { RATE_LIMITS: 'off' } });
  beside = await serving({
    folder: served.folder,
    role: 'beside',
    clock: served.clock,
    environment: { RATE_LIMITS: 'off' },
  });
  const account = await person(served, { role: 'operator' });
  operatorId = account.id;
  op = await signedIn(served, account);
});
afterAll(async () => {
  await beside.stop();
  await served.close();
});

const account = (id: string, act: string) => op.send('POST', `/api/v1/accounts/${id}/${act}`, { password: PASSWORD });
const keyRequest = (more: object = {}) => ({
  name: 'ci',
  scopes: ['organizations:read'] satisfies Scope[],
  password: PASSWORD,
  ...more,
});
const make = (by: Browser, more: object = {}) => by.send('POST', '/api/v1/keys', keyRequest(more));
const factsOf = async (key: string) => (await eventsOf(served, `key-${key}`)).map(({ type }) => type);

describe('Operator', () => {
  it('disables an account, which ends its sessions, and enables it again', async () => {
    const ada = await person(served);
    const here = await signedIn(served, ada);
    const disabled = await op.send('POST', `/api/v1/accounts/${ada.id}/disable`);
    expect([disabled.status, disabled.body.state]).toEqual([200, 'disabled']);
    expect((await here.get('/api/v1/me')).status).toBe(401);
    const enabled = await op.send('POST', `/api/v1/accounts/${ada.id}/enable`);
    expect([enabled.status, enabled.body.state]).toEqual([200, 'active']);
    expect((await here.get('/api/v1/me')).status).toBe(401);
    expect((await (await signedIn(served, ada)).get('/api/v1/me')).status).toBe(200);
    const facts = (await accountEventsOf(served, ada)).map(({ type }) => type);
    expect(facts).toEqual(['SignedIn', 'AccountDisabled', 'AccountEnabled', 'SignedIn']);
  });

  it('lists accounts page by page, even if the last account of a page is erased before the next request', async () => {
    const mark = randomUUID().slice(0, 8);
    const people = [];
    for (const letter of ['a', 'b', 'c', 'd'])
      people.push(await person(served, { email: `${letter}-${mark}@people.example` }));
    const list = async (more: string) => (await op.get(`/api/v1/accounts?q=${mark.toUpperCase()}&limit=2${more}`)).body;
    const idsIn = ({ accounts }: { accounts: { id: string }[] }) => accounts.map(({ id }) => id);
    const first = await list('');
    expect(idsIn(first)).toEqual(people.slice(0, 2).map(({ id }) => id));
    expect(JSON.stringify(first.next)).not.toMatch(/people\.example|@/);
    expect((await account(people[1]!.id, 'erase')).status).toBe(200);
    const second = await list(`&cursor=${first.next}`);
    expect([idsIn(second), second.next]).toEqual([people.slice(2).map(({ id }) => id), null]);
    expect(JSON.stringify(second)).not.toContain('argon2');
    expect((await op.get('/api/v1/accounts?q=%00')).status).toBe(400);
    for (const bad of ['&cursor=x', `&cursor=${randomUUID()}`, `&cursor=v1.${'A'.repeat(60)}`])
      expect([bad, (await op.get(`/api/v1/accounts?q=a&limit=2${bad}`)).status]).toEqual([bad, 400]);
  });
});

describe('Operator who manages API keys', () => {
  it('J1: makes an API key that works, lists it without its hash, and revokes it', async () => {
    const id = await founded(served);
    const made = await make(op);
    expect([made.status, made.headers.location]).toEqual([201, undefined]);
    const { key, id: keyId, prefix } = made.body;
    expect((await served.ask('GET', path(id), { key })).status).toBe(200);
    const listed = await op.get('/api/v1/keys?limit=100');
    expect(listed.body.keys.find((one: { id: string }) => one.id === keyId)).toMatchObject({
      prefix,
      madeBy: operatorId,
    });
    const { hash } = (await served.charter.database.keys.find(prefix))!;
    for (const secret of [hash, key.slice(`${prefix as string}_`.length)]) expect(listed.text).not.toContain(secret);
    expect((await op.send('DELETE', `/api/v1/keys/${keyId}`)).status).toBe(204);
    expect((await served.ask('GET', path(id), { key })).status).toBe(401);
    expect((await op.send('DELETE', `/api/v1/keys/${keyId}`)).status).toBe(204);
    const facts = await eventsOf(served, `key-${keyId}`);
    expect(facts.map(({ type, data }) => [type, data]).filter(([type]) => type !== 'KeyUsed')).toEqual([
      ['KeyCreated', { scopes: ['organizations:read'] }],
      ['KeyRevoked', {}],
    ]);
    for (const { type, metadata } of facts)
      if (type !== 'KeyUsed') expect(metadata).toMatchObject({ actor: { kind: 'account', id: operatorId } });
  });

  it('J3: limits an API key by scope, organization and expiry', async () => {
    const [own, foreign] = [await founded(served), await founded(served)];
    // The key expires within the minute for which a process caches a verified key.
    const expires = new Date(served.clock.now() + 30_000).toISOString();
    const { key } = (await make(op, { organization: own, expires })).body;
    expect((await served.ask('GET', path(own), { key })).status).toBe(200);
    expect((await served.ask('PATCH', path(own), { key, body: { name: 'X' } })).status).toBe(403);
    expect((await served.ask('GET', path(foreign), { key })).status).toBe(404);
    served.clock.advance(30_000);
    expect((await served.ask('GET', path(own), { key })).status).toBe(401);
  });

  it.each([
    ['an expiry in the past', { expires: '2020-01-01T00:00:00.000Z' }, 400],
    ['an organization that does not exist', { organization: randomUUID() }, 404],
    ['no scope', { scopes: [] }, 400],
    ['a scope that does not exist', { scopes: ['keys:write'] }, 400],
    ['J8: another person as its maker', { madeBy: randomUUID() }, 400],
    ['J8: an id of the caller’s choice', { id: randomUUID() }, 400],
    ['J8: an actor', { actor: { kind: 'account', id: randomUUID() } }, 400],
  ] as const)('makes no key with %s', async (_name, more, status) => {
    const before = (await served.charter.database.keys.list()).length;
    expect((await make(op, more)).status).toBe(status);
    expect(await served.charter.database.keys.list()).toHaveLength(before);
  });

  it('cannot make an API key with an Idempotency-Key, because Charter would then store the key in the answer', async () => {
    const before = (await served.charter.database.keys.list()).length;
    const headers = { 'Idempotency-Key': 'again' };
    const answer = await op.send('POST', '/api/v1/keys', keyRequest(), { headers });
    expect([answer.status, answer.body.errors?.[0]?.path]).toEqual([400, 'Idempotency-Key']);
    expect(await served.charter.database.keys.list()).toHaveLength(before);
  });

  it('lists API keys page by page; unknown parameters are refused', async () => {
    for (let made = 0; made < 3; made += 1) await make(op);
    const all = (await served.charter.database.keys.list()).map(({ id }) => id);
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await op.get(`/api/v1/keys?limit=2${cursor}`);
      expect(body.keys.length).toBeLessThanOrEqual(2);
      seen.push(...(body.keys as { id: string }[]).map(({ id }) => id));
      cursor = body.next === null ? '' : `&cursor=${body.next as string}`;
    } while (cursor);
    expect(seen).toEqual(all);
    for (const bad of ['?limit=0', '?limit=101', '?foo=1', '?cursor=x', '?limit=1&limit=2'])
      expect([bad, (await op.get(`/api/v1/keys${bad}`)).status]).toEqual([bad, 400]);
  });
});

describe('A16: Account that an operator disables or erases', () => {
  it.each(['disable', 'erase'])('loses its sessions and its API key at every process at once (%s)', async (act) => {
    const id = await founded(served);
    const dora = await person(served, { role: 'operator' });
    const sessions = [await signedIn(served, dora), await signedIn(served, dora), await signedIn(beside, dora)];
    const { key, id: keyId } = (await make(sessions[0]!)).body;
    const { key: others } = (await make(op)).body;
    const ask = (by: Served, which = key) => by.ask('GET', path(id), { key: which });
    const refusals = async () => {
      const requests = sessions.flatMap((one) =>
        [served, beside].map((by) => by.ask('GET', '/api/v1/me', { headers: { Cookie: one.cookieHeader() } })),
      );
      return (await Promise.all([...requests, ask(served), ask(beside)])).map(({ status }) => status);
    };
    expect(await refusals()).toEqual(Array.from({ length: 8 }, () => 200));
    await paused(served);
    expect((await account(dora.id, act)).status).toBe(200);
    expect(await refusals()).toEqual(Array.from({ length: 8 }, () => 401));
    expect([(await ask(served, others)).status, (await ask(beside, others)).status]).toEqual([200, 200]);
    await resumed(served);
    expect((await factsOf(keyId)).filter((type) => type !== 'KeyUsed')).toEqual(['KeyCreated', 'KeyRevoked']);
    if (act === 'disable') {
      expect((await account(dora.id, 'enable')).status).toBe(200);
      expect((await ask(served)).status).toBe(401);
    }
  });
});

describe('A16: Account that loses the operator role', () => {
  const assign = (id: string, role: string | null) =>
    op.send('PUT', `/api/v1/accounts/${id}/role`, { role, password: PASSWORD });

  it.each([null, 'auditor'])(
    'loses all its sessions and API keys at every process at once (new role: %s)',
    async (role) => {
      const id = await founded(served);
      const dora = await person(served, { role: 'operator' });
      const here = await signedIn(beside, dora);
      const made = [await make(here), await make(here, { organization: id })].map(({ body }) => body);
      const { key: others } = (await make(op)).body;
      const statusesOf = async (key: string) =>
        Promise.all([served, beside].map(async (by) => (await by.ask('GET', path(id), { key })).status));
      // assigns the role operator again, which ends no session
      expect((await assign(dora.id, 'operator')).status).toBe(200);
      for (const { key } of made) expect(await statusesOf(key)).toEqual([200, 200]);
      await paused(served);
      expect((await assign(dora.id, role)).status).toBe(200);
      expect((await here.get('/api/v1/me')).status).toBe(401);
      for (const { key } of made) expect(await statusesOf(key)).toEqual([401, 401]);
      expect(await statusesOf(others)).toEqual([200, 200]);
      await resumed(served);
      for (const { id: keyId } of made)
        expect((await factsOf(keyId)).filter((type) => type !== 'KeyUsed')).toEqual(['KeyCreated', 'KeyRevoked']);
      expect((await assign(dora.id, 'operator')).status).toBe(200);
      for (const { key } of made) expect(await statusesOf(key)).toEqual([401, 401]);
    },
  );

  it('has no valid API key if the role is removed while Charter stores the key', async () => {
    const dora = await person(served, { role: 'operator' });
    const here = await signedIn(served, dora);
    const { keys } = served.charter.database;
    const insert = jest.spyOn(keys, 'insert').mockImplementationOnce(async (record) => {
      expect((await assign(dora.id, null)).status).toBe(200);
      insert.mockRestore();
      return keys.insert(record);
    });
    expect((await make(here)).status).toBe(401);
    expect((await keys.list({ madeBy: dora.id })).filter(({ revoked }) => revoked === undefined)).toEqual([]);
  });
});
