import type { Page } from 'playwright-core';
import type { servePages } from '../../support/pages/built-pages';
import type { Stage, Visit } from '../browser/stage';
import { type Rules, violationsOn } from '../browser/violations';
import { expectSeen } from '../browser/visible-text';
import { type PageState, wishOf } from './page-state';
import { claimedDomain } from './samples/email-domains';
import { BEN } from './samples/lists';

type PagesServer = Awaited<ReturnType<typeof servePages>>;

/**
 * Opens a page in a state. The service may answer the page's requests with errors, which the browser logs in its
 * console.
 */
export async function reach(stage: Stage<PagesServer>, state: PageState): Promise<Visit> {
  const { path, act, seen } = state;
  stage.service.become(wishOf(state));
  const visit = await stage.visit(path, {
    before: async ({ mayFail }) => {
      for (const at of ['/login', '/forgot', '/reset', '/invitation']) mayFail(at);
      const document = new URL(path, 'http://pages').pathname
        .replace('/org/', '/api/v1/organizations/')
        .replace(/(\/organizations\/[^/]+)\/.*$/, '$1');
      const ofNone = ['/api/v1/catalogue', '/api/v1/me', '/api/v1/organizations', `${document}/standing`];
      const parts = [
        'entitlements',
        'members',
        'members/p',
        `members/${BEN}`,
        'sites',
        'verify',
        'events',
        'readers',
        'steps',
        'timeline',
        'preview',
        'commands',
        'undo',
        'diff',
        'verified-domains',
        `verified-domains/${claimedDomain.domain}/check`,
      ].map((part) => `${document}/${part}`);
      for (const at of [document, ...parts, ...ofNone]) mayFail(at);
    },
  });
  await act?.(visit.page);
  await expectSeen(visit.page, seen);
  return visit;
}

/** A theme and a width in pixels. `rules` are the rules that axe checks; without them axe does not run. */
type Look = Readonly<{ colorScheme: 'light' | 'dark'; width: number; rules?: Rules }>;

/** Checks for each look (theme and width) that axe finds no violation, and that the page does not scroll sideways. */
export async function expectAccessible(page: Page, looks: readonly Look[]): Promise<void> {
  for (const { colorScheme, width, rules } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    const sideways = await overflow(page);
    const violations = rules ? await violationsOn(page, rules) : [];
    expect({ colorScheme, width, sideways, violations }).toEqual({ colorScheme, width, sideways: 0, violations: [] });
  }
}

/** By how many pixels the page is wider than its window. */
export const overflow = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
