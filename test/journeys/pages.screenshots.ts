import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { servePages } from '../support/built-pages';
import { openBrowser } from '../support/browser';
import { pageStates } from './page-states';
import { expectSeen } from './seeing';

const folder = join(__dirname, '..', '..', 'docs', 'screenshots');

it('every page in every state', async () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const [served, browser] = await Promise.all([servePages(), openBrowser()]);
  for (const { name, path, wish = {}, act, seen } of pageStates) {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [320, 1280]) {
        served.become(wish);
        const viewport = { width, height: width === 320 ? 640 : 800 };
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
        await page.screenshot({ path: file, fullPage: true });
        spawnSync('convert', [file, '-colors', '96', '+dither', `PNG8:${file}`]); // a third of the size, where ImageMagick is
        await context.close();
      }
    }
  }
  await Promise.all([browser.close(), served.close()]);
});
