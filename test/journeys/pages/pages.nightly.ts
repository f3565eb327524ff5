import { servePages } from '../../support/pages/built-pages';
import { answering, NORTHWIND, people, sampleDocument } from './samples';
import { eventually } from '../browser/eventually';
import { expectSeen } from '../browser/visible-text';
import { lengthenTexts } from './longer-texts';
import { expectAccessible, reach } from './reached-state';
import { opensAccountMenu } from './page-state';
import { pageStates } from './page-states';
import { staged } from '../browser/stage';
import { violationsOn } from '../browser/violations';

const stage = staged(servePages);
const wideAndLight = { colorScheme: 'light', width: 1280 } as const;
const narrowAndDark = { colorScheme: 'dark', width: 320 } as const;

describe('A page in two windows (wide and light, narrow and dark)', () => {
  // Neighbouring states in the list share most elements, so this spec opens every 32nd state. axe checks it in one
  // of two combinations of theme and width. `page-states.nightly.ts` checks each state in all four combinations.
  const opened = pageStates.filter((_, index) => index % 32 === 0);
  for (const [index, state] of opened.entries()) {
    it(`${state.name}: passes axe in one of them, and scrolls sideways in neither`, async () => {
      const { page } = await reach(stage, state);
      const [checked, other] = index % 2 === 0 ? [wideAndLight, narrowAndDark] : [narrowAndDark, wideAndLight];
      await expectAccessible(page, [{ ...checked, rules: 'everything' }, other]);
    });
  }

  it('fails the accessibility check if the test plants a contrast fault', async () => {
    const { page } = await reach(stage, pageStates[0]!);
    await page.evaluate('document.querySelector("h1").style.color = "#eee"');
    expect((await violationsOn(page)).join()).toContain('color-contrast');
  });
});

it('The log-in page shows the picture beside its form only in wide windows, in the colours of the theme', async () => {
  stage.service.become({});
  const { page } = await stage.visit('/', {});
  const panel = page.locator('.showcase');
  const background = () => page.evaluate('getComputedStyle(document.querySelector(".showcase")).backgroundColor');
  expect(await background()).toBe('rgb(0, 56, 61)');
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await background()).toBe('rgb(5, 38, 42)');
  expect(await panel.locator('svg').isVisible()).toBe(true);
  await page.setViewportSize({ width: 959, height: 800 });
  expect(await panel.isVisible()).toBe(false);
});

describe('A page with text 40 % longer and spaced-out letters', () => {
  it.each(['/?from_rns&error=account', '/forgot', '/reset/a-token', '/me', `/org/${NORTHWIND}/overview`])(
    '%s: does not scroll sideways',
    async (path) => {
      const isConsole = /^[/](me|org)/.test(path);
      stage.service.become({
        facts: { product: 'Pülsé Àñàlÿtîçš' },
        signedIn: isConsole,
        ...(isConsole && { answer: answering(people.ada) }),
      });
      const { page } = await stage.visit(path, { width: 320 });
      await page.waitForLoadState('networkidle'); // the script has loaded, and the page is complete
      await page.locator('h1').waitFor();
      await lengthenTexts(page);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    },
  );
});

it('The reset page sends a new password again if the service refuses the first XSRF token and sends a new one', async () => {
  const refused = {
    status: 403,
    body: { type: '/problems/xsrf' },
    headers: { 'Set-Cookie': 'XSRF-TOKEN=another-token; Path=/; SameSite=Lax' },
  };
  const before = stage.service.called.length;
  stage.service.become({ answer: () => (stage.service.called.length > before + 1 ? { status: 204 } : refused) });
  const { page } = await stage.visit('/reset/a-token', { before: async ({ mayFail }) => mayFail('/reset') });
  await page.fill('#new-password', 'correct horse battery');
  await page.keyboard.press('Enter');
  await expectSeen(page, 'Your password has been changed. Log in with the new one.');
  expect(stage.service.called.slice(before).map(({ xsrf }) => xsrf)).toEqual(['a-token', 'another-token']);
});

describe('The console', () => {
  it('opens the organization at once if the person has only one organization', async () => {
    stage.service.become({ signedIn: true, answer: answering(people.ada) });
    const { page } = await stage.visit('/');
    await page.waitForURL(/\/org\/[^/]+\/overview$/);
    await expectSeen(page, 'Northwind GmbH');
  });

  it('sends the only request for the organization before the script of the console has arrived', async () => {
    stage.service.become({ signedIn: true, answer: answering(people.ada) });
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const before = stage.service.called.length;
    const asked = () =>
      stage.service.called.slice(before).filter(({ path }) => path === `/api/v1/organizations/${NORTHWIND}`).length;
    const { page } = await stage.visit(`/org/${NORTHWIND}/overview`, {
      until: 'commit',
      before: (visit) =>
        visit.page.route(/\/console-[^/]*\.js$/, async (route) => {
          await promise;
          await route.continue();
        }),
    });
    await eventually(() => expect(asked()).toBe(1));
    resolve(undefined);
    await expectSeen(page, 'Northwind GmbH');
    expect(asked()).toBe(1);
  });

  it.each(['Northwind GmbH', 'Northwind Gesellschaft für Beratung und Vertrieb mbH'])(
    'shows the header of %s in two rows on a narrow screen: product and organization, then tools and account',
    async (name) => {
      const document = { status: 200, body: { ...sampleDocument, name } };
      stage.service.become({
        ...{ signedIn: true, facts: { account: people.ada.id, 'account-name': 'Ada Jansen' } },
        answer: answering(people.ada, ({ path }) => (path.endsWith(NORTHWIND) ? document : undefined)),
      });
      const { page } = await stage.visit(`/org/${NORTHWIND}/overview`, { width: 320 });
      await page.locator('header p', { hasText: name }).waitFor();
      await page.locator('header [data-state=polling]').waitFor();
      const rows = await page.evaluate<readonly number[]>(
        `[...document.querySelectorAll('header > :is(a, p:first-of-type, span, div)')]
          .map((one) => one.getBoundingClientRect())
          .map(({ top, bottom }) => (top + bottom) / 2)`,
      );
      const [brand, organization, tools, account] = rows;
      expect([brand! - organization!, tools! - account!]).toEqual([0, 0]);
      expect(tools! - brand!).toBeGreaterThanOrEqual(36); // at least the height of a button
    },
  );

  it('shows a button of 24 px that explains the open time bar, in wide and in narrow windows', async () => {
    stage.service.become({ signedIn: true, answer: answering(people.ada) });
    const { page } = await stage.visit(`/org/${NORTHWIND}/overview`);
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await page.getByRole('button', { name: 'Look back' }).click();
      const { width: wide, height: high } = (await page.locator('summary', { hasText: '?' }).boundingBox())!;
      expect({ width, wide, high }).toEqual({ width, wide: 24, high: 24 });
      await page.getByRole('button', { name: 'Look back' }).click();
    }
  });

  it('redirects a signed-out person to the log-in page, which shows a message', async () => {
    stage.service.become({ signedIn: true, answer: () => ({ status: 401, body: {} }) });
    const { page } = await stage.visit('/org/7c1e52f0-4b1d-4a57-9d0e-2f3b9a6c1d10/overview?a=b', {
      before: async ({ mayFail, page: before }) => {
        for (const at of ['', '/entitlements', '/standing'])
          mayFail(`/api/v1/organizations/7c1e52f0-4b1d-4a57-9d0e-2f3b9a6c1d10${at}`);
        for (const at of ['/api/v1/me', '/api/v1/catalogue']) mayFail(at);
        await before.context().clearCookies();
      },
    });
    await page.waitForURL(/\/login\?redirect=%2Forg%2F7c1e52f0-4b1d-4a57-9d0e-2f3b9a6c1d10%2Foverview%3Fa%3Db$/);
    await expectSeen(page, 'You have been logged out. Log in again.');
  });

  it('logs out by a POST request that loads a new page', async () => {
    stage.service.become({ signedIn: true, answer: answering(people.ada) });
    const { page } = await stage.visit('/me');
    await opensAccountMenu(page);
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.waitForURL('**/login');
    const out = stage.service.called.findLast(({ path }) => path === '/logout');
    expect(out).toMatchObject({ method: 'POST', xsrf: 'a-token' });
  });

  it('keeps the colour theme that a person chooses by keyboard, even before the script of the next page runs', async () => {
    stage.service.become({ signedIn: true, answer: answering(people.ada) });
    const { page } = await stage.visit('/me', { theme: 'light' });
    const isDark = () =>
      eventually(async () =>
        expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(10, 15, 19)'),
      );
    await page.locator('header [aria-haspopup=menu]').press('Enter');
    await page.keyboard.press('d');
    await page.keyboard.press('Enter');
    await isDark();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    await page.route(/\/console-[^/]*\.js$/, async (route) => {
      await promise;
      await route.continue();
    });
    await page.reload({ waitUntil: 'commit' });
    await isDark();
    resolve(undefined);
    await expectSeen(page, 'Safari on iPhone');
  });

  it('changes the password, and stores neither the old nor the new password in the browser', async () => {
    stage.service.become({ signedIn: true, answer: answering(people.ada) });
    const { page } = await stage.visit('/me');
    await page.fill('#current-password', 'correct horse battery');
    await page.fill('#new-password', 'staple of the horse');
    await page.getByRole('button', { name: 'Change password' }).click();
    await expectSeen(page, 'Your password has been changed. All other sessions have ended.');
    const body = { current: 'correct horse battery', password: 'staple of the horse' };
    expect(stage.service.called).toContainEqual({ method: 'PUT', path: '/api/v1/me/password', body, xsrf: 'a-token' });
    expect(await page.inputValue('#new-password')).toBe('');
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).not.toContain('horse');
  });

  it('requires the password before it ends all other sessions', async () => {
    stage.service.become({ signedIn: true, answer: answering(people.ada) });
    const { page } = await stage.visit('/me');
    await page.getByRole('button', { name: 'End all other sessions' }).click();
    await page.fill('#end-others-password', 'correct horse battery');
    await page.keyboard.press('Enter');
    await expectSeen(page, 'All other sessions have ended.');
    expect(stage.service.called).toContainEqual({
      method: 'POST',
      path: '/api/v1/me/sessions/end-others',
      body: { password: 'correct horse battery' },
      xsrf: 'a-token',
    });
  });

  it('filters features by name and by their state', async () => {
    stage.service.become({ signedIn: true, answer: answering(people.ada) });
    const { page } = await stage.visit('/');
    await page.getByLabel('Filter features').fill('feedback');
    expect(await page.locator('tbody tr').count()).toBe(4);
    await page.getByLabel('On', { exact: true }).check();
    await expectSeen(page, 'No feature matches. Clear filter');
    await page.getByRole('button', { name: 'Clear filter' }).click();
    await eventually(async () => expect(await page.locator('tbody tr').count()).toBe(17));
  });
});
