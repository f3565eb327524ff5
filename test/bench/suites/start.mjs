import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { atMost, duration, rounds, row } from '../measure.mjs';
import { lib, opened, served } from '../product.mjs';
import { founded } from '../stores.mjs';

/**
 * Measures the time from the start of the service's process until the service is ready. For comparison, the floor is an
 * empty Node process.
 */
export async function start({ folder, rounds: count, scale }) {
  const grown = await founded(folder, 'start', { organizations: 1_000, members: 20, events: 100 });
  const million = scale
    ? await founded(folder, 'start-million', { organizations: 10_000, members: 20, events: 100 })
    : undefined;
  let times = 0;
  const newFolder = () => join(folder, `empty-${(times += 1)}`);
  const demo = newFolder();
  await starting(demo, DEMO);
  const { floor, empty, lakeside, again, large, largest } = await rounds(count, {
    floor: nothing,
    empty: () => starting(newFolder()),
    lakeside: () => importing(newFolder()),
    again: () => starting(demo, DEMO),
    large: () => starting(grown.path),
    ...(million && { largest: () => starting(million.path) }),
  });
  const line = (name, values, most) =>
    row({ name: `start, ${name}`, unit: 's', values, floor, target: { more: atMost(most) } });
  return [
    line('an empty store', empty, 2),
    line('100,000 events', large, 3),
    row({
      name: 'import of the long demo organization',
      unit: 's',
      values: lakeside,
      floor,
      target: { value: atMost(1) },
    }),
    row({ name: 'start, again with the demo', unit: 's', values: again, floor: empty, target: { more: atMost(0.2) } }),
    ...(largest ? [line('1,000,000 events', largest, 3)] : []),
  ];
}

/** The duration of an empty Node process in seconds. */
const nothing = async () => (await duration(() => once(spawn(process.execPath, ['-e', '0']), 'exit'))) / 1000;

const DEMO = { CHARTER_DEMO: 'on' };

async function starting(folder, more) {
  mkdirSync(folder, { recursive: true });
  const { readyAfter, stop } = await served(folder, more);
  await stop();
  return readyAfter / 1000;
}

/**
 * The duration of the import of the demo organization with about 2,000 events, in seconds. Only the first start with
 * the demo imports this organization.
 */
async function importing(folder) {
  mkdirSync(folder, { recursive: true });
  const charter = await opened(folder);
  const { execute } = lib('application').organizationCommands(charter.organizations, { after: [] });
  const { uuidv5 } = lib('event-log');
  const of = (...parts) => uuidv5(STORE, parts.join('/'));
  const organization = { id: of('lakeside'), ids: { of, operator: of('operator') } };
  const { importLakeside } = require(resolve('dist/apps/api/apps/api/src/demo/lakeside/import-lakeside.js'));
  const took = await duration(() => importLakeside(charter, execute, organization, Date.now()));
  await charter.close();
  return took / 1000;
}
const require = createRequire(import.meta.url);
const STORE = 'c4a47e12-5b0f-4d5c-9d3e-0f6a1f2b7c90';
