import type { Page } from 'playwright-core';
import { eventually } from '../../journeys/browser/eventually';
import { staged } from '../../journeys/browser/stage';
import { lengthenTexts } from '../../journeys/pages/longer-texts';
import { allStates } from '../../journeys/pages/night-states';
import { expectAccessible, overflow, reach } from '../../journeys/pages/reached-state';
import { servePages } from '../../support/pages/built-pages';

const stage = staged(servePages);
/** The height of two rows of the time bar in pixels: a sentence, and buttons that are 28 pixels high. */
const TWO_ROWS = 56;

const shown = async (name: string) => {
  const state = allStates.find((one) => one.name === name);
  if (!state) throw new Error(`There is no state ${name}.`);
  return (await reach(stage, state)).page;
};
const reached = async (name: string) => {
  const page = await shown(name);
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

describe('The closed time bar on a screen 320 pixels wide', () => {
  it.each([
    'console-overview-past',
    'console-overview-past-finnish',
    'console-bar-other-comparison-finnish',
    'console-live-new-event-finnish',
  ])('%s: has two rows at most', async (name) => {
    const page = await shown(name);
    await page.setViewportSize({ width: 320, height: 640 });
    const line = page.locator('section[aria-label] > [data-cut]').first();
    expect((await line.boundingBox())!.height).toBeLessThanOrEqual(TWO_ROWS);
    if (name.startsWith('console-live')) return; // three buttons do not fit, so the last one is shortened
    const buttons = line.getByRole('button');
    for (let index = 0; index < (await buttons.count()); index += 1) {
      const { x, width } = (await buttons.nth(index).boundingBox())!;
      expect(x + width).toBeLessThanOrEqual(320);
      expect(await buttons.nth(index).evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
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
