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

const SHEET = 'section[data-past=true] > div:has(input[type=range])';
/** Where the focused control is in the open time bar, and whether another element covers the end of its label. */
const PLACE_IN_SHEET = `(() => {
  const { activeElement: focused } = document;
  const sheet = focused.closest('${SHEET}');
  if (!sheet) return null;
  const { top, bottom } = focused.getBoundingClientRect();
  const label = focused.type === 'radio' && focused.closest('label');
  const end = label && label.getBoundingClientRect();
  const isCovered = Boolean(end) && !label.contains(document.elementFromPoint(end.right - 2, (end.top + end.bottom) / 2));
  return { top: top + sheet.scrollTop, bottom: bottom + sheet.scrollTop, isCovered };
})()`;
type Place = Readonly<{ top: number; bottom: number; isCovered: boolean }>;

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

  it.each(['en', 'fi'])(
    'moves from the top to the bottom of the open time bar, and sees each control: %s',
    async (language) => {
      const { page } = await stage.visit(`/org/${NORTHWIND}/overview?asOf=1191&vs=1200`, {
        before: ({ context }) =>
          context.addCookies([{ name: 'charter-language', value: language, url: stage.service.url }]),
      });
      await page.setViewportSize({ width: 320, height: 640 });
      await page.locator('section[data-past=true] [aria-expanded]').press('Enter');
      await page.locator(`${SHEET} summary`).last().waitFor();
      await page.locator(`${SHEET} button`).first().focus();
      const seen: (NonNullable<Focused> & Place)[] = [];
      for (;;) {
        const place = await page.evaluate<Place | null>(PLACE_IN_SHEET);
        if (place === null) break;
        seen.push({ ...(await page.evaluate<NonNullable<Focused>>(FOCUSED)), ...place });
        await page.keyboard.press('Tab');
      }
      expect(seen.length).toBeGreaterThan(10);
      expect(seen.filter(({ isSeen, isCovered }) => !isSeen || isCovered)).toEqual([]);
      expect(seen.filter(({ bottom }, index) => bottom <= (seen[index - 1]?.top ?? 0))).toEqual([]);
    },
  );

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
