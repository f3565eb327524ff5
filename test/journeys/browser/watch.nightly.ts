import type { Page } from 'playwright-core';
import { staged } from './stage';
import { eventually } from './eventually';

const stage = staged();

/** Faults that must make every journey fail. For each fault, one test below causes the fault. */
const planted: readonly [what: string, script: string, complaint: string][] = [
  ['an error in the console', 'console.error("planted")', 'console: planted'],
  ['an uncaught exception', 'setTimeout(() => { throw new Error("planted") })', 'page: Error: planted'],
  ['an unhandled rejection', 'void Promise.reject(new Error("planted"))', 'page: Error: planted'],
  [
    'a violation of the policy',
    'document.body.append(Object.assign(document.createElement("script"), { textContent: "1" }))',
    'violates the following Content Security Policy',
  ],
  ['a request to an unknown origin', 'open("http://127.0.0.1:1/")', 'request: http://127.0.0.1:1/'],
  ['an answer that is an error', 'void fetch("/api/v1/nothing")', 'status of 404'],
];

describe('A journey', () => {
  it.each(planted.map(([what, script, complaint]) => ({ what, script, complaint })))(
    'fails after $what',
    async (one) => {
      const { page, complaints } = await stage.visit('/');
      await page.evaluate(`${one.script}; undefined`);
      await eventually(() => expect(complaints.join('\n')).toContain(one.complaint));
      complaints.splice(0); // the complaint was expected, so it must not fail this test
    },
  );

  it.each([
    [404, []],
    [500, [expect.stringContaining('status of 404')]],
  ])(
    'that permits only the status %i for a path gets the complaints %j after an answer with the status 404',
    async (status, expected) => {
      const { page, complaints, mayFail } = await stage.visit('/');
      mayFail('/api/v1/nothing', status);
      await page.evaluate('fetch("/api/v1/nothing").then(() => undefined)');
      await page.evaluate('console.error("the last message")');
      await eventually(() => expect(complaints.at(-1)).toContain('the last message'));
      expect(complaints.splice(0).slice(0, -1)).toEqual(expected);
    },
  );

  it('passes on a page without faults', async () => {
    const { page, complaints } = await stage.visit('/');
    await page.waitForLoadState('networkidle');
    expect(complaints).toEqual([]);
  });
});

describe('A browser window that two tests use', () => {
  const left =
    'JSON.stringify([localStorage.length, sessionStorage.length, name, document.cookie.split("=").length, innerWidth])';
  const routed = (page: Page) => page.route('**/forgot', (route) => route.fulfill({ body: 'routed' }));
  let fresh: unknown;

  it('gets storage, cookies and routes in the first test', async () => {
    const { page, context } = await stage.visit('/login');
    fresh = await page.evaluate(left);
    await page.evaluate(
      'localStorage.here = sessionStorage.here = name = "left"; document.cookie = "left=1"; undefined',
    );
    await context.addCookies([{ name: 'left', value: '1', domain: 'elsewhere.example', path: '/' }]);
    await page.setViewportSize({ width: 320, height: 800 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await routed(page);
    await context.route('**/reset/*', (route) => route.fulfill({ body: 'routed' }));
  });

  it('contains no storage, cookie, route or cached answer of the first test in the second test', async () => {
    const { page, context } = await stage.visit('/login');
    expect(await page.evaluate(left)).toBe(fresh);
    expect((await context.cookies()).map(({ name }) => name)).not.toContain('left');
    expect(await page.evaluate('matchMedia("(prefers-color-scheme: light)").matches')).toBe(true);
    const sizes = await page.evaluate<readonly number[]>(
      'performance.getEntriesByType("resource").map((one) => one.transferSize)',
    );
    expect(sizes).not.toEqual([]);
    expect(sizes).not.toContain(0); // a size of 0 means that the answer came from the cache
    for (const path of ['/forgot', '/reset/a-token']) {
      await page.goto(path);
      expect(await page.textContent('body')).not.toContain('routed');
    }
  });
});
