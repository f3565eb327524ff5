import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openBrowser } from '../../support/pages/browser';
import { isNight } from '../../support/at-night';
import { type BuiltService, startBuiltService } from '../built-service';
import { type Watch, watched } from './watch';
import { type Windows, windowsOf } from './windows';

/** A page in a private browser window of one person, with the requests and the faults recorded in this window. */
export type Visit = Watch & Readonly<{ page: Page; context: BrowserContext }>;
type VisitOptions = Readonly<{
  width?: number;
  theme?: 'light' | 'dark';
  script?: boolean;
  locale?: string;
  /**
   * How long `visit` waits: `load` until the page has loaded, `commit` only until the first bytes of the page have
   * arrived.
   */
  until?: 'load' | 'commit';
  /** Runs before the first request, for example to set routes or cookies. */
  before?: (visit: Visit) => Promise<unknown>;
}>;
/** The server whose pages the browser opens. */
export type Place = Readonly<{ url: string; close: () => Promise<void> }>;
export type Stage<Home extends Place> = Readonly<{
  service: Home;
  browser: Browser;
  /** Opens a path in an empty private window. */
  visit: (path: string, options?: VisitOptions) => Promise<Visit>;
}>;

/** The time limit of the start: several minutes, because some machines have to install a browser first. */
const OPENING_MS = 300_000;

/** The time limit of a test. The limit at night is longer, because the specs of the night may share the machine. */
const TEST_MS = isNight ? 300_000 : 180_000;

/**
 * All tests of a file share one service and one browser; each visit gets a private window. After each test the stage
 * empties the windows, and the test fails if a window has complaints. With `use` set to `measures`, each page has its
 * own process, as in the browser of a person.
 */
export function staged(): Stage<BuiltService>;
export function staged<Home extends Place>(open: () => Promise<Home>, use?: 'measures'): Stage<Home>;
export function staged(open: () => Promise<Place> = startBuiltService, use?: 'measures'): Stage<Place> {
  jest.setTimeout(TEST_MS);
  let service: Place | undefined;
  let browser: Browser | undefined;
  let windows: Windows | undefined;
  const visits: Visit[] = [];

  beforeAll(async () => {
    [service, browser] = await Promise.all([open(), openBrowser(use !== 'measures')]);
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
