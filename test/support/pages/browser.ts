import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

type Found = Readonly<{ path: string; says: string }>;

/** A real browser, found or brought; says in one line which. @throws with the ways to get one */
export function openBrowser(): Promise<Browser> {
  const { path, says } = found() ?? installed() ?? nowhere();
  process.stderr.write(`The browser is ${says}.\n`);
  // A container's root user has no sandbox, and its shared memory is small. A process for each site would only be started
  // again for every page.
  const args = ['--disable-dev-shm-usage', '--disable-site-isolation-trials', ...(isRoot ? ['--no-sandbox'] : [])];
  return chromium.launch({ executablePath: path, args });
}

/** The one without windows comes first: it needs half of the processor's time. */
const places = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
);
const isRoot = process.getuid?.() === 0;

function found(): Found | undefined {
  const named = process.env['CHROME_PATH'];
  if (named) return { path: named, says: `the one that CHROME_PATH names, ${named}` };
  const ours = places.find((place) => existsSync(place));
  if (ours !== undefined) return { path: ours, says: ours };
  const own = chromium.executablePath();
  return existsSync(own) ? { path: own, says: `Playwright's own, ${own}` } : undefined;
}

/** About half a minute, once; several at the same time wait for each other. */
function installed(): Found | undefined {
  if (!isRoot || !existsSync('/usr/bin/apt-get')) return undefined;
  const wish = ['install', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300'];
  for (const path of places.slice(0, 2)) {
    const { status } = spawnSync('apt-get', [...wish, basename(path)], { stdio: 'ignore', timeout: 140_000 });
    if (status === 0 && existsSync(path)) return { path, says: `${path}, which was just installed` };
  }
  return undefined;
}

function nowhere(): never {
  throw new Error(
    'There is no browser here. Name one in CHROME_PATH, or install Chromium (Debian: apt-get install -y chromium), or run npx playwright-core install chromium.',
  );
}
