import type { Page } from 'playwright-core';
import { staged } from '../browser/stage';
import { expectAccessible, overflow } from './reached-state';

const stage = staged();
const MEMBER = '#OrganizationController_addMember';
const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent.trim()');
const colours = (page: Page) =>
  page.evaluate<readonly string[]>(`['body', 'h2', '.calls'].flatMap((one) => {
    const { color, backgroundColor } = getComputedStyle(document.querySelector(one));
    return [color, backgroundColor];
  })`);

describe('The page of the API reference', () => {
  it('passes axe in light at 1280 px and in dark at 320 px, with all problems shown', async () => {
    const { page } = await stage.visit('/api/docs');
    await page.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true; })');
    await expectAccessible(page, [
      { colorScheme: 'light', width: 1280, rules: 'everything' },
      { colorScheme: 'dark', width: 320, rules: 'everything' },
    ]);
  }, 180_000);

  it('never scrolls sideways, also with letters of twice the size', async () => {
    const { page } = await stage.visit('/api/docs');
    for (const width of [320, 400, 640, 800, 960, 1199, 1280, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      expect([width, await overflow(page)]).toEqual([width, 0]);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.evaluate('document.documentElement.style.fontSize = "200%"');
    expect(await overflow(page)).toBe(0);
  });

  it('has the colours of the sign-in pages, and those that a person has chosen in the console', async () => {
    const visit = await stage.visit('/api/docs');
    const { page } = visit;
    const light = await colours(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    const dark = await colours(page);
    expect(dark.filter((colour, at) => colour === light[at]).length).toBeLessThan(3);
    await page.goto('/login');
    expect(dark).toContain(
      await page.evaluate<string>(`getComputedStyle(document.querySelector('.showcase')).backgroundColor`),
    );
    await page.emulateMedia({ colorScheme: 'light' });
    await page.evaluate(`localStorage.setItem('charter-theme', 'dark')`);
    await page.goto('/api/docs');
    expect(await colours(page)).toEqual(dark);
  });

  it('works with the keyboard alone: skips to the content, follows a link, and shows the problems of an operation', async () => {
    const { page } = await stage.visit('/api/docs');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to the content');
    expect((await page.locator('.skip').boundingBox())!.y).toBeGreaterThanOrEqual(0);
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('content');

    await page.locator(`.index a[href="${MEMBER}"]`).focus();
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).hash).toBe(MEMBER);
    const article = page.locator(MEMBER);
    expect((await article.boundingBox())!.y).toBeLessThan(100);
    await page.keyboard.press('Tab'); // the next focus is inside the operation
    expect(await page.evaluate(`document.querySelector('${MEMBER}').contains(document.activeElement)`)).toBe(true);

    await article.locator('summary').focus();
    expect(await article.getByText('The request is malformed').isVisible()).toBe(false);
    await page.keyboard.press('Enter');
    expect(await article.getByText('The request is malformed').isVisible()).toBe(true);
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
  });

  it('works without a script', async () => {
    const { page } = await stage.visit('/api/docs', { script: false });
    expect(await page.locator('h1').innerText()).toBe('The HTTP interface');
    expect(await page.locator(`${MEMBER} .calls`).innerText()).toContain('"type": "MemberAdded"');
  });
});

describe.each(['/problems', '/problems/limit-exceeded', '/problems/nonsense'])('The page %s', (path) => {
  it('passes axe in light and dark, and never scrolls sideways', async () => {
    const { page } = await stage.visit(path, { before: async ({ mayFail }) => mayFail(path) });
    await expectAccessible(page, [
      { colorScheme: 'light', width: 1280, rules: 'everything' },
      { colorScheme: 'dark', width: 320, rules: 'everything' },
    ]);
    for (const width of [320, 640, 960, 1280, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      expect([width, await overflow(page)]).toEqual([width, 0]);
    }
  });
});
