import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CommandLine } from '../../cli/command-line';
import { type Running, started } from '../../crash/server';
import { killedAfterSpecs } from '../../support/children';
import { until } from '../../support/serving';
import { times } from '../length';

const CLIENTS = 1_000;
const ORGANIZATIONS = 20;
/** A client waits at most 28 s before it opens its next stream. */
const FRESH_AFTER_MS = 30_000;
/** Node itself may need this much more memory during the outage, for example for compiled code. */
const GROWTH_MAX_BYTES = 256 * 1024;

const installation = new CommandLine();
const ids: string[] = [];
let key: string;
let server: Running;
beforeAll(async () => {
  for (let index = 0; index < ORGANIZATIONS; index += 1) ids.push(await installation.found(`Acme ${index}`, 'solo'));
  const made = await installation.json('keys', 'create', '--name', 'SD6', '--scopes', 'flags:read,organizations:read');
  key = made.answer.key;
  server = await started(installation);
}, 120_000);
afterAll(async () => {
  await server.kill();
  installation.remove();
});

const restartServer = async () => (server = await started(installation, { PORT: new URL(server.url).port }));

const program = (name: string, ...args: string[]) =>
  killedAfterSpecs(fork(join(__dirname, name), [server.url, key, ...args], { execArgv: ['--expose-gc'] }));

async function report<Report>(child: ChildProcess, isReport: (message: object) => boolean): Promise<Report> {
  child.send('report');
  for (;;) {
    const [message] = (await once(child, 'message')) as [object];
    if (isReport(message)) return message as Report;
  }
}

it('SD6: While the server is unreachable, a client answers 100,000 calls a second, without an error and without growing memory', async () => {
  const child = program('busy-client.mjs', ids[0]!);
  let state: string | undefined;
  child.on('message', (message: { state?: string }) => void (state = message.state ?? state));
  const counts = () => report<{ calls: number; errors: number; used: number }>(child, (message) => 'calls' in message);
  await until(() => state === 'fresh', 20_000);
  await server.kill();
  await until(() => state === 'stale', 20_000);
  const [outageMs, parts] = [times(60_000, 600_000), 4];
  await pause(outageMs / parts); // until Node has compiled the code
  const before = await counts();
  await pause(outageMs - outageMs / parts);
  const after = await counts();
  await restartServer();
  const restartedAt = performance.now();
  await until(() => state === 'fresh', FRESH_AFTER_MS);
  const [perMs, growth] = [(after.calls - before.calls) / (outageMs - outageMs / parts), after.used - before.used];
  const fresh = performance.now() - restartedAt;
  process.stdout.write(
    `SD6: ${perMs.toFixed(0)} calls a millisecond, growth ${growth} B, fresh after ${fresh.toFixed(0)} ms\n`,
  );
  expect(after.errors).toBe(0);
  expect(perMs).toBeGreaterThan(times(50, 95)); // the shortened run allows a busy machine
  expect(growth).toBeLessThan(GROWTH_MAX_BYTES);
  child.kill();
});

it('SD6: 1,000 clients that reconnect at the same time get no 5xx, and are fresh within 30 s', async () => {
  const child = program('reconnecting-clients.mjs', `${CLIENTS}`, ...ids);
  await once(child, 'message');
  type Report = Readonly<{ fresh: number; statuses: Readonly<Record<string, number>> }>;
  const all: Record<string, number>[] = [];
  const fresh = async () => {
    const { fresh: count, statuses } = await report<Report>(child, (message) => 'fresh' in message);
    all.push(statuses);
    return count;
  };
  const areFresh = async () => (await fresh()) === CLIENTS;
  await until(areFresh, 60_000);
  await server.kill();
  await until(async () => (await fresh()) === 0, 20_000);
  await pause(times(10_000, 60_000));
  all.length = 0;
  await restartServer();
  const restartedAt = performance.now();
  await until(areFresh, FRESH_AFTER_MS);
  const statuses = [...new Set(all.flatMap((each) => Object.keys(each)))].toSorted();
  process.stdout.write(
    `SD6: 1,000 clients fresh after ${(performance.now() - restartedAt).toFixed(0)} ms: ${JSON.stringify(statuses)}\n`,
  );
  expect(statuses.filter((status) => status >= '500')).toEqual([]);
});
