import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { texts } from './page-actions';
import { eventually } from './eventually';

/** Some element that can be seen holds this text, letter for letter. */
export const expectSeen = (page: Page, text: string, where = page.url()) =>
  eventually(async () => {
    const isSeen = await page.evaluate<boolean>(`${shown}.some((one) => one.textContent.trim() === ${quoted(text)})`);
    if (isSeen) return;
    const short = (await texts(page)).filter((one) => one.length < 200); // a failure says what was there instead
    expect({ where, seen: short }).toEqual({ where, seen: [text] });
  });

const shown = '[...document.body.querySelectorAll("*")].filter((one) => one.checkVisibility())';
const quoted = (text: string) => JSON.stringify(text.trim());

/** And here none does, after the page had its time. */
export async function expectUnseen(page: Page, text: string): Promise<void> {
  await pause(PAGES_TIME_MS);
  expect((await texts(page)).filter((one) => one.includes(text))).toEqual([]);
}

/** In which a page does what it was going to do without an answer from anywhere. */
const PAGES_TIME_MS = 300;
