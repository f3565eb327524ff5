import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { texts } from './page-actions';
import { eventually } from './eventually';

/** Waits until a visible element has exactly this text. */
export const expectSeen = (page: Page, text: string, where = page.url()) =>
  eventually(async () => {
    const isSeen = await page.evaluate<boolean>(`${shown}.some((one) => one.textContent.trim() === ${quoted(text)})`);
    if (isSeen) return;
    const short = (await texts(page)).filter((one) => one.length < 200); // the texts for the message of a failure
    expect({ where, seen: short }).toEqual({ where, seen: [text] });
  });

const shown =
  '[...document.body.querySelectorAll("*")].filter((one) => one.checkVisibility({ visibilityProperty: true }))';
const quoted = (text: string) => JSON.stringify(text.trim());

/** Expects, after a pause, that no visible element contains this text. */
export async function expectUnseen(page: Page, text: string): Promise<void> {
  await pause(PAGES_TIME_MS);
  expect((await texts(page)).filter((one) => one.includes(text))).toEqual([]);
}

/** Within this time a page shows everything that needs no response from the service. */
const PAGES_TIME_MS = 300;
