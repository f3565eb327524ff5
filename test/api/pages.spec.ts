import { readSignInToken, sessionHash } from '@charter/identity';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type Answer, sendRaw } from '../support/requests/http';
import { browser, person, SESSION, signedIn } from '../support/sign-in/people';
import { type Served, serving } from '../support/serving';

const html = { headers: { Accept: 'text/html,*/*' } };
let served: Served;
beforeAll(async () => {
  served = await serving({
    environment: { PRODUCT_NAME: 'Feed & <Back>', REDIRECT_ORIGINS: 'https://help.example', SESSION_MAX: '7d' },
  });
});
afterAll(() => served.close());
const get = (at: string, headers: Record<string, string> = {}) =>
  served.ask('GET', at, { headers: { ...html.headers, ...headers } });
const meta = ({ text }: Answer, name: string) =>
  new RegExp(`<meta name="charter-${name}" content="([^"]*)"`).exec(text)?.[1];
const title = ({ text }: Answer) => /<title>([^<]*)/.exec(text)?.[1];

describe('Page', () => {
  it.each([
    ['/', 'Log in'],
    ['/login', 'Log in'],
    ['/login/google', 'Log in'],
    ['/anything/else', 'Log in'],
    ['/forgot', 'Forgot your password?'],
    ['/verify', 'Verify a history'],
    ['/reset', 'Set a new password'],
    ['/reset/some-token', 'Set a new password'],
    ['/email/confirm/some-token', 'Confirm'],
  ])('at %s has the title "%s" for a signed-out person', async (at, name) => {
    const answer = await get(at);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(title(answer)).toContain(name);
    expect(answer.text).not.toMatch(/\{\{/);
  });

  it('is never the answer at an unknown path of the API, the assets, the health checks or /dev', async () => {
    for (const at of ['/api/v1/nothing', '/assets/nothing.js', '/health/nothing', '/dev/nothing'])
      expect([at, (await get(at)).headers['content-type']]).toEqual([at, 'application/problem+json; charset=utf-8']);
    expect((await served.ask('GET', '/anything/else')).status).toBe(404);
    expect((await served.ask('POST', '/forgotten', html)).status).toBe(404);
  });

  it('E6: shows only the three known errors, and only if the query names them', async () => {
    const failed = (answer: Answer) =>
      /Google sign-in failed\.|Single sign-on \(SSO\) failed\.|access to any organization/.exec(answer.text)?.[0];
    expect(failed(await get('/login?error=google'))).toBe('Google sign-in failed.');
    expect(failed(await get('/?error=sso'))).toBe('Single sign-on (SSO) failed.');
    expect(failed(await get('/login/google?error=account'))).toBe('access to any organization');
    const full = await get('/login?error=account&reason=limit-exceeded');
    expect([failed(full), full.text.includes('no free seat')]).toEqual(['access to any organization', true]);
    for (const at of [
      '/login/google',
      '/login?error=other',
      '/login?error=<b>',
      '/login?error=other&error=google',
      '/login?error',
    ])
      expect([at, failed(await get(at))]).toEqual([at, undefined]);
    expect((await get('/login?x=from_rns&error=%3Cscript%3E')).text).toContain('has been migrated');
  });

  it('of the console redirects a signed-out person to the sign-in page, whose address names this page as the target', async () => {
    const answer = await get('/org/42/sites?tab=1');
    expect([answer.status, answer.headers.location]).toEqual([302, '/login?redirect=%2Forg%2F42%2Fsites%3Ftab%3D1']);
  });

  it('of the console is shown to a signed-in person, and is not cached (C13)', async () => {
    const ada = await person(served, { name: 'Ada "L" <b>', role: 'auditor' });
    const here = await signedIn(served, ada);
    for (const at of ['/', '/org/42', '/me/sessions', '/anything']) {
      const answer = await here.get(at, html);
      expect([at, answer.status, meta(answer, 'account'), meta(answer, 'platform-role')]).toEqual([
        at,
        200,
        ada.id,
        'auditor',
      ]);
      expect(meta(answer, 'checkpoint-every')).toBe('3600');
      expect(meta(answer, 'account-name')).toBe('Ada &#34;L&#34; &#60;b&#62;');
      expect(answer.headers['cache-control']).toBe('no-store');
    }
    expect(title(await here.get('/login', html))).toContain('Log in');
  });

  it('of the console has the preferences of the account, also if the browser prefers another language', async () => {
    const here = await signedIn(served, await person(served));
    const unset = await here.get('/org/42', html);
    expect([meta(unset, 'time-zone'), meta(unset, 'single-keys')]).toEqual(['', '']);
    const chosen = { language: 'fi', timeZone: 'Europe/Helsinki', keys: false };
    expect((await here.send('PATCH', '/api/v1/me', chosen)).status).toBe(200);
    here.cookies.set('charter-language', 'en');
    const answer = await here.get('/org/42', html);
    expect(answer.text).toContain('<html lang="fi"');
    expect([meta(answer, 'time-zone'), meta(answer, 'single-keys')]).toEqual(['Europe/Helsinki', 'off']);
  });

  it('contains the settings that its scripts need, with HTML characters escaped', async () => {
    const answer = await get('/');
    expect(meta(answer, 'product')).toBe('Feed &#38; &#60;Back&#62;');
    expect(meta(answer, 'redirect-origins')).toBe('https://help.example');
    expect(meta(answer, 'demo')).toBe('');
  });

  it('has a token for the sign-in with Google, which contains the checked redirect and works in this browser only', async () => {
    for (const [wanted, redirect] of [
      ['/org/42', '/org/42'],
      ['https://help.example/a', 'https://help.example/a'],
      ['//evil.example', '/'],
    ] as const) {
      const here = await browser(served);
      const token = meta(await here.get(`/login?redirect=${encodeURIComponent(wanted)}`, html), 'google-token')!;
      const session = sessionHash(here.cookies.get(SESSION)!);
      const key = served.charter.keyFor('sign-in');
      expect(readSignInToken(key, session, token, Date.now())).toMatchObject({ redirect });
      expect(readSignInToken(key, sessionHash('other'), token, Date.now())).toBeUndefined();
    }
  });

  it.each([
    ['en', {}],
    ['fi', { 'Accept-Language': 'sv, fi-FI;q=0.9, en;q=0.8' }],
    ['en', { 'Accept-Language': 'fi;q=0.1, en' }],
    ['en', { 'Accept-Language': 'sv;q=1, *;q=0.5' }],
    ['fi', { 'Accept-Language': 'fi;q=0.5, *' }],
    ['fi', { 'Accept-Language': 'en', Cookie: 'charter-language=fi' }],
    ['en', { Cookie: 'charter-language=xx' }],
  ])('has the language %s for a request with the headers %j', async (language, headers) => {
    expect((await get('/', headers as Record<string, string>)).text).toContain(`<html lang="${language}"`);
  });

  it('sets the session cookie and the XSRF cookie at the first visit, and later only if a cookie is invalid', async () => {
    const here = await browser(served);
    expect([...here.cookies.keys()].sort()).toEqual(['XSRF-TOKEN', SESSION].sort());
    expect((await here.get('/forgot', html)).headers['set-cookie']).toBeUndefined();
    here.cookies.set('XSRF-TOKEN', 'broken');
    expect((await here.get('/forgot', html)).headers['set-cookie']).toHaveLength(1);
  });
});

describe('First operator', () => {
  const shown = async ({ ask }: Served, at = '/') => /data-first="on"/.test((await ask('GET', at, html)).text);

  it('is explained on the log-in page until the first account exists, and never afterwards', async () => {
    const empty = await serving();
    expect([await shown(empty), await shown(empty, '/login?error=google')]).toEqual([true, true]);
    const { text } = await empty.ask('GET', '/', html);
    expect(text).toContain('./charter accounts create --email you@example.com --role operator');
    const { id } = await person(empty, { role: 'operator' });
    expect(await shown(empty)).toBe(false);
    await empty.charter.database.people.accounts.erase(id, empty.clock.now());
    expect(await shown(empty)).toBe(false);
    await empty.stop();
    const restarted = await serving({ folder: empty.folder });
    expect(await shown(restarted)).toBe(false);
    await restarted.close();
  });

  it('is not explained in a demo, or on other pages', async () => {
    const empty = await serving();
    for (const at of ['/forgot', '/reset/x', '/verify']) expect(await shown(empty, at)).toBe(false);
    await empty.charter.database.marks.set('demo', 'on');
    await empty.stop();
    const demo = await serving({ folder: empty.folder });
    expect(await shown(demo)).toBe(false);
    await demo.close();
  });
});

describe('F: Headers', () => {
  it('F2: allow only files from this server and the styles inside the page', async () => {
    for (const at of ['/', '/forgot', '/verify', '/reset/x', '/login?error=sso']) {
      const { headers, text } = await get(at);
      const policy = String(headers['content-security-policy']);
      expect(policy).toMatch(
        /^default-src 'self';img-src 'self' data:;style-src 'self'( 'sha256-[^']+')+;object-src 'none';base-uri 'none';frame-ancestors 'none';form-action 'self';script-src 'self';connect-src 'self'$/,
      );
      expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|\son\w+=|style="/);
    }
    for (const at of ['/api/docs', '/api/openapi.json'])
      expect((await get(at)).headers['content-security-policy']).not.toContain('unsafe');
  });

  it('F1, F3, F4, F5, F6: are on the answers of all kinds of routes, and on refusals of malformed HTTP', async () => {
    const secure = await serving({ environment: { PUBLIC_URL: 'https://charter.example' } });
    const file = /\/assets\/[\w.-]+\.js/.exec((await secure.ask('GET', '/', html)).text)![0];
    const answers = [];
    for (const at of [
      '/',
      '/login',
      '/reset/x',
      file,
      '/api/v1/me',
      '/api/docs',
      '/nowhere',
      '/health/live',
      '/charter.css',
      '/org/1',
    ])
      answers.push(await secure.ask('GET', at, html));
    answers.push(await secure.ask('POST', '/login', { body: {} }));
    for (const { headers } of answers) {
      expect(headers).toMatchObject({
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'x-frame-options': 'DENY',
      });
      expect(headers['x-powered-by'] ?? headers['server']).toBeUndefined();
    }
    for (const { headers, status } of answers.filter((one) => one.status !== 302 && one.status !== 204))
      expect([status, String(headers['content-type'])]).toEqual([status, expect.stringMatching(/charset=utf-8/)]);

    // Bytes that are not HTTP have no path; Node answers them before any route.
    for (const [first, status] of [
      ['GET / HTTP/7.7', 400],
      ['FETCH / HTTP/1.1', 501],
      [`GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}`, 431],
    ] as const) {
      const answer = await sendRaw(secure.url, `${first}\r\nHost: x\r\n\r\n`);
      expect(answer).toMatchObject({
        status,
        headers: {
          'strict-transport-security': 'max-age=31536000; includeSubDomains',
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
          'cross-origin-resource-policy': 'same-origin',
          'cache-control': 'no-store',
        },
      });
    }
    await secure.close();
  });

  it('B10: forbid caching the page of a reset link, and sending its URL as Referer', async () => {
    const { headers } = await get('/reset/some-token');
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  });

  it('let browsers cache a built file permanently, and name an encoding that the client accepts', async () => {
    const { text } = await get('/');
    const file = /\/assets\/sign-in-[\w.-]+\.js/.exec(text)![0];
    const answer = await served.ask('GET', file);
    expect(answer.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      vary: 'Accept-Encoding',
    });
    const packed = async (encoding: string) =>
      (await served.ask('GET', file, { headers: { 'Accept-Encoding': encoding } })).headers['content-encoding'];
    expect(await packed('gzip, deflate, br')).toBe('br');
    expect(await packed('gzip')).toBe('gzip');
    expect(await packed('identity')).toBeUndefined();
    expect(served.runtime.pages!.files.size).toBeGreaterThan(3);
    for (const { plain, br, gz } of served.runtime.pages!.files.values()) {
      if (br) expect(brotliDecompressSync(br()).equals(plain())).toBe(true);
      if (gz) expect(gunzipSync(gz()).equals(plain())).toBe(true);
    }
    expect((await served.ask('GET', '/assets/../manifest.json')).status).toBe(404);
  });
});
