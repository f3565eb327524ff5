import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import type { Flag } from '@charter/organization-view';
import { done, founded } from '../support/requests/organizations';
import type { Answer, Sent } from '../support/requests/http';
import { person, signedIn } from '../support/sign-in/people';
import { keyId, type Served, serving, settled } from '../support/serving';

const FLAGS = '/ofrep/v1/evaluate/flags';
const ORIGIN = 'https://shop.example';
const HOUR = 60 * 60_000;

let served: Served;
let all: string; // an API key with every scope
let key: string;
let acme: Readonly<{ id: string; owner: string; site: string }>;
beforeAll(async () => {
  served = await serving({ environment: { FLAGS_ORIGINS: ORIGIN, TRUST_PROXY: '127.0.0.1' } });
  all = await served.key();
  key = await served.key({ scopes: ['flags:read'] });
  const [owner, site] = [randomUUID(), randomUUID()];
  const id = await sold(owner);
  await done(served, all, id, [
    'POST',
    '/commands',
    { commands: [{ type: 'AddSite', data: { site, hostname: 'a.example' } }] },
  ]);
  acme = { id, owner, site };
  await settled(served);
  for (const by of [key, all]) await evaluate('', acme.id, { key: by }); // the process now knows the keys
});
afterAll(() => served.close());

async function sold(owner: string = randomUUID()): Promise<string> {
  const id = await founded(served, { by: all, owner });
  await done(
    served,
    all,
    id,
    ['PUT', '/plan', { line: 'second', plan: 'solo' }],
    ['POST', '/add-ons', { addOn: 'additionalUser', quantity: 3 }],
  );
  return id;
}
const post = (at: string, sent: Sent) => served.ask('POST', at, { key, ...sent });
const evaluate = (flag: string, targetingKey: string, sent: Sent = {}) =>
  post(`${FLAGS}${flag}`, { body: { context: { targetingKey } }, ...sent });

/** Only the answers of Nest's routes have these headers, which are about pages. */
const ofPages = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
];
const isFast = ({ headers }: Answer) => headers['content-security-policy'] === undefined;
const partsOf = ({ status, text, headers }: Answer) => ({
  status,
  text,
  headers: Object.fromEntries(
    Object.entries(headers).filter(([name]) => ![...ofPages, 'date', 'request-id'].includes(name)),
  ),
});

/** Sends the request twice to the fast path and once to Nest's route. A `?` at the end of the URL leads to Nest. */
async function expectSame(flag: string, sent: Sent, status: number, fast = status === 200 || status === 304) {
  const [first, second, other] = [
    await post(`${FLAGS}${flag}`, sent),
    await post(`${FLAGS}${flag}`, sent),
    await post(`${FLAGS}${flag}?`, sent),
  ];
  expect([other.status, isFast(first), isFast(second), isFast(other)]).toEqual([status, fast, fast, false]);
  expect(partsOf(first)).toEqual(partsOf(other));
  expect(partsOf(second)).toEqual(partsOf(other));
}
const about = (targetingKey: unknown, more = {}) => ({ context: { targetingKey, ...more } });

describe('The fast path of flags', () => {
  it('answers for each kind of subject as the route of Nest does', async () => {
    const site = `${acme.id}/sites/${acme.site}`;
    for (const [flag, subject] of [
      ['', acme.id],
      ['', acme.id.toUpperCase()],
      ['', site],
      ['', `${acme.id}/users/${acme.owner}`],
      ['/limit.users', acme.id],
      ['/site.logo', site],
      ['/role', `${acme.id}/users/${acme.owner}`],
    ] as const)
      await expectSame(flag, { body: about(subject, { plan: 'x', nested: [{ a: null }] }) }, 200);
  });

  it.each(['', '/feedback'])(
    'answers with the headers of the route of Nest, also to other origins: %s',
    async (flag) => {
      const body = about(acme.id);
      for (const Origin of [ORIGIN, 'https://evil.example']) await expectSame(flag, { body, headers: { Origin } }, 200);
      await expectSame(flag, { body, key: undefined, headers: { 'X-API-Key': key } }, 200);
      const cookie = { Cookie: 'charter_session=x', 'Sec-Fetch-Site': 'cross-site' };
      await expectSame(flag, { body, headers: cookie }, 200);
    },
  );

  it('answers 304 as the route of Nest does', async () => {
    const tag = (await evaluate('', acme.id)).headers.etag!;
    const bare = tag.replaceAll('"', '');
    for (const known of [tag, bare, `"0", W/${tag}`])
      await expectSame('', { body: about(acme.id), headers: { 'If-None-Match': known } }, 304);
    for (const known of ['*', '"0"', bare.split('.')[0]!])
      await expectSame('', { body: about(acme.id), headers: { 'If-None-Match': known } }, 200);
    await expectSame('/feedback', { body: about(acme.id), headers: { 'If-None-Match': tag } }, 200);
  });

  it.each(['', '/feedback', '/nothing'])('leaves refusals to the route of Nest: %s', async (flag) => {
    const body = about(acme.id);
    const elsewhere = await served.key({ scopes: ['flags:read'], organization: randomUUID() });
    const reader = await served.key({ scopes: ['organizations:read'] });
    for (const by of [elsewhere, reader]) await evaluate('', acme.id, { key: by });
    const gzip = { 'Content-Encoding': 'gzip' };
    await expectSame(flag, { body, key: `chk_${'0'.repeat(12)}_${'A'.repeat(43)}` }, 401);
    await expectSame(flag, { body, key: undefined }, 401);
    await expectSame(flag, { body, key: reader }, 403);
    await expectSame(flag, { body, key: elsewhere }, 400);
    await expectSame(flag, { body: about(randomUUID()) }, 400);
    await expectSame(flag, { body: about(`${acme.id}/users/${randomUUID()}`) }, 400);
    for (const wrong of [undefined, '{', 'null', '[]', {}, about(1), about('x'), about(acme.id, { asOf: 'x' })])
      await expectSame(flag, { body: wrong }, 400);
    await expectSame(flag, { body: `{"context":{"targetingKey":"${acme.id}","a":1,"a":2}}` }, 400);
    await expectSame(flag, { body, headers: { 'Idempotency-Key': 'ä' } }, 400);
    await expectSame(flag, { body, headers: { 'Content-Type': 'text/plain' } }, 415);
    await expectSame(flag, { body, headers: gzip }, 415);
    await expectSame(flag, { body: about(acme.id, { filler: 'x'.repeat(101 * 1024) }) }, 413);
  });

  it('leaves unknown flags, the past, and sessions to the route of Nest', async () => {
    await expectSame('/nothing', { body: about(acme.id) }, 404);
    await expectSame('', { body: about(acme.id, { asOf: '1' }), key: all }, 200, false);
    const account = await person(served, { role: 'operator' });
    const operator = await signedIn(served, account);
    const sent = (token: string) =>
      operator.send('POST', FLAGS, about(acme.id), { headers: { 'X-XSRF-TOKEN': token } });
    expect([(await sent(operator.token())).status, (await sent('')).status]).toEqual([200, 403]);
  });

  it('counts a wrong API key once', async () => {
    const wrong = { key: 'chk_wrong', headers: { 'X-Forwarded-For': '192.0.2.7' } };
    const statuses: number[] = [];
    for (let time = 0; time < 61; time += 1)
      statuses.push((await post(FLAGS, { ...wrong, body: about(acme.id) })).status);
    expect([statuses.indexOf(429), statuses.filter((status) => status === 401).length]).toEqual([60, 60]);
  });

  it('answers from memory, and shows a change and a revoked key at the next request', async () => {
    const id = await sold();
    const own = await served.key({ scopes: ['flags:read'] });
    const valueOf = async (flag: string) =>
      (await evaluate('', id, { key: own })).body.flags.find((one: Flag) => one.key === flag);
    for (let time = 0; time < 2; time += 1) await valueOf('limit.users');
    await settled(served);
    await valueOf('limit.users');
    const query = jest.spyOn(served.runtime.reading, 'query');
    expect(await valueOf('limit.users')).toMatchObject({ value: 2 });
    expect((await evaluate('/limit.users', id, { key: own })).body).toMatchObject({ value: 2 });
    expect((await evaluate('/limit.users', id, { key: own })).body).toMatchObject({ value: 2 });
    expect(query).toHaveBeenCalledTimes(1); // for the first answer with one flag
    query.mockRestore();
    await done(served, all, id, ['POST', '/members', { user: randomUUID(), role: 'member' }]);
    expect(await valueOf('remaining.users')).toMatchObject({ value: 0, metadata: { used: 2 } });
    expect((await evaluate('/remaining.users', id, { key: own })).body).toMatchObject({ value: 0 });
    await served.charter.database.keys.revoke(await keyId(served, own), served.clock.now());
    expect((await evaluate('', id, { key: own })).status).toBe(401);
  });

  it('keeps no answer beyond the end of an override', async () => {
    const id = await sold();
    const until = new Date(served.clock.now() + HOUR).toISOString();
    await done(served, all, id, ['PUT', '/limits/override', { reason: 'a spec', until }]);
    await settled(served);
    const limits = async () =>
      [(await evaluate('/limit.users', id)).body, (await evaluate('', id)).body.flags[17]].map(
        ({ value }: Flag) => value,
      );
    for (let time = 0; time < 2; time += 1) expect(await limits()).toEqual([4, 4]);
    served.clock.advance(HOUR);
    expect(await limits()).toEqual([2, 2]);
  });

  it('gives each API key its own ticket, and a new ticket in each epoch', async () => {
    const streamOf = async (by: string) => (await evaluate('', acme.id, { key: by })).body.eventStreams[0].url;
    const urls = [await streamOf(key), await streamOf(all), await streamOf(key)];
    served.clock.advance(HOUR);
    urls.push(await streamOf(key));
    expect(new Set(urls).size).toBe(3);
  });

  it('has the same name in the metrics as the route of Nest', async () => {
    const counted = async () => {
      const { text } = await served.ask('GET', '/metrics');
      const [, count] =
        /^charter_requests_total\{route="POST \/ofrep\/v1\/evaluate\/flags\/:key",status="2xx"\} (\d+)$/m.exec(text)!;
      return Number(count);
    };
    await evaluate('/feedback', acme.id);
    const before = await counted();
    await evaluate('/feedback', acme.id);
    await evaluate('/feedback?', acme.id);
    expect(await counted()).toBe(before + 2);
  });

  it('ends without an answer if the client disconnects before the end of the body', async () => {
    const { hostname, port } = new URL(served.url);
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Content-Length': '500' };
    const before = served.lines.length;
    const outgoing = request({ hostname, port, path: FLAGS, method: 'POST', headers });
    const ended = new Promise((resolve) => outgoing.once('close', resolve));
    outgoing.on('error', () => undefined);
    outgoing.write('{"context":', () => outgoing.destroy());
    await ended;
    expect((await evaluate('', acme.id)).status).toBe(200);
    expect(served.lines.slice(before)).toEqual([]);
  });
});
