import { existsSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createCharter } from '../../../dist/client/index.js';
import { atMost, quantile, rounds, row } from '../measure.mjs';
import { served } from '../product.mjs';
import { founded, keyIn } from '../stores.mjs';

const WRITES = 50;
const LISTENERS = 1_000;
const AT_ONCE = 50;
const MiB = 2 ** 20;

/**
 * Measures the time from the answer to a write until a client of another process has the new value (SD4), and the
 * memory of 1,000 idle listeners (V10).
 */
export async function notices({ folder, rounds: count }) {
  const { path, ids } = await founded(folder, 'notices', { organizations: 100, members: 4 });
  const key = await keyIn(path);
  const usageFile = join(path, 'usage.json');
  const hook = `--require ${resolve('test/support/report-usage.cjs')}`;
  const service = await served(path, { NODE_OPTIONS: hook, USAGE_FILE: usageFile });
  const url = `http://127.0.0.1:${service.port}`;
  const usage = () => usageOf(service.process, usageFile);

  const delays = await rounds(count, { delays: () => delaysOf({ url, key, id: ids[0] }) });
  const leaveFirst = await listeners({ url, key, ids }, 100); // loads code and data that all listeners share
  leaveFirst();
  await pause(1_000);
  const memory = [];
  for (let round = 0; round < Math.min(count, 2); round += 1) {
    const before = await usage();
    const leave = await listeners({ url, key, ids }, LISTENERS);
    memory.push(((await usage()) - before) / MiB);
    leave();
    await pause(2_000);
  }
  await service.stop();
  return rowsOf(delays.delays, memory);
}

const rowsOf = (delays, memory) => [
  row({ name: 'client: new value after a write, p50', unit: 'ms', values: delays.map((all) => quantile(all, 0.5)) }),
  row({
    name: 'client: new value after a write, p99',
    unit: 'ms',
    values: delays.map((all) => quantile(all, 0.99)),
    target: { value: atMost(500) },
  }),
  row({
    name: 'memory for 1,000 idle event streams',
    unit: 'MiB',
    values: memory,
    target: { value: atMost(20) },
  }),
];

/** The milliseconds after each of the writes until `can()` has the new value. */
async function delaysOf({ url, key, id }) {
  const charter = createCharter({ url, key });
  const organization = charter.organization(id);
  await organization.ready();
  const delays = [];
  for (let write = 0; write < WRITES; write += 1) {
    const before = organization.can('feedback');
    const known = new Promise((resolve) => {
      const leave = organization.subscribe(() => {
        if (organization.can('feedback') === before) return;
        leave();
        resolve(performance.now());
      });
    });
    await changePlan({ url, key, id }, before);
    const acknowledged = performance.now();
    delays.push(Math.max(0, (await known) - acknowledged)); // a notice can arrive before the answer
  }
  charter.close();
  return delays;
}

/** Ends or assigns the plan that contains the feature `feedback`. */
async function changePlan({ url, key, id }, isOn) {
  const plan = `${url}/api/v1/organizations/${id}/plan`;
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const answer = isOn
    ? await fetch(`${plan}/second`, { method: 'DELETE', headers })
    : await fetch(plan, { method: 'PUT', headers, body: JSON.stringify({ line: 'second', plan: 'enterprise' }) });
  if (!answer.ok) throw new Error(`The change of the plan answered ${answer.status}: ${await answer.text()}`);
  await answer.text();
}

/** Opens event streams of OFREP, spread over the organizations. Resolves with a function that closes all of them. */
async function listeners({ url, key, ids }, count) {
  const streams = await Promise.all(ids.map((id) => streamOf({ url, key, id })));
  const open = [];
  for (let begun = 0; begun < count; begun += AT_ONCE)
    open.push(
      ...(await Promise.all(
        Array.from({ length: AT_ONCE }, (_, index) => opened(streams[(begun + index) % streams.length])),
      )),
    );
  return () => open.forEach((stream) => stream.destroy());
}

async function streamOf({ url, key, id }) {
  const answer = await fetch(`${url}/ofrep/v1/evaluate/flags`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ context: { targetingKey: id } }),
  });
  return (await answer.json()).eventStreams[0].url.replace('localhost', '127.0.0.1');
}

/** Opens an event stream. Resolves when its first bytes have arrived. */
const opened = (url) =>
  new Promise((resolve, reject) => {
    const outgoing = request(url, { agent: false }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`The stream answered ${response.statusCode}.`));
      response.on('error', () => undefined);
      response.on('data', () => resolve(outgoing));
    });
    outgoing.on('error', reject).end();
  });

/** The memory of the service after a garbage collection, in bytes: heap and buffers. */
async function usageOf(service, file) {
  rmSync(file, { force: true });
  service.kill('SIGUSR2');
  while (!existsSync(file)) await pause(10);
  return JSON.parse(readFileSync(file, 'utf8')).used;
}
