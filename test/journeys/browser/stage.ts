import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openBrowser } from '../../support/pages/browser';
import { type BuiltService, startBuiltService } from '../built-service';
import { type Watch, watched } from './watch';
import { type Windows, windowsOf } from './windows';

/** A person's view in a private window. */
export type Visit = Watch & Readonly<{ page: Page; context: BrowserContext }>;
type VisitOptions = Readonly<{
  width?: number;
  theme?: 'light' | 'dark';
  script?: boolean;
  locale?: string;
  /** The state for which a visit waits: `commit` is the arrival of the first bytes. */
  until?: 'load' | 'commit';
  /** Runs before the first request: routes, cookies. */
  before?: (visit: Visit) => Promise<unknown>;
}>;
/** The server that the browser visits. */
export type Place = Readonly<{ url: string; close: () => Promise<void> }>;
export type Stage<Home extends Place> = Readonly<{
  service: Home;
  browser: Browser;
  /** Opens a path in a new, private window. */
  visit: (path: string, options?: VisitOptions) => Promise<Visit>;
}>;

/** Minutes, for a machine that first has to install a browser. */
const OPENING_MS = 300_000;

/**
 * One service and one browser for a file, a private window for each visit. After each test the windows are emptied, and
 * the test fails if a window reports a complaint.
 */
export function staged(): Stage<BuiltService>;
export function staged<Home extends Place>(open: () => Promise<Home>): Stage<Home>;
export function staged(open: () => Promise<Place> = startBuiltService): Stage<Place> {
  jest.setTimeout(60_000);
  let service: Place | undefined;
  let browser: Browser | undefined;
  let windows: Windows | undefined;
  const visits: Visit[] = [];

  beforeAll(async () => {
    [service, browser] = await Promise.all([open(), openBrowser()]);
    windows = windowsOf(browser, service.url);
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
    await service?.close();
  });

  return {
    get service() {
      return service!;
    },
    get browser() {
      return browser!;
    },
    visit: async (path, options = {}) => {
      const visit = await opened(windows!, service!.url, options);
      visits.push(visit);
      await options.before?.(visit);
      await visit.page.goto(path, { waitUntil: options.until ?? 'load' });
      return visit;
    },
  };
}

async function opened(windows: Windows, url: string, options: VisitOptions): Promise<Visit> {
  const { width = 1280, theme = 'light', script = true, locale = 'en' } = options;
  const { page, context } = await windows.open({ width, theme, script, locale });
  return { context, page, ...watched(context, url) };
}
