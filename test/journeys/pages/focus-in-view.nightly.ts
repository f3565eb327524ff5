import type { Page } from 'playwright-core';
import { servePages } from '../../support/pages/built-pages';
import { eventually } from '../browser/eventually';
import { staged } from '../browser/stage';
import { inConsole } from './page-state';
import { NORTHWIND, people } from './samples';

const stage = staged(() => servePages(inConsole(people.ada)));

/** More key presses than any of the pages has controls. */
const PRESSES_MAX = 300;

/** The focused element: its name, and whether a point in its middle is covered by another element or out of view. */
const FOCUSED = `(() => {
  const { activeElement: focused, body } = document;
  if (focused === body) return null;
  const { left, top, width, height } = focused.getClientRects()[0];
  const seen = document.elementFromPoint(left + width / 2, top + height / 2);
  const isSeen = seen !== null && (focused.contains(seen) || seen.contains(focused) || focused.labels?.[0] === seen);
  const ring = [focused, focused.parentElement].some((one) => getComputedStyle(one).outlineStyle !== 'none');
  const name = (focused.ariaLabel ?? focused.labels?.[0]?.textContent ?? focused.textContent).trim();
  return { name: name.slice(0, 60), isSeen, ring };
})()`;
type Focused = Readonly<{ name: string; isSeen: boolean; ring: boolean }> | null;

/** Presses the key until the focus leaves the page, and returns the elements that had the focus. */
async function walked(page: Page, key: 'Tab' | 'Shift+Tab'): Promise<readonly NonNullable<Focused>[]> {
  const all: NonNullable<Focused>[] = [];
  while (all.length < PRESSES_MAX) {
    await page.keyboard.press(key);
    const focused = await page.evaluate<Focused>(FOCUSED);
    if (focused === null) return all;
    all.push(focused);
  }
  throw new Error(`The focus never leaves the page: ${all.map(({ name }) => name).join(', ')}`);
}

describe('A person who uses only the keyboard in a small window', () => {
  const pages = ['overview', 'members', 'sites', 'plan', 'history', 'settings', 'overview?asOf=1191&vs=1200'];
  it.each(pages)('sees each focused element, its focus ring and no covering bar: %s', async (path) => {
    const { page } = await stage.visit(`/org/${NORTHWIND}/${path}`);
    await page.setViewportSize({ width: 320, height: 640 });
    await page.waitForLoadState('networkidle');
    for (const key of ['Tab', 'Shift+Tab'] as const) {
      await page.evaluate(`scrollTo(0, ${key === 'Tab' ? 0 : 'document.body.scrollHeight'})`);
      const focused = await walked(page, key);
      expect(focused.length).toBeGreaterThan(12);
      expect(focused.filter(({ name, isSeen, ring }) => name === '' || !isSeen || !ring)).toEqual([]);
    }
  });

  it('sees each row of the history to which a key moves the focus', async () => {
    const { page } = await stage.visit(`/org/${NORTHWIND}/history`);
    await page.setViewportSize({ width: 320, height: 640 });
    await page.locator('[role=grid][aria-busy=false] tr[tabindex="0"]').focus();
    for (const key of ['j', 'j', 'j', 'End', 'k', 'PageUp', 'Home', 'o', 'j']) {
      await page.keyboard.press(key);
      await eventually(async () =>
        expect([key, await page.evaluate(FOCUSED)]).toEqual([key, expect.objectContaining({ isSeen: true })]),
      );
    }
  });
});
