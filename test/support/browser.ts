import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

type Found = Readonly<{ path: string; says: string }>;

/** A real browser, found or brought; says in one line which. @throws with the ways to get one */
export function openBrowser(): Promise<Browser> {
  const { path, says } = found() ?? installed() ?? nowhere();
  process.stderr.write(`The browser is ${says}.\n`);
  // A container's root user has no sandbox, and its shared memory is small.
  const args = ['--disable-dev-shm-usage', ...(isRoot ? ['--no-sandbox'] : [])];
  return chromium.launch({ executablePath: path, args });
}

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
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
  const wish = ['install', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300', 'chromium'];
  const { status } = spawnSync('apt-get', wish, { stdio: 'ignore', timeout: 280_000 });
  const [path = ''] = places;
  return status === 0 && existsSync(path) ? { path, says: `${path}, which was just installed` } : undefined;
}

function nowhere(): never {
  throw new Error(
    'There is no browser here. Name one in CHROME_PATH, or install Chromium (Debian: apt-get install -y chromium), or run npx playwright-core install chromium.',
  );
}
