import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { freePort } from '../support/network/free-port.mjs';
import { begin } from './children.mjs';

setFlagsFromString('--no-allocation-site-pretenuring'); // as in the service: apps/api/src/main.ts

/** A lib of Charter, as `npm run build` has compiled it. */
export const lib = (name) => require(resolve(`dist/apps/api/libs/${name}/src/index.js`));
const require = createRequire(import.meta.url);

/**
 * The settings of the measured service: those of `npm start`, but without the demo, throttling and log lines, which
 * would disturb a measurement.
 */
export const environment = (folder) => ({
  CHARTER_DATA: folder,
  CHARTER_DEMO: 'off',
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'silent',
});

/** Opens the stores in a folder as the service does, in this process. */
export const opened = (folder, role = 'server', more = {}) => {
  const { openCharter } = lib('application');
  const { parseSettings } = lib('settings');
  return openCharter(parseSettings({ ...environment(folder), ...more }), role);
};

/**
 * Starts the service over a folder and waits until it is ready. `readyAfter` is the time from the start of the process
 * until the service is ready, in milliseconds.
 */
export async function served(folder, more = {}) {
  const port = await freePort();
  const begun = performance.now();
  const child = begin('dist/apps/api/apps/api/src/main.js', {
    flags: process.env.BENCH_FLAGS?.split(' ') ?? [],
    env: { ...environment(folder), ...more, PORT: String(port) },
  });
  while (!(await isReady(port))) {
    if (child.process.exitCode !== null) throw new Error(`The service ended with ${child.process.exitCode}.`);
    await pause(2);
  }
  return { port, process: child.process, readyAfter: performance.now() - begun, stop: child.stop };
}

const isReady = (port) =>
  fetch(`http://127.0.0.1:${port}/health/ready`).then(
    async (response) => response.ok && (await response.text()) !== '',
    () => false,
  );
