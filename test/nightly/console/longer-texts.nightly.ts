import type { Page } from 'playwright-core';
import { eventually } from '../../journeys/browser/eventually';
import { staged } from '../../journeys/browser/stage';
import { lengthenTexts } from '../../journeys/pages/longer-texts';
import { pageStates } from '../../journeys/pages/page-states';
import { expectAccessible, overflow, reach } from '../../journeys/pages/reached-state';
import { servePages } from '../../support/pages/built-pages';

const stage = staged(servePages);

const reached = async (name: string) => {
  const state = pageStates.find((one) => one.name === name);
  if (!state) throw new Error(`There is no state ${name}.`);
  const { page } = await reach(stage, state);
  await page.waitForLoadState('networkidle');
  return page;
};
/** The elements without child elements that extend beyond the window. A failed test prints them. */
const beyond = (page: Page) =>
  page.evaluate<readonly string[]>(
    `[...document.querySelectorAll('body *')]
      .filter((one) => one.childElementCount === 0 && one.getBoundingClientRect().right > innerWidth)
      .map((one) => [one.tagName, one.className, one.textContent.slice(0, 40)].join(' '))`,
  );

describe('A page with text 40 % longer and spaced-out letters', () => {
  it.each([
    'console-bar-by-time',
    'console-bar-highlight',
    'console-history',
    'console-members',
    'console-members-past',
    'console-plan',
    'console-proof-server',
  ])('%s: does not scroll sideways', async (name) => {
    const page = await reached(name);
    await lengthenTexts(page);
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 800 });
      if ((await overflow(page)) > 0) expect({ width, beyond: await beyond(page) }).toEqual({ width, beyond: [] });
      expect(await overflow(page)).toBe(0);
    }
  });
});

describe('A page that runs from right to left', () => {
  it('mirrors the layout and the arrow keys of the slider, passes axe, and does not scroll sideways', async () => {
    const page = await reached('console-overview-past-open');
    await page.evaluate("document.documentElement.dir = 'rtl'");
    const middle = async (selector: string) => {
      const { x, width } = (await page.locator(selector).first().boundingBox())!;
      return x + width / 2;
    };
    expect(await middle('nav')).toBeGreaterThan(await middle('main'));

    const slider = page.getByRole('slider');
    await slider.focus();
    const before = Number(await slider.inputValue());
    await page.keyboard.press('ArrowLeft');
    await eventually(async () => expect(Number(await slider.inputValue())).toBe(before + 1));
    await page.keyboard.press('ArrowRight');
    await eventually(async () => expect(Number(await slider.inputValue())).toBe(before));
    await expectAccessible(page, [
      { colorScheme: 'light', width: 1280, rules: 'everything' },
      { colorScheme: 'light', width: 320, rules: 'everything' },
    ]);
  });
});
