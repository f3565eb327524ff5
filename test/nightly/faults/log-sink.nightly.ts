import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join, resolve } from 'node:path';
import { CommandLine } from '../../cli/command-line';
import { freePort } from '../../support/network/free-port.mjs';
import { compiledOnce } from '../../support/compiled';
import { send } from '../../support/requests/http';

const main = resolve(__dirname, '../../../dist/apps/api/apps/api/src/main.js');
const agent = new Agent({ keepAlive: true, maxSockets: 16 });
let charter: CommandLine;
let server: ChildProcess;
let url: string;
let metrics: string;

/** Starts the built server with this destination for its log. */
async function started(log: 'pipe' | number): Promise<void> {
  charter = new CommandLine();
  const [port, metricsPort] = [String(await freePort()), String(await freePort())];
  url = `http://127.0.0.1:${port}`;
  metrics = `http://127.0.0.1:${metricsPort}/metrics`;
  const env = {
    ...compiledOnce,
    PATH: process.env['PATH'],
    CHARTER_DATA: charter.data,
    CHARTER_DEMO: 'off',
    RATE_LIMITS: 'off',
    PORT: port,
    METRICS_PORT: metricsPort,
  };
  server = spawn(process.execPath, [main], { env, stdio: ['ignore', log, 'inherit'] });
  server.stdout?.pause();
  while (!(await isLive())) if (server.exitCode !== null) throw new Error(`It ended with ${server.exitCode}.`);
}

const isLive = () =>
  send(`${url}/health/live`, 'GET', {}).then(
    ({ status }) => status === 200,
    () => false,
  );
const dropped = async () => Number(/^charter_log_dropped_total (\d+)/m.exec((await send(metrics, 'GET', {})).text)![1]);
const residentMiB = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(join('/proc', String(server.pid), 'status'), 'utf8'))![1]) / 1024;

/** Sends requests that are refused and logged. Resolves with the duration of the slowest request in milliseconds. */
async function refusals(count: number): Promise<number> {
  let slowest = 0;
  const caller = async () => {
    for (let sent = 0; sent < count / 16; sent += 1) {
      const began = performance.now();
      const { status } = await send(`${url}/api/v1/organizations`, 'GET', { key: 'chk_unknown' }, agent);
      expect(status).toBe(401);
      slowest = Math.max(slowest, performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: 16 }, caller));
  return slowest;
}

async function ended(): Promise<number | null> {
  server.kill('SIGTERM');
  const [code] = (await once(server, 'exit')) as [number | null];
  return code;
}

afterEach(() => {
  if (server.exitCode === null) server.kill('SIGKILL');
  charter.remove();
});
afterAll(() => agent.destroy());

describe('T6: Log that cannot be written', () => {
  it('delays no request: lines beyond a limit are dropped, and a later reader gets the number of dropped lines', async () => {
    await started('pipe');
    await refusals(1_600); // V8's heap grows with the first requests, with or without waiting lines
    const before = residentMiB();
    while ((await dropped()) === 0) expect(await refusals(800)).toBeLessThan(2_000);
    expect(await refusals(800)).toBeLessThan(2_000);
    expect(await dropped()).toBeGreaterThanOrEqual(800);
    expect(residentMiB() - before).toBeLessThan(100);

    let read = '';
    server.stdout!.on('data', (chunk: Buffer) => (read += chunk.toString()));
    server.stdout!.resume();
    await refusals(16);
    while (!read.includes('"dropped":')) await refusals(16);
    const entries = read
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { dropped?: number });
    const reported = entries.reduce((sum, entry) => sum + (entry.dropped ?? 0), 0);
    expect(reported).toBe(await dropped());
    expect(await ended()).toBe(0);
  }, 60_000);

  it('delays a stop of the service by less than 15 seconds, even if no process reads the lines', async () => {
    await started('pipe');
    await refusals(1_600); // more log lines than a pipe can buffer
    const began = performance.now();
    expect(await ended()).toBe(0);
    expect(performance.now() - began).toBeLessThan(15_000);
  }, 60_000);

  it('on a full disk loses lines, a metric counts the lost lines, and the service continues', async () => {
    await started(openSync('/dev/full', 'w'));
    const before = await dropped();
    expect(await refusals(160)).toBeLessThan(2_000);
    expect((await dropped()) - before).toBe(160);
    expect(await ended()).toBe(0);
  }, 60_000);
});
