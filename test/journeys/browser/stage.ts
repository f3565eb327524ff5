import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openBrowser } from '../../support/pages/browser';
import { type BuiltService, startBuiltService } from '../built-service';
import { type Watch, watched } from './watch';
import { type Windows, windowsOf } from './windows';

/** What a person sees, in windows of their own that nobody else shares. */
export type Visit = Watch & Readonly<{ page: Page; context: BrowserContext }>;
type Look = Readonly<{
  width?: number;
  theme?: 'light' | 'dark';
  script?: boolean;
  locale?: string;
  /** How far the page must have come: `commit` is where its first bytes are there. */
  until?: 'load' | 'commit';
  /** Runs before the first page is asked for: routes, cookies. */
  before?: (visit: Visit) => Promise<unknown>;
}>;
/** What the browser goes to. */
export type Place = Readonly<{ url: string; close: () => Promise<void> }>;
export type Stage<Home extends Place> = Readonly<{
  house: Home;
  browser: Browser;
  /** Opens a path in a new, private window. */
  visit: (path: string, look?: Look) => Promise<Visit>;
}>;

/** Minutes, for a machine that first has to install a browser. */
const OPENING_MS = 300_000;

/**
 * One service and one browser for a file, a private window for each visit. After each test the windows are emptied, and
 * the test fails if anything was wrong in one of them.
 */
export function staged(): Stage<BuiltService>;
export function staged<Home extends Place>(open: () => Promise<Home>): Stage<Home>;
export function staged(open: () => Promise<Place> = startBuiltService): Stage<Place> {
  jest.setTimeout(60_000);
  let house: Place | undefined;
  let browser: Browser | undefined;
  let windows: Windows | undefined;
  const visits: Visit[] = [];

  beforeAll(async () => {
    [house, browser] = await Promise.all([open(), openBrowser()]);
    windows = windowsOf(browser, house.url);
  }, OPENING_MS);
  afterEach(async () => {
    const closing = visits.splice(0);
    for (const { context, end } of closing) {
      end();
      await windows!.leave(context);
    }
    expect(closing.flatMap(({ complaints }) => complaints)).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await house?.close();
  });

  return {
    get house() {
      return house!;
    },
    get browser() {
      return browser!;
    },
    visit: async (path, look = {}) => {
      const visit = await opened(windows!, house!.url, look);
      visits.push(visit);
      await look.before?.(visit);
      await visit.page.goto(path, { waitUntil: look.until ?? 'load' });
      return visit;
    },
  };
}

async function opened(windows: Windows, url: string, look: Look): Promise<Visit> {
  const { width = 1280, theme = 'light', script = true, locale = 'en' } = look;
  const { page, context } = await windows.open({ width, theme, script, locale });
  return { context, page, ...watched(context, url) };
}
