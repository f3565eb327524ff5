import { servePages } from '../../support/pages/built-pages';
import { answering, NORTHWIND, people } from './samples';
import { expectSeen } from '../browser/visible-text';
import { type PageState, pageStates } from './page-states';
import { staged, type Visit } from '../browser/stage';
import { violationsOn } from '../browser/violations';

const stage = staged(servePages);

/** Calls of a state may be refused, which the browser notes. */
async function reach({ path, act, seen, wish = {} }: PageState): Promise<Visit> {
  stage.house.become(wish);
  const visit = await stage.visit(path, {
    before: async ({ mayFail }) => {
      for (const at of ['/login', '/forgot', '/reset']) mayFail(at);
      const document = new URL(path, 'http://pages').pathname
        .replace('/org/', '/api/v1/organizations/')
        .replace(/\/overview$/, '');
      for (const at of [document, `${document}/entitlements`, '/api/v1/me', '/api/v1/organizations']) mayFail(at);
    },
  });
  await act?.(visit.page);
  await expectSeen(visit.page, seen);
  return visit;
}

describe('in light and dark, wide and narrow', () => {
  for (const state of pageStates) {
    it(`${state.name}: axe finds nothing, and nothing has to be scrolled sideways`, async () => {
      const { page } = await reach(state);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        for (const width of [1280, 320]) {
          await page.setViewportSize({ width, height: 800 });
          const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
          const found = {
            width,
            colorScheme,
            overflow,
            violations: await violationsOn(
              page,
              (width === 320) === (colorScheme === 'dark') ? 'everything' : 'colours',
            ),
          };
          expect(found).toEqual({ width, colorScheme, overflow: 0, violations: [] });
        }
      }
    });
  }

  it('a planted fault is found, so the run is known to be live', async () => {
    const { page } = await reach(pageStates[0]!);
    await page.evaluate('document.querySelector("h1").style.color = "#eee"');
    expect((await violationsOn(page)).join()).toContain('color-contrast');
  });
});

it('the picture beside the form is there where there is room, in the colours of the theme', async () => {
  stage.house.become({});
  const { page } = await stage.visit('/', {});
  const curve = () =>
    page.evaluate('getComputedStyle(document.querySelectorAll("[aria-hidden] > svg path")[5]).stroke');
  expect(await curve()).toBe('rgb(0, 129, 140)');
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await curve()).toBe('rgb(86, 196, 202)');
  await page.setViewportSize({ width: 959, height: 800 });
  expect(await page.locator('body > [aria-hidden]').isVisible()).toBe(false);
});

/** As in a language that needs 40 % more letters, all of them with accents: what was translated and what was filled in. */
const longer = `for (const walk = document.createTreeWalker(document.body, 4); walk.nextNode(); ) {
  const { currentNode: text } = walk;
  if (text.data.trim()) text.data = text.data.replace(/[a-z]/gi, '$&\u0301') + ' äéîöü'.repeat(Math.ceil((text.data.length * 0.4) / 6));
}`;
const spaced = `for (const one of document.querySelectorAll('body *')) {
  one.style.letterSpacing = '0.12em'; one.style.wordSpacing = '0.16em'; one.style.lineHeight = '1.5';
}`;

describe('with text 40 % longer, and letters spaced out', () => {
  it.each(['/?from_rns&error=account', '/forgot', '/reset/a-token', '/me', `/org/${NORTHWIND}/overview`])(
    '%s still needs no scrolling sideways',
    async (path) => {
      const isConsole = /^[/](me|org)/.test(path);
      stage.house.become({
        facts: { product: 'Pülsé Àñàlÿtîçš' },
        signedIn: isConsole,
        ...(isConsole && { answer: answering(people.ada) }),
      });
      const { page } = await stage.visit(path, { width: 320 });
      await page.waitForLoadState('networkidle'); // the script has taken over, and all is there
      await page.locator('h1').waitFor();
      await page.evaluate(longer);
      await page.evaluate(spaced);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    },
  );
});

it('a new password is saved although the token was another one: the refusal brought the one that counts', async () => {
  const refused = {
    status: 403,
    body: { type: '/problems/xsrf' },
    headers: { 'Set-Cookie': 'XSRF-TOKEN=another-token; Path=/; SameSite=Lax' },
  };
  const before = stage.house.called.length;
  stage.house.become({ answer: () => (stage.house.called.length > before + 1 ? { status: 204 } : refused) });
  const { page } = await stage.visit('/reset/a-token', { before: async ({ mayFail }) => mayFail('/reset') });
  await page.fill('#new-password', 'correct horse battery');
  await page.keyboard.press('Enter');
  await expectSeen(page, 'Your password has been changed. Log in with the new one.');
  expect(stage.house.called.slice(before).map(({ xsrf }) => xsrf)).toEqual(['a-token', 'another-token']);
});

describe('the console', () => {
  it('leads who belongs to one organization straight to it', async () => {
    stage.house.become({ signedIn: true, answer: answering(people.ada) });
    const { page } = await stage.visit('/');
    await page.waitForURL(/\/org\/[^/]+\/overview$/);
    await expectSeen(page, 'Northwind GmbH');
  });

  it('leads who is signed out to the log-in page, and says so', async () => {
    stage.house.become({ signedIn: true, answer: () => ({ status: 401, body: {} }) });
    const { page } = await stage.visit('/org/7c1e52f0-4b1d-4a57-9d0e-2f3b9a6c1d10/overview?a=b', {
      before: async ({ mayFail, page: before }) => {
        for (const at of ['', '/entitlements'])
          mayFail(`/api/v1/organizations/7c1e52f0-4b1d-4a57-9d0e-2f3b9a6c1d10${at}`);
        mayFail('/api/v1/me');
        await before.context().clearCookies();
      },
    });
    await page.waitForURL(/\/login\?redirect=%2Forg%2F7c1e52f0-4b1d-4a57-9d0e-2f3b9a6c1d10%2Foverview%3Fa%3Db$/);
    await expectSeen(page, 'You have been logged out. Log in again.');
  });

  it('logs out by POST, and by a full navigation', async () => {
    stage.house.become({ signedIn: true, answer: answering(people.ada) });
    const { page } = await stage.visit('/me');
    await page.locator('header summary').click();
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.waitForURL('**/login');
    const out = stage.house.called.findLast(({ path }) => path === '/logout');
    expect(out).toMatchObject({ method: 'POST', xsrf: 'a-token' });
  });

  it('changes the password, and leaves it nowhere', async () => {
    stage.house.become({ signedIn: true, answer: answering(people.ada) });
    const { page } = await stage.visit('/me');
    await page.fill('#current-password', 'correct horse battery');
    await page.fill('#new-password', 'staple of the horse');
    await page.getByRole('button', { name: 'Change password' }).click();
    await expectSeen(page, 'Your password has been changed. All other sessions have ended.');
    const body = { current: 'correct horse battery', password: 'staple of the horse' };
    expect(stage.house.called).toContainEqual({ method: 'PUT', path: '/api/v1/me/password', body, xsrf: 'a-token' });
    expect(await page.inputValue('#new-password')).toBe('');
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).not.toContain('horse');
  });

  it('asks for the password before all other sessions end', async () => {
    stage.house.become({ signedIn: true, answer: answering(people.ada) });
    const { page } = await stage.visit('/me');
    await page.getByRole('button', { name: 'End all other sessions' }).click();
    await page.fill('#end-others-password', 'correct horse battery');
    await page.keyboard.press('Enter');
    await expectSeen(page, 'All other sessions have ended.');
    expect(stage.house.called).toContainEqual({
      method: 'POST',
      path: '/api/v1/me/sessions/end-others',
      body: { password: 'correct horse battery' },
      xsrf: 'a-token',
    });
  });

  it('filters features by name and by whether they are on', async () => {
    stage.house.become({ signedIn: true, answer: answering(people.ada) });
    const { page } = await stage.visit('/');
    await page.getByLabel('Filter features').fill('feedback');
    expect(await page.locator('tbody tr').count()).toBe(4);
    await page.getByLabel('On', { exact: true }).check();
    await expectSeen(page, 'No feature matches. Clear filter');
    await page.getByRole('button', { name: 'Clear filter' }).click();
    expect(await page.locator('tbody tr').count()).toBe(17);
  });
});
