import { randomUUID } from 'node:crypto';
import { founded, path } from '../support/requests/organizations';
import type { Answer, Sent } from '../support/requests/http';
import { type Browser, person, signedIn } from '../support/sign-in/people';
import { type Served, serving, settled } from '../support/serving';

let served: Served;
let key: string;
let id: string;
let member: Browser;
let outsider: Browser;
beforeAll(async () => {
  served = await serving();
  key = await served.key();
  const ada = await person(served, { name: 'Ada' });
  id = await founded(served, { by: key, owner: ada.id });
  member = await signedIn(served, ada);
  outsider = await signedIn(served, await person(served));
  await settled(served);
});
afterAll(() => served.close());

/** The reads of the fast path. With a `?` at the end of the URL, the route of Nest answers. */
const reads = [
  ['one entitlement', () => path(id, '/entitlements/users')],
  ['all entitlements', () => path(id, '/entitlements')],
  ['the document', () => path(id)],
  ['the list of organizations', () => '/api/v1/organizations'],
  ['the own account', () => '/api/v1/me'],
] as const;

const compared = [
  'cache-control',
  'charter-lag',
  'charter-lag-events',
  'content-length',
  'content-type',
  'cross-origin-resource-policy',
  'etag',
  'referrer-policy',
  'www-authenticate',
  'x-content-type-options',
];
/** The parts of an answer that must not depend on the route, without the id of the request. */
const partsOf = ({ status, text, headers }: Answer) => ({
  status,
  text: text.replace(/"instance":"[^"]+"/, ''),
  headers: compared.map((name) => [name, headers[name]]),
});

/** Sends the request twice to the fast path and once to the route of Nest. The second answer comes from memory. */
async function expectSame(at: string, ask: (at: string) => Promise<Answer>, status: number) {
  const [first, second, other] = [await ask(at), await ask(at), await ask(`${at}?`)];
  expect(other.status).toBe(status);
  expect(partsOf(first)).toEqual(partsOf(other));
  expect(partsOf(second)).toEqual(partsOf(other));
}

describe('Fast path', () => {
  const byKey =
    (sent: Sent = {}, method = 'GET') =>
    (at: string) =>
      served.ask(method, at, { key, ...sent });

  it.each(reads)('answers an API key as the route of Nest does: %s', async (name, at) => {
    await expectSame(at(), byKey(), name === 'the own account' ? 403 : 200);
  });

  it.each(reads)('answers a member and another person as the route of Nest does: %s', async (name, at) => {
    await expectSame(at(), member.get, 200);
    await expectSame(at(), outsider.get, /list|account/.test(name) ? 200 : 404);
  });

  it.each(reads)('refuses callers as the route of Nest does: %s', async (name, at) => {
    const account = name === 'the own account';
    const withoutScope = await served.key({ scopes: ['flags:read'] });
    await expectSame(at(), byKey({ key: withoutScope }), 403);
    const elsewhere = await served.key({ organization: randomUUID() });
    await expectSame(at(), byKey({ key: elsewhere }), account ? 403 : name.startsWith('the list') ? 200 : 404);
    await expectSame(at(), (target) => served.ask('GET', target), 401);
    await expectSame(at(), byKey({ key: `chk_${'0'.repeat(12)}_${'A'.repeat(43)}` }), 401);
    if (!/list|account/.test(name)) await expectSame(at().replace(id, randomUUID()), byKey(), 404);
  });

  it.each(reads)('answers HEAD and If-None-Match as the route of Nest does: %s', async (name, at) => {
    const { etag } = (await member.get(at())).headers;
    expect(etag !== undefined).toBe(!/list|account/.test(name));
    for (const tag of [etag, '"0"', '*', `"0", W/${etag}`]) {
      const ask = (target: string) => member.get(target, { headers: { 'If-None-Match': tag ?? '' } });
      await expectSame(at(), ask, etag !== undefined && tag !== '"0"' ? 304 : 200);
    }
    const [head, get] = [await served.ask('HEAD', at(), { key }), await served.ask('GET', at(), { key })];
    expect([head.status, head.headers.etag, head.text]).toEqual([get.status, get.headers.etag, '']);
  });

  it.each(reads)('leaves a URL with a query to the route of Nest: %s', async (name, at) => {
    const { status } = await member.get(`${at()}?unknown=1`);
    expect(status).toBe(name === 'the own account' ? 200 : 400);
  });

  it('answers reads from memory: it looks up a known caller no second time', async () => {
    const identify = jest.spyOn(served.runtime.callers, 'identify');
    for (const [, at] of reads) await member.get(at());
    identify.mockClear();
    for (const [, at] of reads) expect((await member.get(at())).status).toBe(200);
    expect(identify).not.toHaveBeenCalled();
    identify.mockRestore();
  });

  it('shows a change at the next request: of the account, of a membership, of the organization', async () => {
    const bob = await person(served, { name: 'Bob' });
    const browser = await signedIn(served, bob);
    const organizations = async () => {
      const [me, list] = [await browser.get('/api/v1/me'), await browser.get('/api/v1/organizations')];
      return [me.body.name, me.body.organizations.length, list.body.organizations.length];
    };
    for (let time = 0; time < 2; time += 1) expect(await organizations()).toEqual(['Bob', 0, 0]);
    await served.ask('POST', path(id, '/members'), { key, body: { user: bob.id, role: 'member' } });
    await settled(served);
    for (let time = 0; time < 2; time += 1) expect(await organizations()).toEqual(['Bob', 1, 1]);
    expect((await browser.send('PATCH', '/api/v1/me', { name: 'Robert' })).status).toBe(200);
    expect(await organizations()).toEqual(['Robert', 1, 1]);
    for (let time = 0; time < 2; time += 1) expect((await browser.get(path(id))).status).toBe(200);
    await served.ask('DELETE', path(id, `/members/${bob.id}`), { key });
    expect((await browser.get(path(id))).status).toBe(404);
    expect((await browser.get(path(id, '/entitlements/users'))).status).toBe(404);
    expect((await organizations())[1]).toBe(0);
  });
});
