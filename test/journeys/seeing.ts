import type { Page } from 'playwright-core';
import { texts } from './doing';
import { soon } from './soon';

/** Some element that can be seen holds this text, letter for letter. */
export const expectSeen = (page: Page, text: string, where = page.url()) =>
  soon(async () => expect({ where, seen: matching(await texts(page), text) }).toEqual({ where, seen: [text] }));

/** And here none does, after the page had its time. */
export async function expectUnseen(page: Page, text: string): Promise<void> {
  await page.waitForLoadState('networkidle');
  expect((await texts(page)).filter((one) => one.includes(text))).toEqual([]);
}

/** What was looked for, once; else all short texts, so that a failure says what was there instead. */
const matching = (all: readonly string[], text: string) =>
  all.some((one) => one.trim() === text.trim()) ? [text] : all.filter((one) => one.length < 200);
