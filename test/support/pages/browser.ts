import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

type Found = Readonly<{ path: string; description: string }>;

/**
 * Opens a browser that is installed on this machine, or installs a browser, and prints its name. In a browser with
 * shared processes, one process shows all pages of a window, and runs until the window closes. A page then needs less
 * processor time than in a process of its own, so a spec that measures times must not share processes. @throws with
 * the ways to install a browser
 */
export function openBrowser(hasSharedProcesses = false): Promise<Browser> {
  const { path, description } = found() ?? installed() ?? nowhere();
  process.stderr.write(`The browser is ${description}.\n`);
  // In a container, root cannot use the browser's sandbox, and shared memory is small. Without site isolation, the
  // browser does not start a process for every page.
  const args = [
    ...['--disable-dev-shm-usage', '--disable-site-isolation-trials'],
    ...(hasSharedProcesses ? ['--renderer-process-limit=1'] : []),
    ...(isRoot ? ['--no-sandbox'] : []),
  ];
  return chromium.launch({ executablePath: path, args });
}

/**
 * The paths at which a browser may be. The headless shell is the first choice, because it needs half of the processor
 * time.
 */
const places = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
);
const isRoot = process.getuid?.() === 0;

function found(): Found | undefined {
  const named = process.env['CHROME_PATH'];
  if (named) return { path: named, description: `the one that CHROME_PATH names, ${named}` };
  const ours = places.find((place) => existsSync(place));
  if (ours !== undefined) return { path: ours, description: ours };
  const own = chromium.executablePath();
  return existsSync(own) ? { path: own, description: `Playwright's own, ${own}` } : undefined;
}

/** Installs a browser, which takes about half a minute. Parallel installations wait for each other. */
function installed(): Found | undefined {
  if (!isRoot || !existsSync('/usr/bin/apt-get')) return undefined;
  const installation = ['install', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300'];
  for (const path of places.slice(0, 2)) {
    const { status } = spawnSync('apt-get', [...installation, basename(path)], { stdio: 'ignore', timeout: 140_000 });
    if (status === 0 && existsSync(path)) return { path, description: `${path}, which was just installed` };
  }
  return undefined;
}

function nowhere(): never {
  throw new Error(
    'There is no browser here. Name one in CHROME_PATH, or install Chromium (Debian: apt-get install -y chromium), or run npx playwright-core install chromium.',
  );
}
