import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { texts } from './page-actions';
import { eventually } from './eventually';

/** A visible element has exactly this text. */
export const expectSeen = (page: Page, text: string, where = page.url()) =>
  eventually(async () => {
    const isSeen = await page.evaluate<boolean>(`${shown}.some((one) => one.textContent.trim() === ${quoted(text)})`);
    if (isSeen) return;
    const short = (await texts(page)).filter((one) => one.length < 200); // for the message of a failure
    expect({ where, seen: short }).toEqual({ where, seen: [text] });
  });

const shown = '[...document.body.querySelectorAll("*")].filter((one) => one.checkVisibility())';
const quoted = (text: string) => JSON.stringify(text.trim());

/** No visible element has this text, after a pause. */
export async function expectUnseen(page: Page, text: string): Promise<void> {
  await pause(PAGES_TIME_MS);
  expect((await texts(page)).filter((one) => one.includes(text))).toEqual([]);
}

/** The time that a page needs for its own work, without an answer of the service. */
const PAGES_TIME_MS = 300;
