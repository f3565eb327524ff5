import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { servePages } from '../../support/pages/built-pages';
import { openBrowser } from '../../support/pages/browser';
import { smallerPng } from '../../support/pages/smaller-png';
import { wishOf } from './page-state';
import { allStates } from './night-states';
import { expectSeen } from '../browser/visible-text';

const folder = join(__dirname, '../../../screenshots');
/** The height of the window for each width, in pixels. */
const heights = { 320: 640, 1280: 800, 1920: 1080 } as const;

it('Screenshots show every page in every state', async () => {
  mkdirSync(folder, { recursive: true });
  const old = readdirSync(folder).filter((name) => !name.startsWith('tour-')); // see tour.screenshots.ts
  for (const name of old) rmSync(join(folder, name));
  const [served, browser] = await Promise.all([servePages(), openBrowser()]);
  for (const state of allStates) {
    const { name, path, act, seen } = state;
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [320, 1280, 1920] as const) {
        served.become(wishOf(state));
        const viewport = { width, height: heights[width] };
        const context = await browser.newContext({
          baseURL: served.url,
          viewport,
          colorScheme,
          reducedMotion: 'reduce',
        });
        const page = await context.newPage();
        await page.goto(path);
        await act?.(page);
        await expectSeen(page, seen);
        const file = join(folder, `${name}-${colorScheme}-${width}.png`);
        writeFileSync(file, smallerPng(await page.screenshot({ fullPage: true })));
        await context.close();
      }
    }
  }
  await Promise.all([browser.close(), served.close()]);
});
