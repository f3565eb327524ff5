import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { person, signedIn } from '../../support/sign-in/people';
import { sendRaw } from '../../support/requests/http';
import { founded, path } from '../../support/requests/organizations';
import { expectProblem, expectUnharmed, refusedBy } from '../../support/requests/refusals';
import { type Route, routesOf } from '../../support/requests/routes';
import { type Served, serving, settled } from '../../support/serving';
import { everyRightRequest } from '../../support/requests/right-requests';
import { type FullOrganization, fullOrganization } from '../../support/requests/full-organization';

let served: Served;
let key: string;
let here: FullOrganization;
let routes: readonly Route[];
beforeAll(async () => {
  served = await serving({ environment: { RATE_LIMITS: 'off' } });
  key = await served.key();
  here = await fullOrganization(served, key);
  routes = (await routesOf(served.runtime)).filter((route) => route.includes('/api/v1/'));
  await settled(served);
});
afterAll(() => served.close());
afterEach(() => expectUnharmed(served, key));

const refused = refusedBy(() => served);
const ask = (method: string, at: string, headers: Record<string, string | string[]> = {}) =>
  served.ask(method, at, { key, headers });
const raw = (first: string, ...headers: string[]) =>
  sendRaw(served.url, `${[first, 'Host: x', `Authorization: Bearer ${key}`, ...headers].join('\r\n')}\r\n\r\n`);

/** The text that the service sends on one connection until it closes the connection. */
async function receivedFor(text: string): Promise<string> {
  const { hostname, port } = new URL(served.url);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.on('data', (piece: Buffer) => (received += piece.toString()));
  socket.on('error', () => undefined); // `close` follows
  socket.write(text);
  await once(socket, 'close');
  return received;
}

describe('S6: JSON body', () => {
  it('is refused when an object in it contains the same field twice, also in a nested object', async () => {
    const [operator, owner] = [
      await signedIn(served, await person(served, { role: 'operator' })),
      await signedIn(served, await person(served, { id: here.owner })),
    ];
    const withBody = (await routesOf(served.runtime)).flatMap((route) => {
      const right = everyRightRequest[route]?.(here);
      // other specs try these two routes
      const isElsewhere = route === 'POST /login' || route === 'POST /webhooks/stripe';
      return isElsewhere || right?.body === undefined ? [] : [{ route, ...right, body: right.body }];
    });
    expect(withBody.length).toBeGreaterThan(40);
    const notReached: string[] = [];
    for (const { route, path: at, body } of withBody) {
      const [name, value] = Object.entries(body)[0]!;
      const field = `${JSON.stringify(name)}:${JSON.stringify(value)}`;
      const [method = ''] = route.split(' ');
      const twice = `{${field},${JSON.stringify(body).slice(1)}`;
      const answers = [
        await served.ask(method, at, { key, body: twice }),
        await operator.send(method, at, twice),
        await owner.send(method, at, twice),
      ];
      for (const { status } of answers) expect([route, status >= 400 && status < 500]).toEqual([route, true]);
      const isRefused = answers.some(
        ({ status, body: problem }) =>
          status === 400 &&
          (problem.detail ?? problem.errorDetails) === 'The request names a field twice in one object',
      );
      if (!isRefused) notReached.push(route);
    }
    expect(notReached).toEqual([]);
    for (const text of ['{"name":"A","name":"A"}', '{"name":"A","\\u006eame":"B"}', '{"name":{"a":1,"a":2}}']) {
      const answer = await served.ask('PATCH', path(here.id), { key, body: text });
      expect([text, answer.status, answer.body.errors]).toEqual([
        text,
        400,
        [{ path: '', message: 'names a field twice in one object' }],
      ]);
    }
    for (const name of ['a:b', '"a":1,"a":2', '\\', 'x\\":"y'])
      expect([name, (await served.ask('PATCH', path(here.id), { key, body: { name } })).status]).toEqual([name, 200]);
  });
});

describe('S5, S6: Query parameter', () => {
  const reads = () =>
    ['', '/entitlements', '/entitlements/users', '/notification-recipients'].map((rest) => path(here.id, rest));

  it('is refused when its name is unknown or repeated, or its value is invalid', async () => {
    const queries = [
      'foo=1',
      'asof=1',
      'asOf=1&asOf=1',
      'asOf[]=1',
      'asOf[revision]=1',
      'atLeast=x',
      'atLeast=1&atLeast=2',
      'atLeast=-1',
      'atLeast=1e1',
      'toString=1',
      'constructor[prototype][polluted]=1',
      '__proto__[polluted]=1',
    ];
    for (const at of reads())
      for (const query of queries) await refused(`${at}?${query}`, () => ask('GET', `${at}?${query}`), 400);
  });

  it('of the list of organizations is refused when it is malformed', async () => {
    const place = (value: unknown) => `cursor=${Buffer.from(JSON.stringify(value)).toString('base64url')}`;
    const queries = [
      'limit=',
      'limit=-1',
      'limit=1e2',
      'limit=%00',
      `q=${'x'.repeat(201)}`,
      'q=a&q=b',
      'plan=x',
      'plan=third/solo',
      `cursor=${'x'.repeat(3000)}`,
      place({}),
      place([]),
      place(['a']),
      place([1, 2]),
      place(['a', 'b', 'c']),
      place(null),
      place('x'),
      'sort=name',
      '__proto__[a]=1',
    ];
    for (const query of queries) await refused(query, () => ask('GET', `/api/v1/organizations?${query}`), 400);
  });

  it('with a hostile name or value gets either a list of organizations or the status 400', async () => {
    const forged = Buffer.from(JSON.stringify(["' or 1=1 --", '\ud800\0'])).toString('base64url');
    for (const query of [
      `cursor=${forged}`,
      'q=%00',
      'q=%25',
      'q=_',
      "q=';drop%20table%20documents;--",
      'constructor=1',
      'prototype=1',
      'q=%F0%28%8C%28',
      'plan=second/%25',
      '__proto__=1',
    ]) {
      const { status, body } = await ask('GET', `/api/v1/organizations?${query}`);
      expect([query, status === 200 ? Array.isArray(body.organizations) : status]).toEqual([
        query,
        status === 200 ? true : 400,
      ]);
    }
    // an underscore in `q` matches only an underscore in a name
    expect((await ask('GET', '/api/v1/organizations?q=_')).body.organizations).toEqual([]);
  });
});

describe('S9: Header', () => {
  it('is accepted with 10 kB; headers of 20 kB or more get 431', async () => {
    expect((await ask('GET', path(here.id), { 'X-Large': 'x'.repeat(10_000) })).status).toBe(200);
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`X-${index}`, 'y']));
    expect((await ask('GET', path(here.id), many)).status).toBe(200);
    await refused('20 kB', () => raw(`GET ${path(here.id)} HTTP/1.1`, `X-Large: ${'x'.repeat(20_000)}`), 431);
    await refused(
      '3,000 headers',
      () => raw(`GET ${path(here.id)} HTTP/1.1`, ...Array.from({ length: 3_000 }, (_, index) => `X-${index}: y`)),
      431,
    );
    await refused('64 kB address', () => raw(`GET /${'x'.repeat(65_536)} HTTP/1.1`), 414, 431);
  });

  it('or request line that is not valid HTTP gets the status 400 or 501', async () => {
    const lines = [
      'GET / HTTP/9.9',
      'GET',
      'nonsense',
      '\0\0\0\0',
      'GET / HTTP/1.1\r\nX: a\rb',
      'GET / HTTP/1.1\r\n: empty',
      'GET / HTTP/1.1\r\nX : y',
      'GET / HTTP/1.1\r\nX\0: y',
      'GET / HTTP/1.1\nX: y',
      'POST / HTTP/1.1\r\nTransfer-Encoding: x',
    ];
    for (const line of lines) await refused(line, () => sendRaw(served.url, `${line}\r\nHost: x\r\n\r\n`), 400, 501);
  });

  it('Host is required, except in HTTP/1.0', async () => {
    const { headers } = await refused('no Host', () => sendRaw(served.url, 'GET / HTTP/1.1\r\n\r\n'), 400);
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'request-id': expect.any(String) });
    expect((await sendRaw(served.url, 'GET /health/live HTTP/1.0\r\n\r\n')).status).toBe(200);
  });

  it('is refused if it is a second Host, or an Expect other than `100-continue`', async () => {
    const first = `GET ${path(here.id)} HTTP/1.1`;
    for (const header of ['Expect: x', 'Expect: ', 'Expect: 200-ok, x', `Expect: ${'x'.repeat(10_000)}`])
      await refused(header, () => raw(first, header), 400);
    await refused('a second Host', () => raw(first, 'Host: evil.example'), 400);
  });

  it('cannot be added to an answer with a line break in the request', async () => {
    const id = await founded(served, { by: key });
    const made = await served.ask('POST', path(id, '/add-ons'), {
      key,
      body: { addOn: 'feedback', purchase: 'a%0d%0aX-Evil:1' },
    });
    expect([made.status, made.headers['x-evil'], made.headers.location]).toEqual([
      201,
      undefined,
      path(id, '/add-ons/a%250d%250aX-Evil%3A1'),
    ]);
    const broken = { addOn: 'feedback', purchase: 'a\r\nX-Evil: 1' };
    await refused('a line break', () => served.ask('POST', path(id, '/add-ons'), { key, body: broken }), 400);
    await refused('in a path', () => ask('GET', `/nowhere%0d%0aX-Evil:1`), 404);
  });
});

describe('S10: HTTP method', () => {
  it('gets 405 and the list of allowed methods at every path that does not allow it', async () => {
    for (const route of routes) {
      const { path: at } = everyRightRequest[route]!(here);
      const offered = routes.filter((other) => leadsTo(other, at)).map((other) => other.split(' ')[0]!);
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'OPTIONS', 'PROPFIND'].filter(
        (one) => !offered.includes(one),
      )) {
        const { headers } = await refused([method, route], () => ask(method, at), 405);
        expect(headers.allow?.split(', ').filter((one) => one !== 'HEAD')).toEqual(offered.sort());
        expect(headers['access-control-allow-origin']).toBeUndefined(); // D10
      }
    }
  });

  it('gets no 501 in place of the answer to an earlier request that still waits on the same connection', async () => {
    const requests = ['OPTIONS *', 'GET /login'].map((first) => `${first} HTTP/1.1\r\nHost: x\r\n\r\n`).join('');
    const received = await receivedFor(`${requests}BREW / HTTP/1.1\r\n\r\n`); // the service answers the first at once
    expect(received).toMatch(/^HTTP\/1\.1 [24]/);
    expect(received).not.toContain('HTTP/1.1 501');
  });

  it('gets 501 when it is unknown, and cannot be overridden by a header or the query', async () => {
    await refused('BREW', () => raw(`BREW ${path(here.id)} HTTP/1.1`), 501);
    for (const header of ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override']) {
      const before = await served.charter.log.head();
      expect((await ask('GET', path(here.id, '/members/' + here.member), { [header]: 'DELETE' })).status).toBe(405);
      expect(await served.charter.log.head()).toBe(before);
    }
    await refused('_method', () => ask('GET', path(here.id, '?_method=DELETE')), 400);
  });
});

describe('S11: Path', () => {
  const tricks = (id: string) => [
    `/api/v1/organizations/${id}/`,
    `/api/v1/organizations/${id.toUpperCase()}`,
    `//api/v1/organizations/${id}`,
    `/api//v1/organizations/${id}`,
    `/api/v1/organizations/${id};a=b`,
    `/api/v1/organizations/%2e%2e/organizations/${id}`,
    `/api/v1/x/../organizations/${id}`,
    `/api/v1/organizations/${id}/..`,
    `/api/v1/organizations/${id}%2fentitlements`,
    `/api/v1/organizations/${id}/%65ntitlements`,
    `/API/V1/organizations/${id}`,
    `/api/v1/organizations/${id}.`,
    `/api/v1/organizations/${id}.json`,
    `/api/v1/organizations/${id}%00`,
    `/api/v1/organizations/${id}%20`,
    `/api/v1/organizations/${encodeURIComponent(id)}/entitlements/users/`,
    `/api/v1/organizations/${id}/entitlements//users`,
    `/api/v1/organizations/${id}\\entitlements`,
    `/health/live/../../api/v1/organizations/${id}`,
    `/api/docs/../v1/organizations/${id}`,
    `/api/docs/%2e%2e/v1/organizations/${id}`,
    `http://evil.example/api/v1/organizations/${id}`,
  ];

  it('in an unusual spelling never bypasses a permission check', async () => {
    const stranger = await served.key({ organization: randomUUID() });
    const weak = await served.key({ scopes: ['flags:read'] });
    // The first use of an API key writes an event. These requests write it now, because `refused` expects no new event.
    for (const by of [stranger, weak]) await served.ask('GET', path(here.id), { key: by });
    await served.runtime.backgroundWork.settled();
    for (const trick of tricks(here.id)) {
      for (const [by, statuses] of [
        [stranger, [404, 400]],
        [weak, [403, 404, 400]],
        [undefined, [401, 404, 400]],
      ] as const) {
        const first = `GET ${trick} HTTP/1.1\r\nHost: x\r\n${by ? `Authorization: Bearer ${by}\r\n` : ''}\r\n`;
        const answer = await refused([trick, by], () => sendRaw(served.url, first), ...statuses);
        expect(answer.text).not.toContain('Acme');
      }
      const { status } = await raw(`GET ${trick} HTTP/1.1`);
      expect([trick, [200, 400, 404].includes(status)]).toEqual([trick, true]);
    }
  });

  it('that leads out of a folder of served files gets 404', async () => {
    for (const trick of [
      '/../../etc/passwd',
      '/api/docs/..%2f..%2f..%2fpackage.json',
      '/api/docs/%2e%2e/%2e%2e/package.json',
      '/api/docs/swagger-ui.css/..%5c..%5cpackage.json',
      '/api/docs/.%00./package.json',
      '/charter.css/../../package.json',
    ])
      expect([trick, (await sendRaw(served.url, `GET ${trick} HTTP/1.1\r\nHost: x\r\n\r\n`)).status]).toEqual([
        trick,
        404,
      ]);
  });

  it('is refused if it contains a malformed id', async () => {
    const strange = [
      '1',
      'null',
      'undefined',
      '*',
      '%2a',
      '-',
      here.id.slice(1),
      `${here.id}0`,
      here.id.replaceAll('-', ''),
      `%7B${here.id}%7D`,
      `urn:uuid:${here.id}`,
      '__proto__',
      'constructor',
      "'%20or%201=1",
      '%ff',
      'x'.repeat(2_000),
    ];
    for (const id of strange) {
      for (const [method, at] of [
        ['GET', path(id)],
        ['GET', path(id, '/entitlements/users')],
        ['DELETE', path(here.id, `/members/${id}`)],
        ['DELETE', path(here.id, `/sites/${id}`)],
        ['DELETE', path(here.id, `/quality-assurance/domains/${id}`)],
        ['DELETE', path(here.id, `/web-analytics/domains/${id}`)],
        ['GET', path(here.id, `/entitlements/${id}`)],
        ['DELETE', path(here.id, `/plan/${id}`)],
      ] as const)
        await refused([method, at], () => ask(method, at), 400, 404);
    }
    for (const purchase of ['%00', '%20', 'x'.repeat(256), '__proto__', '%E2%80%AE', 'none', 'constructor', 'toString'])
      await refused(purchase, () => ask('DELETE', path(here.id, `/add-ons/${purchase}`)), 400, 404);
  });
});

describe('API key', () => {
  it('is read from the Authorization header only (J5)', async () => {
    const at = path(here.id);
    for (const query of [`?key=${key}`, `?api_key=${key}`, `?access_token=${key}`, `?authorization=Bearer%20${key}`])
      await refused(query, () => served.ask('GET', at + query), 401);
    for (const headers of [
      { Cookie: `key=${key}` },
      { Cookie: `authorization=Bearer ${key}` },
      { 'X-Api-Key': key },
      { 'Proxy-Authorization': `Bearer ${key}` },
    ])
      await refused(headers, () => served.ask('GET', at, { headers }), 401);
    const body = { name: 'X', key, authorization: `Bearer ${key}` };
    await refused('in the body', () => served.ask('PATCH', at, { body }), 401);
  });

  it('gets 401, as an unknown key does, when it is malformed', async () => {
    const secret = key.slice(17);
    const malformed = [
      '',
      ' ',
      'chk_',
      key.slice(0, -1),
      `${key}x`,
      key.toUpperCase(),
      `${key}, ${key}`,
      `"${key}"`,
      key.replace('chk', 'CHK'),
      secret,
      key.slice(0, 16),
      `${key.slice(0, 16)}_${'A'.repeat(43)}`,
      `chk_${'0'.repeat(12)}_${secret}`,
      'x'.repeat(10_000),
      "' or 1=1 --",
      '__proto__',
      `${key}%00`,
    ];
    for (const one of malformed) {
      const { headers } = await refused(one, () => served.ask('GET', path(here.id), { key: one }), 401);
      expect(headers['www-authenticate']).toMatch(/^Bearer/);
    }
    for (const value of [
      key,
      `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
      `Token ${key}`,
      `Bearer${key}`,
      'Bearer',
    ])
      await refused(value, () => served.ask('GET', path(here.id), { headers: { Authorization: value } }), 401);
    expect((await served.ask('GET', path(here.id), { headers: { Authorization: `bearer  ${key} ` } })).status).toBe(
      200,
    );
  });
});

describe('Route of the API', () => {
  it('has an entry in the list of valid requests that these specs send', () => {
    for (const route of routes) expect(Object.keys(everyRightRequest)).toContain(route);
    for (const area of ['mails', 'accounts', 'keys', 'me'])
      expect([area, routes.some((route) => route.includes(`/api/v1/${area}`))]).toEqual([area, true]);
  });

  it('refuses a request without permission with a complete problem document', async () => {
    for (const route of routes) {
      const { path: at, body } = everyRightRequest[route]!({ ...here, id: randomUUID() });
      const [method] = route.split(' ');
      for (const by of [undefined, await served.key({ scopes: [] })]) {
        const answer = await served.ask(method!, at, { key: by, body });
        expectProblem(answer);
        expect(answer.body.instance).toBe(answer.headers['request-id']);
      }
    }
  });
});

/** Whether the pattern of a route matches a path. `/plan/:line` also matches `/plan/preview`. */
const leadsTo = (route: Route, at: string) =>
  new RegExp(`^${route.split(' ')[1]!.replaceAll(/:\w+/g, '[^/]+')}$`).test(at.split('?')[0]!);
