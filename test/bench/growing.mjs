import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { talk } from './children.mjs';
import { client } from './load.mjs';
import { opened, served } from './product.mjs';
import { inOpen, keyAmong } from './stores.mjs';

/** A small customer has these events: the founding, a plan, two changes of limits, and members. */
const MEMBERS = 4;
export const EVENTS_EACH = 4 + MEMBERS;
const CALLERS = 8;
const SECONDS = 2;

/**
 * `CHUNK`: the number of ids in memory at once. `ASKED_MOST`: the maximum number of organizations that are queried
 * later.
 */
const CHUNK = 1_000;
const ASKED_MOST = 20_000;

const MiB = 2 ** 20;

/**
 * Adds organizations to one deployment, and measures the deployment at each number of organizations in `sizes`. The
 * product's own code decides and appends the events. Resolves with the measured figures for each of these numbers.
 */
export async function grown({ folder, name, settings, sizes, atOnce, say }) {
  const place = join(folder, name);
  mkdirSync(place, { recursive: true });
  const every = Math.max(1, Math.ceil(sizes.at(-1) / ASKED_MOST));
  const ids = [];
  let count = 0;
  let key;
  const steps = [];
  for (const size of sizes) {
    say(`${name}: ${size.toLocaleString('en')} organizations …`);
    const charter = await opened(place, 'server', settings);
    key ??= await keyAmong(charter.database);
    const begun = performance.now();
    const before = count;
    while (count < size) {
      const organizations = Math.min(CHUNK, size - count);
      const founded = await inOpen(charter, { organizations, members: MEMBERS, atOnce });
      ids.push(...founded.filter((_, index) => (count + index) % every === 0));
      count += organizations;
    }
    const seconds = (performance.now() - begun) / 1000;
    await charter.close();
    const rebuilding = talk('rebuild.mjs');
    const rebuilt = await rebuilding.ask({ folder: place, settings });
    await rebuilding.stop();
    steps.push({
      organizations: size,
      events: rebuilt.events,
      grownPerSecond: ((count - before) * EVENTS_EACH) / seconds,
      rebuildSeconds: rebuilt.seconds,
      rebuiltPerSecond: rebuilt.events / rebuilt.seconds,
      rebuildMiB: rebuilt.memory / MiB,
      ...(await asServed(place, settings, ids, key)),
    });
  }
  return steps;
}

/**
 * Starts the service over this deployment. Measures the start, the requests, and the memory before and after thousands
 * of requests.
 */
async function asServed(place, settings, ids, key) {
  const service = await served(place, settings);
  const ready = weightOf(service.process);
  const load = client();
  const headers = { Authorization: `Bearer ${key}` };
  const paths = (rest) => shuffled(ids).map((id) => `/api/v1/organizations/${id}${rest}`);
  const ask = async (method, addresses, more = {}) => {
    const wish = { port: service.port, callers: CALLERS, seconds: SECONDS, method, paths: addresses, headers };
    const { rate, p50, p99, statuses } = await load.load({ ...wish, expected: 200, isOverloadFine: true, ...more });
    return { rate, p50, p99, overloaded: statuses['503'] ?? 0 };
  };
  const figures = {
    addMember: await ask('POST', paths('/members'), { body: 'member', expected: 201 }),
    entitlement: await ask('GET', paths('/entitlements/users')),
    document: await ask('GET', paths('')),
    listPage: await ask('GET', ['/api/v1/organizations?limit=20']),
  };
  const after = weightOf(service.process);
  load.stop();
  await service.stop();
  return { startSeconds: service.readyAfter / 1000, readyMiB: ready / MiB, busyMiB: after / MiB, ...figures };
}

/** The ids in a random order. */
function shuffled(ids) {
  const all = [...ids];
  for (let last = all.length - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1));
    [all[last], all[other]] = [all[other], all[last]];
  }
  return all;
}

/** The resident bytes of a process, if the system reports them. */
function weightOf({ pid }) {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) * 1024;
  } catch {
    return NaN;
  }
}
