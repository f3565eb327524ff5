import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** A real browser. @throws with the ways to get one, where there is none */
export function openBrowser(): Promise<Browser> {
  const executablePath = places.find((place) => existsSync(place));
  if (executablePath === undefined)
    throw new Error('There is no Chromium here. Install it with `apt-get install -y chromium`.');
  // A container's root user has no sandbox, and its shared memory is small.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}
