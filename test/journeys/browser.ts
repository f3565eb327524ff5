import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

type Found = Readonly<{ path: string; says: string }>;

/** A real browser, found or brought; says in one line which. @throws with the ways to get one */
export async function launchedBrowser(): Promise<Browser> {
  const { path, says } = found() ?? installed() ?? nowhere();
  process.stderr.write(`Journeys use ${says}.\n`);
  return chromium.launch({ executablePath: path, args: isRoot ? ['--no-sandbox'] : [] });
}

const DEBIANS = '/usr/bin/chromium';
const isRoot = process.getuid?.() === 0;

function found(): Found | undefined {
  const named = process.env['CHROME_PATH'];
  if (named) return { path: named, says: `the browser that CHROME_PATH names, ${named}` };
  if (existsSync(DEBIANS)) return { path: DEBIANS, says: `Chromium at ${DEBIANS}` };
  const own = chromium.executablePath();
  return existsSync(own) ? { path: own, says: `Playwright's own browser at ${own}` } : undefined;
}

/** About half a minute, once; several at the same time wait for each other. */
function installed(): Found | undefined {
  if (!isRoot || !existsSync('/usr/bin/apt-get')) return undefined;
  const wish = ['install', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300', 'chromium'];
  const { status } = spawnSync('apt-get', wish, { stdio: 'ignore', timeout: 280_000 });
  return status === 0 && existsSync(DEBIANS)
    ? { path: DEBIANS, says: `Chromium at ${DEBIANS}, just installed` }
    : undefined;
}

function nowhere(): never {
  throw new Error(
    'No browser for the journeys. Name one in CHROME_PATH, or install Chromium (Debian: apt-get install chromium), or run npx playwright-core install chromium.',
  );
}
