import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { texts } from './doing';
import { soon } from './soon';

/** Some element that can be seen holds this text, letter for letter. */
export const expectSeen = (page: Page, text: string, where = page.url()) =>
  soon(async () => expect({ where, seen: matching(await texts(page), text) }).toEqual({ where, seen: [text] }));

/** What was looked for, once; else all short texts, so that a failure says what was there instead. */
const matching = (all: readonly string[], text: string) =>
  all.some((one) => one.trim() === text.trim()) ? [text] : all.filter((one) => one.length < 200);

/** And here none does, after the page had its time. */
export async function expectUnseen(page: Page, text: string): Promise<void> {
  await pause(PAGES_TIME_MS);
  expect((await texts(page)).filter((one) => one.includes(text))).toEqual([]);
}

/** In which a page does what it was going to do without an answer from anywhere. */
const PAGES_TIME_MS = 300;
