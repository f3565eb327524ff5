import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { type Reply, answerCalls, fields, logIn } from './browser/page-actions';
import { expectSeen } from './browser/visible-text';
import { eventually } from './browser/eventually';
import { staged } from './browser/stage';

const stage = staged();
const ada = { email: 'ada@northwind.example', password: 'lighthouse marmalade seventeen', name: 'Ada Lovelace' };
const SENT = 'Password reset link has been sent to your email.';
let organization: string;

beforeAll(async () => {
  const member = await stage.service.settle(ada);
  organization = await stage.service.organization({
    name: 'Northwind',
    commands: [{ type: 'AddMember', data: { member, role: 'owner' } }],
  });
});

async function signedIn() {
  const visit = await stage.visit('/login');
  await logIn(visit.page, ada.email, ada.password);
  await visit.page.waitForURL((url) => url.pathname !== '/login');
  await following(visit.page);
  return visit;
}

/**
 * Waits until the overview gets live updates. A wait for an idle network would never end, because the request for live
 * updates does not end.
 */
const following = (page: Page) => page.getByText('live', { exact: true }).waitFor();

describe('F2, F8: The content security policy', () => {
  it('is strict, and no page of this test violates it, not even the page of the API reference', async () => {
    const visit = await signedIn();
    const { page } = visit;
    for (const path of ['/', `/org/${organization}/overview`, '/api/docs', '/no/such/page']) {
      const response = await page.goto(path);
      const policy = response!.headers()['content-security-policy'] ?? '';
      for (const rule of [
        "default-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "form-action 'self'",
      ])
        expect([path, policy]).toEqual([path, expect.stringContaining(rule)]);
      const scripts = /script-src[^;]*/.exec(policy)?.[0] ?? /default-src[^;]*/.exec(policy)?.[0];
      expect(scripts).not.toMatch(/unsafe-inline|unsafe-eval|\*|https?:/);
      if (path === '/' || path.endsWith('/overview')) await following(page);
      else await page.waitForLoadState('networkidle');
    }
    await page.context().clearCookies();
    for (const path of ['/login', '/forgot', '/reset/abc', '/login?error=sso&from_rns']) {
      await page.goto(path);
      await page.waitForLoadState('networkidle');
    }
  });
});

describe('F7: Framing from another origin', () => {
  let framer: Server;
  beforeAll(async () => {
    framer = createServer((request, response) => {
      const framed = request.url === '/inner' ? undefined : decodeURIComponent(request.url!.slice(1));
      response.setHeader('Content-Type', 'text/html');
      response.end(framed === undefined ? '<p>inner</p>' : `<!doctype html><iframe src="${framed}"></iframe>`);
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => framer.once('listening', resolve));
  });
  afterAll(() => framer.close());

  it.each(['/login', '/forgot', '/'])('is blocked for the page %s', async (path) => {
    const visit = await stage.visit('/login');
    const origin = `http://127.0.0.1:${(framer.address() as AddressInfo).port}`;
    visit.maySee(origin);
    const expectFramed = async (address: string, shown: string) => {
      await visit.page.goto(`${origin}/${encodeURIComponent(address)}`);
      // the browser creates the frame before it loads the content
      await eventually(() => expect(visit.page.frames()[1]?.url()).toBe(shown));
    };
    // proves that the check can fail: the framing server can frame its own page
    await expectFramed(`${origin}/inner`, `${origin}/inner`);
    await expectFramed(`${stage.service.url}${path}`, 'chrome-error://chromewebdata/');
    await eventually(() => expect(visit.complaints.join()).toContain('frame-ancestors'));
    visit.complaints.splice(0);
  });
});

describe('F9: The sign-in form', () => {
  it('supports password managers, and accepts a pasted text', async () => {
    const { page } = await stage.visit('/login');
    const { username, password } = fields(page);
    expect(await password.getAttribute('type')).toBe('password');
    expect(await password.getAttribute('autocomplete')).toBe('current-password');
    expect(await username.getAttribute('autocomplete')).toBe('username');
    await username.fill('copied text 17');
    await username.focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('ControlOrMeta+c');
    await password.focus();
    await page.keyboard.press('ControlOrMeta+v');
    expect(await password.inputValue()).toBe('copied text 17');
  });

  it('L8: sends only one request after a double click, and after two presses of Enter', async () => {
    for (const twice of ['dblclick', 'Enter'] as const) {
      const visit = await stage.visit('/login');
      const sent = await answerCalls(visit, '/login', () => pause(300, { status: 401 }));
      const { username, password, logIn: button } = fields(visit.page);
      await username.fill('ada');
      await password.fill('correct horse');
      if (twice === 'dblclick') await button.dblclick();
      else {
        await password.press('Enter');
        await password.press('Enter');
      }
      await expectSeen(visit.page, 'Incorrect username or password.');
      await visit.page.waitForLoadState('networkidle');
      expect([twice, sent.length]).toEqual([twice, 1]);
    }
  });

  it('lets a person sign in and reach the overview with the keyboard alone', async () => {
    const { page } = await stage.visit('/login');
    await eventually(async () => expect(await page.evaluate('document.activeElement.name')).toBe('username'));
    await page.keyboard.type(ada.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(ada.password);
    const order = [];
    for (let step = 0; step < 6; step += 1) {
      await page.keyboard.press('Tab');
      order.push(
        await page.evaluate('document.activeElement.getAttribute("aria-label") ?? document.activeElement.id ?? ""'),
      );
      order[step] ||= await page.evaluate('document.activeElement.textContent.trim()');
    }
    expect(order).toEqual([
      ...['Show password', 'Forgot your password?', 'Log in'],
      ...['Sign in with Google', 'Sign in with single sign-on', 'language'],
    ]);
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname.startsWith('/org/'));
    await expectSeen(page, 'Northwind');
  });

  it('shows the password on demand, and hides the password again when the person submits the form', async () => {
    const visit = await stage.visit('/login');
    const { password, logIn: button } = fields(visit.page);
    await answerCalls(visit, '/login', new Promise<Reply>(() => undefined));
    await password.fill('correct horse');
    await visit.page.getByRole('button', { name: 'Show password' }).click();
    expect(await password.getAttribute('type')).toBe('text');
    await button.click();
    await eventually(async () => expect(await password.getAttribute('type')).toBe('password'));
  });
});

describe('B14: /forgot shows the usual text if the service fails or is slow', () => {
  const replies: readonly [what: string, reply: Reply | (() => Promise<Reply>)][] = [
    ['the network is cut', 'no network'],
    ['500', { status: 500 }],
    ['404', { status: 404 }],
    ['10 s delay', () => pause(10_000, { status: 204 })],
  ];
  it.each(replies.map(([what, reply]) => ({ what, reply })))('$what', async ({ reply }) => {
    const visit = await stage.visit('/forgot');
    await answerCalls(visit, '/forgot', reply);
    await fields(visit.page).email.fill('ada@northwind.example');
    await fields(visit.page).send.click();
    await eventually(() => visit.page.getByText(SENT, { exact: true }).waitFor(), 20_000);
    expect(await visit.page.locator('h1').innerText()).toBe('Forgot your password?');
  });
});

describe('Signing out', () => {
  const signOut = async ({ page, requests, mayFail }: Awaited<ReturnType<typeof signedIn>>) => {
    // parts of the page may still load when the session ends
    for (const request of requests) mayFail(new URL(request.url()).pathname, 401);
    await page.getByRole('button', { name: 'Ada Lovelace' }).click();
    const answered = page.waitForResponse((response) => new URL(response.url()).pathname === '/logout');
    await page.getByRole('menuitem', { name: 'Log out', exact: true }).click();
    return answered;
  };

  it('C4: leads to the sign-in page, and makes the session cookie invalid', async () => {
    const visit = await signedIn();
    const cookies = await visit.context.cookies();
    const session = cookies.find(({ name }) => name === 'charter')!;
    expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/', domain: 'localhost' });
    expect((await signOut(visit)).status()).toBe(204);
    await expectSeen(visit.page, 'Welcome back to Pulse,');
    const replay = await stage.visit('/login', { before: ({ context }) => context.addCookies(cookies) });
    expect((await replay.context.request.get('/api/v1/organizations?limit=1')).status()).toBe(401);
    await replay.page.goto('/');
    await expectSeen(replay.page, 'Welcome back to Pulse,');
  });

  it('C14: clears the site’s data; before and after, the browser’s storage contains no secret and no personal data', async () => {
    const visit = await signedIn();
    const stored = () =>
      visit.page.evaluate<string>('JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])');
    const secrets = async () => [
      ada.email,
      ada.password,
      ada.name,
      ...(await visit.context.cookies()).map(({ value }) => value),
    ];
    for (const secret of await secrets()) expect(await stored()).not.toContain(secret);
    const answer = await signOut(visit);
    expect((await answer.allHeaders())['clear-site-data']).toMatch(/"(cache|storage|\*)"/);
    await expectSeen(visit.page, 'Welcome back to Pulse,');
    expect(await stored()).not.toMatch(/northwind|Lovelace/i);
  });

  it('C13: makes the back button show the sign-in page instead of the console', async () => {
    const visit = await signedIn();
    await signOut(visit);
    await expectSeen(visit.page, 'Welcome back to Pulse,');
    await visit.page.goBack();
    await expectSeen(visit.page, 'Welcome back to Pulse,');
  });
});

describe('C3: Signing in', () => {
  it('replaces the session and the XSRF token; cookies from before the sign-in do not sign another browser in', async () => {
    const visit = await stage.visit('/login');
    const before = await visit.context.cookies();
    await logIn(visit.page, ada.email, ada.password);
    await visit.page.waitForURL((url) => url.pathname !== '/login');
    const after = await visit.context.cookies();
    const valueOf = (cookies: typeof before, name: string) => cookies.find((cookie) => cookie.name === name)?.value;
    for (const name of ['charter', 'XSRF-TOKEN']) expect(valueOf(after, name)).not.toBe(valueOf(before, name));
    const other = await stage.visit('/login', { before: ({ context }) => context.addCookies(before) });
    expect((await other.context.request.get('/api/v1/organizations?limit=1')).status()).toBe(401);
  });
});

describe('E5: A redirect to a page that must not be a target', () => {
  const auditor = { email: 'grace@northwind.example', password: 'lighthouse marmalade seventeen' };
  beforeAll(() => stage.service.settle({ ...auditor, role: 'auditor' }));

  it.each(['/login', '/login?redirect=/login', '/logout', '/reset/abc', '/api/v1/me', '/auth/sso/none'])(
    'causes no loop, and the person stays signed in: %s',
    async (target) => {
      const visit = await stage.visit(`/login?redirect=${encodeURIComponent(target)}`);
      const { page, context, requests } = visit;
      for (const path of ['/logout', '/auth/sso/none', '/api/v1/me']) visit.mayFail(path);
      await logIn(page, auditor.email, auditor.password);
      await page.waitForURL((url) => url.searchParams.get('redirect') !== target);
      await page.waitForLoadState('networkidle');
      const pages = requests.filter((request) => request.isNavigationRequest()).length;
      expect(pages).toBeLessThanOrEqual(1 + 3);
      const list = await context.request.get('/api/v1/organizations?limit=1');
      expect(list.status()).toBe(200);
    },
  );
});
