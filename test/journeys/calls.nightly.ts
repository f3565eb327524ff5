import type { Page } from 'playwright-core';
import { type Reply, answerCalls, arrivals, fields, answerLater, logIn } from './browser/page-actions';
import { expectSeen, expectUnseen } from './browser/visible-text';
import { eventually } from './browser/eventually';
import { staged, type Visit } from './browser/stage';

const stage = staged();
const LOGIN_ERROR = 'Incorrect username or password.';
const SENT = 'Password reset link has been sent to your email.';

const token = async ({ context }: Visit) =>
  (await context.cookies()).find(({ name }) => name === 'XSRF-TOKEN')?.value ?? 'none';

const forget = async (page: Page) => {
  await fields(page).email.fill('ada@northwind.example');
  await fields(page).send.click();
};

describe('Calls of the sign-in pages (specification 7)', () => {
  it('POST /login sends JSON {username, password}; on 2xx the browser redirects', async () => {
    for (const status of [200, 201, 204, 299]) {
      const visit = await stage.visit('/login?redirect=/sites');
      const sent = await answerCalls(visit, '/login', { status });
      await logIn(visit.page, 'ada@northwind.example', '  correct horse ');
      await eventually(() => expect(visit.page.url()).toBe(`${stage.service.url}/sites`));
      expect(sent.map((request) => request.postDataJSON() as unknown)).toEqual([
        { username: 'ada@northwind.example', password: '  correct horse ' },
      ]);
    }
  });

  it('POST /login: the page does not read the response body', async () => {
    const visit = await stage.visit('/login');
    await visit.page.route('**/login', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 200, contentType: 'application/json', body: '{"error":"not {json' })
        : route.fallback(),
    );
    await logIn(visit.page, 'ada', 'correct horse');
    await eventually(() => expect(visit.page.url()).toBe(`${stage.service.url}/`));
  });

  it('POST /login: a sign-in that the service refuses shows the login error', async () => {
    // no reply is ordered, so the service itself refuses the sign-in
    const { page, mayFail } = await stage.visit('/login');
    mayFail('/login');
    await logIn(page, 'unknown@northwind.example', 'correct horse battery');
    await expectSeen(page, LOGIN_ERROR);
  });

  it('POST /forgot sends JSON {email}; the page does not read the response', async () => {
    const visit = await stage.visit('/forgot');
    const sent = await answerCalls(visit, '/forgot', { status: 200 });
    await forget(visit.page);
    await expectSeen(visit.page, SENT);
    expect(sent.map((request) => request.postDataJSON() as unknown)).toEqual([{ email: 'ada@northwind.example' }]);
  });

  it('POST /forgot: the page shows the usual text after a network failure', async () => {
    const visit = await stage.visit('/forgot');
    await answerCalls(visit, '/forgot', 'no network');
    await forget(visit.page);
    await expectSeen(visit.page, SENT);
  });

  it('GET /auth/go/{token} is a full-page redirect for Google sign-in, not a background call', async () => {
    const visit = await stage.visit('/login');
    const gone = await arrivals(visit, ({ pathname }) => pathname.startsWith('/auth/go'));
    await fields(visit.page).google.click();
    await eventually(() => expect(gone).toHaveLength(1));
    const [request] = visit.requests.filter((one) => new URL(one.url()).pathname.startsWith('/auth/go'));
    expect([request!.method(), request!.isNavigationRequest(), request!.postData()]).toEqual(['GET', true, null]);
  });

  it('Client defaults: a status above 299 is no success', async () => {
    for (const status of [300, 304, 400, 500]) {
      const visit = await stage.visit('/login');
      await answerCalls(visit, '/login', { status });
      await logIn(visit.page, 'ada', 'correct horse');
      await expectSeen(visit.page, LOGIN_ERROR, String(status));
    }
  });

  it('Client defaults: a call has no timeout', async () => {
    const visit = await stage.visit('/login');
    const { page } = visit;
    const reply = answerLater<Reply>();
    await page.clock.install();
    await answerCalls(visit, '/login', reply.value);
    await logIn(page, 'ada', 'correct horse');
    await eventually(async () => expect(await fields(page).logIn.getAttribute('aria-busy')).toBe('true'));
    await page.clock.fastForward('10:00:00');
    expect(await fields(page).logIn.getAttribute('aria-busy')).toBe('true');
    await expectUnseen(page, LOGIN_ERROR);
    reply.settle({ status: 204 });
    await eventually(() => expect(page.url()).toBe(`${stage.service.url}/`));
  });

  it.each([
    { path: '/login', call: (page: Page) => logIn(page, 'ada', 'correct horse') },
    { path: '/forgot', call: forget },
  ])('Client defaults: a call to $path sends and accepts JSON', async ({ path, call }) => {
    const visit = await stage.visit(path);
    const sent = await answerCalls(visit, path, { status: 401 });
    await call(visit.page);
    await eventually(() => expect(sent).toHaveLength(1));
    const headers = await sent[0]!.allHeaders();
    expect(headers['content-type']).toMatch(/^application\/json(; ?charset=utf-8)?$/i);
    expect(headers['accept']).toContain('application/json');
  });

  it.each([
    { path: '/login', call: (page: Page) => logIn(page, 'ada', 'correct horse') },
    { path: '/forgot', call: forget },
  ])(
    'Client defaults: a call to $path sends the value of the cookie XSRF-TOKEN in the header X-XSRF-TOKEN',
    async (one) => {
      const visit = await stage.visit(one.path);
      const sent = await answerCalls(visit, one.path, { status: 401 });
      const cookie = await token(visit);
      await one.call(visit.page);
      await eventually(() => expect(sent).toHaveLength(1));
      expect(cookie.length).toBeGreaterThan(32);
      expect(decodeURIComponent((await sent[0]!.allHeaders())['x-xsrf-token'] ?? '')).toBe(decodeURIComponent(cookie));
    },
  );
});

describe('Error messages of the sign-in pages (specification 8)', () => {
  const failures: readonly [what: string, reply: Reply, besides?: string][] = [
    ['401', { status: 401 }],
    ['400', { status: 400 }],
    ['403', { status: 403 }],
    ['429', { status: 429, headers: { 'Retry-After': '40' } }, 'Too many attempts. Try again in 40 seconds.'],
    [
      '429 for minutes',
      { status: 429, headers: { 'Retry-After': '900' } },
      'Too many attempts. Try again in 15 minutes.',
    ],
    ['429 without Retry-After', { status: 429 }, 'Too many attempts. Try again later.'],
    ['500', { status: 500 }, 'Pulse cannot answer at the moment. Try again in a few minutes.'],
    ['no network', 'no network', 'We could not reach Pulse. Check your connection and try again.'],
    ['an aborted request', 'aborted'],
  ];
  it.each(failures.map(([what, reply, besides]) => ({ what, reply, besides })))(
    "Any failure of POST /login shows 'Incorrect username or password.' ($what)",
    async ({ reply, besides }) => {
      const visit = await stage.visit('/login');
      await answerCalls(visit, '/login', reply);
      await logIn(visit.page, 'ada', 'correct horse');
      await expectSeen(visit.page, LOGIN_ERROR);
      expect((await fields(visit.page).alert.allTextContents()).join('').trim()).toBe(LOGIN_ERROR);
      if (besides) await expectSeen(visit.page, besides);
      expect(await fields(visit.page).logIn.isEnabled()).toBe(true);
    },
  );

  it.each([
    { error: 'google', message: 'Google sign-in failed.' },
    { error: 'sso', message: 'Single sign-on (SSO) failed.' },
    { error: 'account', message: "You don't seem to have access to any organization." },
  ])("The query error=$error shows '$message'", async ({ error, message }) => {
    const { page } = await stage.visit(`/login?error=${error}`);
    await expectSeen(page, message);
    expect((await fields(page).alert.allTextContents()).join('').trim()).toBe(message);
  });

  it('A new log-in attempt replaces the message that the query parameter `error` caused', async () => {
    const visit = await stage.visit('/login?error=google');
    await answerCalls(visit, '/login', { status: 401 });
    await logIn(visit.page, 'ada', 'correct horse');
    await expectSeen(visit.page, LOGIN_ERROR);
    await expectUnseen(visit.page, 'Google sign-in failed.');
  });

  it('A failed forgot-password call shows no error', async () => {
    const visit = await stage.visit('/forgot');
    await answerCalls(visit, '/forgot', { status: 500 });
    await forget(visit.page);
    await expectSeen(visit.page, SENT);
    expect((await fields(visit.page).alert.allTextContents()).join('').trim()).toBe('');
  });

  it('An aborted request causes no error in the console of the browser', async () => {
    const visit = await stage.visit('/login');
    await answerCalls(visit, '/login', answerLater<Reply>().value);
    await logIn(visit.page, 'ada', 'correct horse');
    await eventually(async () => expect(await fields(visit.page).logIn.getAttribute('aria-busy')).toBe('true'));
    await visit.page.goto('/forgot'); // leaving the page aborts the call: no message, no unhandled rejection
    expect(await visit.page.locator('h1').innerText()).toBe('Forgot your password?');
  });
});
