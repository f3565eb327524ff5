import { good, hostile } from '../support/requests/redirects';
import { fields, logIn } from './browser/page-actions';
import { startBuiltService } from './built-service';
import { type Visit, staged } from './browser/stage';

const HELP = 'https://help.example';
const stage = staged(() => startBuiltService({ REDIRECT_ORIGINS: HELP }));

/** For each value of `redirect`: the URL that the browser shows after the sign-in. */
async function ends({ page, context }: Visit, values: readonly string[]): Promise<Record<string, string>> {
  const isSignIn = ({ origin, pathname }: URL) => origin === stage.service.url && pathname === '/login';
  const signInPage = await withoutPrefetch();
  const session = await context.newCDPSession(page);
  session.on('Fetch.requestPaused', ({ requestId, request: { method, url } }) => {
    const shown = isSignIn(new URL(url)) ? signInPage : there;
    const answer = method === 'POST' ? { responseCode: 204 } : shown;
    void session.send('Fetch.fulfillRequest', { requestId, ...answer });
  });
  await session.send('Fetch.enable', { patterns: [...answered] });
  const found: Record<string, string> = {};
  for (const value of values) {
    await page.goto(`/login?redirect=${encodeURIComponent(value)}`, { waitUntil: 'domcontentloaded' });
    await fields(page).logIn.click();
    await page.waitForURL((url) => !isSignIn(url));
    found[value] = page.url();
  }
  await session.detach();
  return found;
}

/**
 * The requests that `ends` answers: the sign-in, and each page after it. A route of Playwright would stop all requests,
 * and would switch the browser's cache off. Each page would then load all scripts again.
 */
const answered = [
  { urlPattern: '*', resourceType: 'Document' },
  { urlPattern: '*/login', resourceType: 'XHR' },
] as const;

/**
 * The sign-in page of the service, without the names of the console's scripts. With these names, the browser would load
 * and compile the scripts during each sign-in.
 */
async function withoutPrefetch() {
  const answer = await fetch(`${stage.service.url}/login`);
  const text = await answer.text();
  const page = text.replace(/(<meta name="charter-next" content=")[^"]+/, '$1');
  expect(page).not.toBe(text);
  const sent = ['content-type', 'content-security-policy'].map((name) => ({ name, value: answer.headers.get(name)! }));
  return { responseCode: 200, responseHeaders: sent, body: Buffer.from(page).toString('base64') };
}

const there = {
  responseCode: 200,
  responseHeaders: [{ name: 'Content-Type', value: 'text/html' }],
  body: Buffer.from('<!doctype html><title>There</title>').toString('base64'),
};

const all = (values: readonly string[], wanted: (value: string) => string) =>
  Object.fromEntries(values.map((value) => [value, wanted(value)]));

describe('E: The target after signing in', () => {
  it('E1: is the page / for each of 40 hostile values of `redirect`', async () => {
    const home = `${stage.service.url}/`;
    const values = hostile(stage.service.url);
    expect(values).toHaveLength(40);
    const visit = await stage.visit('/login');
    expect(await ends(visit, values)).toEqual(all(values, () => home));
  });

  it('is loaded, although only the fragment of its address differs from the log-in page', async () => {
    const ada = { email: 'ada@fragment.example', password: 'correct horse battery staple' };
    await stage.service.settle(ada);
    const { page } = await stage.visit('/#top');
    await logIn(page, ada.email, ada.password);
    await page.getByRole('button', { name: 'Log out', exact: true }).waitFor({ timeout: 10_000 });
    expect(page.url()).toBe(`${stage.service.url}/#top`);
  });

  it('E1: stays on the origin if `redirect` contains encoded slashes', async () => {
    const visit = await stage.visit('/login');
    for (const [value, end] of Object.entries(
      await ends(visit, ['/%2fevil.example', '%2f%2fevil.example', '/%5cevil.example']),
    ))
      expect([value, new URL(end).origin]).toEqual([value, stage.service.url]);
  });

  it('E1: may be on an allowed origin; another scheme or port, a subdomain or a look-alike domain leads to /', async () => {
    const visit = await stage.visit('/login');
    visit.maySee(HELP);
    const alike = [
      'http://help.example',
      'https://help.example:8443/',
      'https://www.help.example/',
      'https://help.example.evil.example/',
      'https://help.example@evil.example/',
      'https://nothelp.example/',
    ];
    expect(await ends(visit, [HELP, `${HELP}/articles?id=1#top`, ...alike])).toEqual({
      [HELP]: `${HELP}/`,
      [`${HELP}/articles?id=1#top`]: `${HELP}/articles?id=1#top`,
      ...all(alike, () => `${stage.service.url}/`),
    });
  });

  it('E2: is the address in `redirect` if that address is valid, and / if `redirect` is empty', async () => {
    const visit = await stage.visit('/login');
    const wanted = (value: string) => `${stage.service.url}${value === '/a/b/../c' ? '/a/c' : value}`;
    expect(good).toHaveLength(8);
    expect(await ends(visit, good)).toEqual(all(good, wanted));
    expect(await ends(visit, [''])).toEqual({ '': `${stage.service.url}/` });
  });
});
