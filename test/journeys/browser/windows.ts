import type { Browser, BrowserContext, Page } from 'playwright-core';

type Window = Readonly<{ page: Page; context: BrowserContext }>;
type Wish = Readonly<{ width: number; theme: 'light' | 'dark'; script: boolean; locale: string }>;

/**
 * Private windows. `leave` empties a window for the next test, because a new window needs a new process. The start of a
 * process takes longer than the load of most pages. An empty window keeps one blank page, because the process of a
 * window without a page ends.
 */
export type Windows = Readonly<{
  open: (wish: Wish) => Promise<Window>;
  /** Removes pages, routes, cookies, storage and cache. */
  leave: (context: BrowserContext) => Promise<void>;
}>;

/** The maximum number of empty windows that wait for the next test. */
const KEPT = 4;
const plain: Pick<Wish, 'script' | 'locale'> = { script: true, locale: 'en' };

export function windowsOf(browser: Browser, home: string): Windows {
  const empty: BrowserContext[] = [];
  const special = new WeakSet<BrowserContext>();

  const made = async ({ script, locale }: Pick<Wish, 'script' | 'locale'>) => {
    const context = await browser.newContext({
      baseURL: home,
      javaScriptEnabled: script,
      locale,
      reducedMotion: 'reduce',
      viewport: { width: 1280, height: 800 },
    });
    context.setDefaultTimeout(30_000);
    if (script !== plain.script || locale !== plain.locale) special.add(context);
    return context;
  };
  return {
    open: async ({ width, theme, script, locale }) => {
      const isPlain = script === plain.script && locale === plain.locale;
      const context = (isPlain ? empty.pop() : undefined) ?? (await made({ script, locale }));
      const blank = context.pages();
      const page = await context.newPage();
      for (const one of blank) await one.close();
      if (theme !== 'light') await page.emulateMedia({ colorScheme: theme });
      if (width !== 1280) await page.setViewportSize({ width, height: 800 });
      return { page, context };
    },
    leave: async (context) => {
      const mayStay = !special.has(context) && empty.length < KEPT;
      if (mayStay && (await emptied(context, home).catch(() => false))) empty.push(context);
      else await context.close();
    },
  };
}

/** Returns false if the window has no page left to empty. */
async function emptied(context: BrowserContext, home: string): Promise<boolean> {
  const [page, ...others] = context.pages();
  if (!page) return false;
  const origins = new Set([home, ...[page, ...others].map((one) => URL.parse(one.url())?.origin ?? home)]);
  for (const one of others) await one.close();
  await page.goto('about:blank');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  const session = await context.newCDPSession(page);
  for (const origin of [...origins].filter((one) => one.startsWith('http')))
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await session.send('Network.clearBrowserCache');
  await session.detach();
  await context.clearCookies();
  await context.setOffline(false);
  return true;
}
