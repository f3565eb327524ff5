import { generateKeySync, randomBytes, randomUUID } from 'node:crypto';
import { sessionHash, xsrfToken } from '@charter/identity';
import { request } from 'node:http';
import type { Sent } from '../../support/requests/http';
import { path } from '../../support/requests/organizations';
import { type Browser, browser, PASSWORD, person, SESSION, signedIn } from '../../support/sign-in/people';
import { type Route, routesOf } from '../../support/requests/routes';
import { everyEventIn, type Served, serving } from '../../support/serving';
import { type FullOrganization, fullOrganization } from '../../support/requests/full-organization';
import { everyRightRequest, signInRoutes } from '../../support/requests/right-requests';

/**
 * This route needs no XSRF token (D9). Stripe signs each request, and a browser cannot make this signature
 * (`test/billing/stripe/stripe.spec.ts`, K13).
 */
const exempt: readonly Route[] = ['POST /webhooks/stripe'];

let served: Served;
let all: string;
let here: FullOrganization;
let changing: readonly Route[];
beforeAll(async () => {
  served = await serving();
  all = await served.key();
  here = await fullOrganization(served, all);
  changing = (await routesOf(served.runtime)).filter(
    (route) => !/^(GET|HEAD|OPTIONS) /.test(route) && !exempt.includes(route),
  );
});
afterAll(() => served.close());

const operator = async () => signedIn(served, await person(served, { role: 'operator' }));
const requestOf = (route: Route) => {
  const [method = '', pattern = ''] = route.split(' ');
  const right = everyRightRequest[route]?.(here) ?? { path: pattern.replace(/:\w+/g, randomUUID()) };
  return { method, ...right };
};
const OTHER = 'another long phrase of mine';
const xsrf = { status: 403, type: '/problems/xsrf' };
/** The refusal of a route; OFREP defines no body for the status 403. */
const refusalOf = (route: Route) => (route.includes(' /ofrep/') ? { status: 403, type: undefined } : xsrf);
const ask = async (by: Browser, route: Route, sent: Sent = {}) => {
  const { method, path: at, body } = requestOf(route);
  const { status, body: answer } = await by.send(method, at, body, sent);
  return { status, type: answer?.type as string | undefined };
};
const withHeaders = (headers: Record<string, string>): Sent => ({ headers });
const flipped = (token: string) => `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`;

describe('D: Route that changes data', () => {
  it('D1: needs a token that only this host gets and that scripts can read; each sign-in and sign-out sets a new token', async () => {
    const ada = await person(served);
    const page = await browser(served);
    const tokens = [page.token()];
    const lines = [];
    for (const step of [() => page.logIn(ada.email!), () => page.send('POST', '/logout')]) {
      const answer = await step();
      lines.push(...(answer.headers['set-cookie'] ?? []).filter((line) => line.startsWith('XSRF-TOKEN=')));
      tokens.push(page.token());
    }
    expect(new Set(tokens).size).toBe(3);
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      expect(line).toMatch(/; Path=\/.*; SameSite=Lax$/);
      expect(line).not.toMatch(/HttpOnly|Domain/);
    }
  });

  it('D1: needs a token whose cookie has the attribute Secure if Charter runs under TLS', async () => {
    const secure = await serving({ environment: { PUBLIC_URL: 'https://charter.example' } });
    const { headers } = await secure.ask('GET', '/');
    const [session, token] = headers['set-cookie']!;
    expect(session).toMatch(/^__Host-charter=a\.[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    expect(token).toMatch(/^XSRF-TOKEN=[\w-]{43}\.[\w-]{43}; Path=\/; Secure; SameSite=Lax$/);
    await secure.close();
  });

  it('D2: refuses an XSRF token that is missing or does not belong to the session, and changes nothing', async () => {
    const ada = await person(served, { role: 'operator' });
    const before = await browser(served);
    const early = before.token();
    await before.logIn(ada.email!);
    const by = before;
    const other = await operator();
    const same = await signedIn(served, ada);
    const left = await signedIn(served, ada);
    const old = left.token();
    await left.send('POST', '/logout');
    const selfMade = `${randomBytes(32).toString('base64url')}.${randomBytes(32).toString('base64url')}`;
    const ofOtherKey = xsrfToken(generateKeySync('hmac', { length: 256 }), 'x', {
      bytes: randomBytes,
      uuid: randomUUID,
    });
    const cookie = (token: string) => `${SESSION}=${by.cookies.get(SESSION)}; XSRF-TOKEN=${token}`;
    const pair = (token: string) => withHeaders({ 'X-XSRF-TOKEN': token, Cookie: cookie(token) });

    const variants: Readonly<Record<string, Sent>> = {
      'no header': { headers: { 'X-XSRF-TOKEN': [] } },
      'header without cookies': { headers: { Cookie: [] } },
      'header without its cookie': withHeaders({ Cookie: `${SESSION}=${by.cookies.get(SESSION)}` }),
      'different values': withHeaders({ 'X-XSRF-TOKEN': same.token() }),
      'different values, both of this session': withHeaders({
        'X-XSRF-TOKEN': xsrfToken(served.charter.keyFor('xsrf'), sessionHash(by.cookies.get(SESSION)!), {
          bytes: randomBytes,
          uuid: randomUUID,
        }),
      }),
      'equal and self-made': pair(selfMade),
      'of another key': pair(ofOtherKey),
      'of another session': pair(same.token()),
      'of another user': pair(other.token()),
      'from before sign-in': pair(early),
      'from after sign-out': pair(old),
      'one bit changed': pair(flipped(by.token())),
      empty: pair(''),
    };
    const cookies = [...by.cookies];
    const events = await everyEventIn(served);
    for (const route of changing)
      for (const [name, sent] of Object.entries(variants)) {
        expect([route, name, await ask(by, route, sent)]).toEqual([route, name, refusalOf(route)]);
        // restores the cookies for the next request
        for (const [cookie, value] of cookies) by.cookies.set(cookie, value);
      }
    expect(await everyEventIn(served)).toBe(events);
  });

  it('D2: refuses the token of an ended session at sign-in, even with the cookie of that session', async () => {
    const ada = await person(served);
    const ended = await signedIn(served, ada);
    const old = { Cookie: ended.cookieHeader(), 'X-XSRF-TOKEN': ended.token() };
    const away = await signedIn(served, ada);
    expect((await away.send('PUT', '/api/v1/me/password', { current: PASSWORD, password: OTHER })).status).toBe(204);
    for (const route of signInRoutes) {
      const [method = '', at = ''] = route.split(' ');
      const answer = await served.ask(method, at, { body: {}, headers: old });
      expect([route, answer.status, answer.body.type]).toEqual([route, xsrf.status, xsrf.type]);
      expect(answer.headers['set-cookie']?.map((line) => line.split('=')[0])).toEqual([SESSION, 'XSRF-TOKEN']);
    }
    expect((await ended.logIn(ada.email!, OTHER)).status).toBe(403); // this answer also sends new cookies
    expect((await ended.logIn(ada.email!, OTHER)).status).toBe(204);
  });

  it('D2: accepts a sign-in after the session of the browser has ended, because the next page sets a new cookie and a new token', async () => {
    const ada = await person(served);
    const ended = await signedIn(served, ada);
    const [session, token] = [ended.cookies.get(SESSION), ended.token()];
    await served.charter.database.people.sessions.endAll(ada.id);
    for (const at of ['/login', '/']) {
      for (const [name, value] of [
        [SESSION, session!],
        ['XSRF-TOKEN', token],
      ] as const)
        ended.cookies.set(name, value);
      await ended.get(at);
      expect([at, ended.cookies.get(SESSION) === session, ended.token() === token]).toEqual([at, false, false]);
    }
    expect((await ended.logIn(ada.email!)).status).toBe(204);
  });

  it('D2: sends a new token when a request contains no token, and accepts the new token in the next request', async () => {
    const by = await operator();
    by.cookies.delete('XSRF-TOKEN');
    const refused = await by.send('POST', '/api/v1/organizations', { name: 'Acme' });
    expect(refused.status).toBe(403);
    expect((await by.send('POST', '/api/v1/organizations', { name: 'Acme' })).status).toBe(201);
  });

  it('D5: refuses a request from another site', async () => {
    const by = await operator();
    const own = served.runtime.settings.publicUrl;
    const { hostname, port } = new URL(own);
    const elsewhere: readonly Record<string, string>[] = [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: `http://app.${hostname}:${port}` },
      { Origin: `http://${hostname}:${Number(port) + 1}` },
      { Origin: `https://${hostname}:${port}` },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'cross-site', Origin: own },
      { 'Sec-Fetch-Site': 'same-site' },
      { 'Sec-Fetch-Site': 'same-site', Origin: `http://app.${hostname}:${port}` },
      { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://evil.example' },
      { 'Sec-Fetch-Site': 'nonsense' },
    ];
    const events = await everyEventIn(served);
    for (const headers of elsewhere)
      expect([headers, await ask(by, 'PATCH /api/v1/organizations/:id', withHeaders(headers))]).toEqual([
        headers,
        xsrf,
      ]);
    expect(await everyEventIn(served)).toBe(events);
  });

  it('D5: accepts a request from our own site, from each name of loopback, and without the headers `Origin` and `Sec-Fetch-Site`', async () => {
    const by = await operator();
    const { port } = new URL(served.runtime.settings.publicUrl);
    const from: readonly Record<string, string>[] = [
      {},
      { 'Sec-Fetch-Site': 'same-origin' },
      { 'Sec-Fetch-Site': 'none' },
      ...['localhost', '127.0.0.1', '[::1]'].map((name) => ({ Origin: `http://${name}:${port}` })),
    ];
    for (const headers of from)
      expect([headers, (await ask(by, 'PATCH /api/v1/organizations/:id', withHeaders(headers))).status]).toEqual([
        headers,
        200,
      ]);
  });

  it('D6: answers 415 for a body of another type than JSON, and changes nothing', async () => {
    const by = await operator();
    const events = await everyEventIn(served);
    for (const route of changing.filter((one) => requestOf(one).body))
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', ''])
        expect([route, type, (await ask(by, route, withHeaders({ 'Content-Type': type }))).status]).toEqual([
          route,
          type,
          415,
        ]);
    expect(await everyEventIn(served)).toBe(events);
  });

  it('D7: ignores a method in a header or in the query', async () => {
    const by = await operator();
    const events = await everyEventIn(served);
    for (const [at, headers] of [
      [path(here.id), { 'X-HTTP-Method-Override': 'DELETE' }],
      [path(here.id, '?_method=PATCH'), {}],
      ['/logout', { 'X-HTTP-Method-Override': 'POST' }],
      ['/logout?_method=POST', {}],
    ] as const)
      await by.get(at, { headers });
    expect(await everyEventIn(served)).toBe(events);
    expect((await by.get('/api/v1/organizations')).status).toBe(200);
  });

  it('D8: refuses a sign-in that another site sends from the browser of a person', async () => {
    const eve = await person(served);
    const victim = await browser(served);
    const before = victim.cookies.get(SESSION);
    for (const headers of [{ 'Sec-Fetch-Site': 'cross-site' }, { Origin: 'https://evil.example' }] as Record<
      string,
      string
    >[]) {
      const answer = await victim.send('POST', '/login', { username: eve.email, password: PASSWORD }, { headers });
      expect([answer.status, victim.cookies.get(SESSION)]).toEqual([403, before]);
    }
  });

  it('D9: needs no token with an API key, and the routes of the sign-in accept no API key', async () => {
    expect((await served.ask('PATCH', path(here.id), { key: all, body: { name: 'By a key' } })).status).toBe(200);
    for (const route of signInRoutes) {
      const { method, path: at, body } = requestOf(route);
      expect([route, (await served.ask(method, at, { key: all, body })).status]).toEqual([route, 403]);
    }
  });

  it('D10: allows no other origin to read its answers, and refuses each preflight', async () => {
    const by = await operator();
    const { origin, hostname } = new URL(served.runtime.settings.publicUrl);
    const foreign = [
      'https://evil.example',
      'null',
      'https://app.example.com.evil.example',
      `${origin}.evil.example`,
      `https://evil.example#${origin}`,
      `http://${hostname}`,
      `http://${hostname}:1`,
      'https://localhost',
      'file://',
      'chrome-extension://evil',
    ];
    for (const Origin of foreign)
      for (const at of ['/api/v1/organizations', '/api/v1/me', '/login', '/ofrep/v1/evaluate/flags'])
        for (const method of ['OPTIONS', 'GET']) {
          const preflight = {
            'Access-Control-Request-Method': 'POST',
            'Access-Control-Request-Headers': 'x-xsrf-token',
          };
          const headers = { Origin, ...(method === 'OPTIONS' && preflight) };
          const answer = await by.send(method, at, undefined, { headers });
          const allowed = Object.keys(answer.headers).filter((name) => name.startsWith('access-control'));
          expect([Origin, at, method, allowed]).toEqual([Origin, at, method, []]);
          if (method === 'OPTIONS') expect([Origin, at, answer.status]).toEqual([Origin, at, 405]);
        }
    expect((await by.get('/api/v1/organizations')).status).toBe(200); // the session was valid
  });
});

describe('C15: A request with a cookie and an Authorization header', () => {
  it('is authorized by the API key alone', async () => {
    const by = await operator();
    const weak = await served.key({ scopes: ['flags:read'] });
    const answer = await by.get('/api/v1/organizations', { key: weak });
    expect([answer.status, answer.body.type]).toEqual([403, '/problems/not-allowed']);
    expect((await by.get('/api/v1/organizations', { key: 'chk_nonsense' })).status).toBe(401);
    const strong = await by.send(
      'PATCH',
      path(here.id),
      { name: 'Once' },
      { key: all, headers: { 'X-XSRF-TOKEN': 'x' } },
    );
    expect(strong.status).toBe(200);
  });

  it('is authorized by the cookie and needs the XSRF token if the header contains no API key', async () => {
    const by = await operator();
    const headers = { Authorization: 'Basic YTpi', 'X-XSRF-TOKEN': 'x' };
    expect((await by.send('PATCH', path(here.id), { name: 'Once' }, { headers })).status).toBe(403);
  });
});

describe('D2: Fast path with a cached session', () => {
  it('adds a member only with the XSRF token, and answers reads without this token', async () => {
    const ada = await operator();
    const known = () => ada.get(path(here.id, '/entitlements/users'));
    await known();
    expect((await known()).status).toBe(200);
    const before = await everyEventIn(served);
    const member = { user: randomUUID(), role: 'member' };
    const members = path(here.id, '/members');
    for (const headers of [
      { 'X-XSRF-TOKEN': '' },
      { 'X-XSRF-TOKEN': flipped(ada.token()) },
      { Origin: 'https://evil.example' },
    ])
      expect((await ada.send('POST', members, member, { headers })).body).toMatchObject({ type: '/problems/xsrf' });
    expect(await everyEventIn(served)).toBe(before);
    expect((await ada.send('POST', members, member)).status).toBe(201);
  });
});

describe('D: Request target that can be read in two ways', () => {
  const answerTo = (target: string, body = '') =>
    new Promise<{ status: number; cookies: readonly string[] }>((resolve, reject) => {
      const { port } = new URL(served.url);
      const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
      request({ port, host: '127.0.0.1', method: 'POST', path: target, headers }, (response) => {
        response.resume();
        resolve({ status: response.statusCode!, cookies: response.headers['set-cookie'] ?? [] });
      })
        .on('error', reject)
        .end(body);
    });

  it.each(['/login#x', '/login/#', 'http://evil.example/login', 'HTTP://a/login/', '/forgot#', 'http://x/logout', '*'])(
    'is refused, and begins no session and sets no cookie: %s',
    async (target) => {
      const { email } = await person(served);
      const before = await everyEventIn(served);
      const body = JSON.stringify({ username: email, password: PASSWORD });
      expect(await answerTo(target, body)).toEqual({ status: 400, cookies: [] });
      expect(await everyEventIn(served)).toBe(before);
    },
  );
});

describe('D: Form of another site', () => {
  it.each(['/login', '/logout', '/forgot', '/reset', '/email/confirm'])(
    'is refused at %s, and sets no cookie',
    async (at) => {
      const headers = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
      const answer = await served.ask('POST', at, { body: {}, headers });
      expect([answer.status, answer.headers['set-cookie']]).toEqual([403, undefined]);
    },
  );
});
