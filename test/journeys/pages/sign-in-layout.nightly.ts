import type { Page } from 'playwright-core';
import { type Answer, type PagesWish, servePages } from '../../support/pages/built-pages';
import { fields, logIn } from '../browser/page-actions';
import { type Visit, staged } from '../browser/stage';
import { expectSeen } from '../browser/visible-text';
import { expectAccessible, overflow } from './reached-state';

const invited = { organization: { id: '1', name: 'Northwind Feedback' }, inviter: 'Ada Lovelace', name: null };
const demo: PagesWish = {
  facts: { product: 'Pulse', demo: 'on' },
  answer: ({ path }) => (path === '/invitation' ? { status: 200, body: invited } : { status: 204 }),
};
let become: (wish: PagesWish) => void;
const stage = staged(async () => {
  const served = await servePages(demo);
  become = served.become;
  return served;
});
const paths = ['/login', '/forgot', '/reset/a-token', '/invitation/a-token', '/email/confirm/a-token'];
beforeEach(() => become(demo));

type Box = Readonly<{ top: number; bottom: number; left: number; right: number }>;
const boxes = (page: Page, selector: string) =>
  page.evaluate<readonly Box[]>(`[...document.querySelectorAll(${JSON.stringify(selector)})]
    .filter((one) => one.checkVisibility())
    .map((one) => one.getBoundingClientRect())
    .map(({ top, bottom, left, right }) => ({ top, bottom, left, right }))`);

/** How the content of `main` lies in the window, in pixels. */
async function placeOfContent(page: Page) {
  const [heading] = await boxes(page, 'h1');
  const [last] = await boxes(page, 'main > :last-child');
  const [bar] = await boxes(page, '[data-demo=on]');
  return { top: heading!.top - bar!.bottom, height: last!.bottom - heading!.top, bar: bar!.bottom };
}

describe('The content of a sign-in page', () => {
  it.each(paths)('is a little above the middle of the room below the bar, at every height: %s', async (path) => {
    const { page } = await stage.visit(path);
    for (const height of [720, 800, 900, 1080, 1200]) {
      await page.setViewportSize({ width: 1280, height });
      const { top, height: content, bar } = await placeOfContent(page);
      const middle = (top + content / 2) / (height - bar);
      expect({ height, middle: middle > 0.43 && middle < 0.49 ? 'above' : middle }).toEqual({
        height,
        middle: 'above',
      });
    }
  });

  it.each(paths)('begins directly below the name of the product in a low window: %s', async (path) => {
    const { page } = await stage.visit(path);
    for (const height of [300, 360]) {
      await page.setViewportSize({ width: 1280, height });
      // in one call, because the page may scroll to the focused field between two calls
      const [brand, heading] = await boxes(page, 'header, h1');
      expect([height, heading!.top - brand!.bottom]).toEqual([height, expect.closeTo(8, 0)]);
    }
  });
});

describe('A window of 1280 × 800 pixels', () => {
  it.each(['en', 'fi'])(
    'shows each sign-in page without scrolling, in light and dark colours: %s',
    async (language) => {
      for (const path of paths) {
        const { page } = await stage.visit(path);
        await page.selectOption('#language', language);
        await page.locator(`html[lang=${language}]`).waitFor();
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          const hidden = await page.evaluate('document.documentElement.scrollHeight - innerHeight');
          expect([path, colorScheme, hidden]).toEqual([path, colorScheme, 0]);
        }
      }
    },
  );
});

const windows = [
  [320, 640],
  [1280, 600],
  [1280, 800],
  [1920, 1080],
] as const;

describe('A message at the log-in form', () => {
  type Failure = number | 'cut';
  const refused = async (visit: Visit, failure: Failure) => {
    visit.mayFail('/login');
    const answer = failure === 'cut' ? failure : { status: failure, headers: { 'Retry-After': '900' } };
    become({ ...demo, answer: () => answer });
    await logIn(visit.page, 'ada', 'wrong');
    await expectSeen(visit.page, 'Incorrect username or password.');
  };

  it.each([401, 429, 503])('moves nothing of the heading and of the panel beside the form: %i', async (status) => {
    for (const [width, height] of windows) {
      become(demo);
      const visit = await stage.visit('/login');
      await visit.page.setViewportSize({ width, height });
      const still = () => boxes(visit.page, 'header, h1, h1 + p, .showcase-view, .showcase-view *');
      const before = await still();
      expect(before.length).toBeGreaterThan(width < 960 ? 2 : 40);
      await refused(visit, status);
      expect([width, height, await still()]).toEqual([width, height, before]);
    }
  });

  /** Opens the address in each window, and expects that a refused sign-in moves no field and no button. */
  const expectNoMove = async (address: string, failure: Failure) => {
    for (const [width, height] of windows) {
      become(demo);
      const visit = await stage.visit(address);
      await visit.page.setViewportSize({ width, height });
      const controls = () => boxes(visit.page, 'input, button, main a, select');
      const before = await controls();
      expect(before).toHaveLength(8);
      await refused(visit, failure);
      expect([width, height, await controls()]).toEqual([width, height, before]);
    }
  };

  it.each<Failure>([401, 429, 503, 'cut'])('moves neither a field nor a button: %s', (failure) =>
    expectNoMove('/login', failure),
  );

  it('moves nothing when it replaces a longer message from the address', () =>
    expectNoMove('/login?error=account&reason=limit-exceeded', 401));
});

describe('A message at the form for a new password', () => {
  const refused = (because: string) => ({ status: 400, body: { type: '/problems/password-refused', because } });
  const answers: readonly Answer[] = [refused('common'), refused('personal'), { status: 503 }, 'cut'];

  it.each([
    ['/reset/a-token', 'en'],
    ['/reset/a-token', 'fi'],
    ['/invitation/a-token', 'en'],
    ['/invitation/a-token', 'fi'],
  ])('moves no text, no field and no button: %s, %s', async (path, language) => {
    for (const [width, height] of windows) {
      become(demo);
      const visit = await stage.visit(path);
      const { page } = visit;
      visit.mayFail('/reset');
      await page.setViewportSize({ width, height });
      await page.selectOption('#language', language);
      await page.locator(`html[lang=${language}]`).waitFor();
      if (path.startsWith('/invitation')) await page.getByText('Lovelace').waitFor();
      const rest = () => boxes(page, 'header, h1, h1 + p, label, input, button, form > p, select');
      const before = await rest();
      const expectNoMove = async (message: string) => {
        await page.locator('[role=alert] p').waitFor();
        expect([width, height, message, await rest()]).toEqual([width, height, message, before]);
      };
      await fields(page).newPassword.press('Enter');
      await expectNoMove('too short');
      await fields(page).newPassword.fill('correct horse battery');
      await page.evaluate('scrollTo(0, 0)');
      for (const answer of answers) {
        become({ ...demo, answer: () => answer });
        await fields(page).newPassword.press('Enter');
        await page.locator('[type=submit][aria-busy=false]').waitFor();
        await page.evaluate('scrollTo(0, 0)');
        await expectNoMove(JSON.stringify(answer));
      }
    }
  });
});

describe('The sentence about the inviting person', () => {
  it.each(['en', 'fi'])('moves no field and no button when it arrives: %s', async (language) => {
    for (const [width, height] of windows) {
      become({ ...demo, answer: () => ({ status: 200, body: invited, delayMs: 2_000 }) });
      const { page } = await stage.visit('/invitation/a-token');
      await page.setViewportSize({ width, height });
      await page.selectOption('#language', language);
      await page.locator(`html[lang=${language}]`).waitFor();
      const rest = () => boxes(page, 'header, h1, label, input, button, form > p, select');
      const before = await rest();
      expect(await page.getByText('Lovelace').count()).toBe(0);
      await page.getByText('Lovelace').waitFor();
      expect([width, height, await rest()]).toEqual([width, height, before]);
    }
  });
});

describe('A sign-in page', () => {
  it.each([
    ['/login', '#password'],
    ['/reset/a-token', '#new-password'],
    ['/invitation/a-token', '#new-password'],
  ])('moves nothing when it says that Caps Lock is on: %s', async (path, field) => {
    const { page } = await stage.visit(path);
    const rest = () => boxes(page, 'label, input, button, main a, form > p, select');
    const before = await rest();
    await page.evaluate(`document.querySelector('${field}').dispatchEvent(
      new KeyboardEvent('keydown', { key: 'A', modifierCapsLock: true, bubbles: true }))`);
    await expectSeen(page, '⇪ Caps Lock is on.');
    expect(await rest()).toEqual(before);
  });

  it.each(paths)('has the bar of the demo across the window, and never scrolls sideways: %s', async (path) => {
    const { page } = await stage.visit(path);
    for (const width of [320, 640, 960, 1280, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      const [bar] = await boxes(page, '[data-demo=on]');
      expect([width, bar!.left, bar!.right, bar!.top]).toEqual([width, 0, width, 0]);
      expect([width, await overflow(page)]).toEqual([width, 0]);
    }
  });

  it.each(paths)('works at a zoom of 200 %%, and with letters of twice the size: %s', async (path) => {
    const { page } = await stage.visit(path);
    await page.setViewportSize({ width: 640, height: 400 }); // a zoom of 200 % makes this of 1280 × 800
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.evaluate('document.documentElement.style.fontSize = "200%"');
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    const cut = await page.evaluate<readonly string[]>(`[...document.querySelectorAll('main *, aside *')]
      .filter((one) => one instanceof HTMLElement && one.checkVisibility() && one.scrollWidth > one.clientWidth + 1)
      .filter((one) => getComputedStyle(one).overflow === 'hidden' && !one.matches('.unseen, .showcase-view'))
      .map((one) => one.outerHTML)`);
    expect(cut).toEqual([]);
  });

  it.each(paths)('passes axe in light, dark and forced colours: %s', async (path) => {
    const { page } = await stage.visit(path);
    await expectAccessible(page, [
      { colorScheme: 'light', width: 1280, rules: 'everything' },
      { colorScheme: 'dark', width: 1280, rules: 'everything' },
      { colorScheme: 'dark', width: 320, rules: 'everything' },
    ]);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ forcedColors: 'active' });
    const strokes = await page.evaluate<readonly string[]>(
      `['.showcase-limit', '.showcase-base'].map((one) => getComputedStyle(document.querySelector(one)).stroke)`,
    );
    const text = await page.evaluate<string>(`getComputedStyle(document.body).color`);
    expect(strokes).toEqual([text, text]);
  });

  it('has four sizes of text, with clear steps', async () => {
    const { page } = await stage.visit('/login');
    const sizes = await page.evaluate<readonly number[]>(`[...document.querySelectorAll('body *')]
      .filter((one) => one instanceof HTMLElement && one.checkVisibility() && !one.matches('.unseen, option'))
      .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''))
      .map((one) => parseFloat(getComputedStyle(one).fontSize))`);
    expect([...new Set(sizes)].sort((one, other) => one - other)).toEqual([14, 16, 20, 40]);
  });
});

describe('The panel beside the form', () => {
  const words = (page: Page) => page.locator('.showcase p:visible').allTextContents();

  it('says in the language of the page what the product does, also after a change of the language', async () => {
    const { page } = await stage.visit('/login');
    expect(await words(page)).toEqual([
      'Every limit has a reason.',
      'Every reason has a date.',
      'Pulse keeps each plan, add-on and limit of an organization, from the first day on.',
    ]);
    await page.selectOption('#language', 'fi');
    await expectSeen(page, 'Jokaisella rajalla on syy.');
    expect(await words(page)).toHaveLength(3);
    expect(await page.locator('.showcase text:visible').last().textContent()).toBe('7/8 käyttäjää');
  });

  it('draws its picture once, and only if the person has not asked for less motion', async () => {
    const { page } = await stage.visit('/login', {
      before: ({ page: opened }) => opened.emulateMedia({ reducedMotion: 'no-preference' }),
      until: 'commit',
    });
    await fields(page).logIn.waitFor();
    const counts = await page.evaluate<readonly number[]>(
      `document.getAnimations().map(({ effect }) => effect.getTiming().iterations)`,
    );
    expect(new Set(counts)).toEqual(new Set([1]));
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await page.evaluate(`document.getAnimations().length`)).toBe(0);
    expect(await fields(page).google.isVisible()).toBe(true);
  });
});
