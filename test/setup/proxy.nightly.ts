import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { times } from '../nightly/length';
import { freePort } from '../support/network/free-port.mjs';
import { type Process, several, type Several } from '../support/network/processes';
import { clone } from './image';

/** The test runs the proxy of the compose file, with its configuration, in front of two real processes. */
let stores: Several;
let proxy: ChildProcess | undefined;
const processes: Process[] = [];
let url: string;
const ports: string[] = [];

beforeAll(async () => {
  found();
  stores = await several({ TRUST_PROXY: '127.0.0.1' });
  ports.push(...(await Promise.all([freePort(), freePort(), freePort()])).map(String));
  for (const index of [0, 1]) processes[index] = await start(index);
  url = `http://127.0.0.1:${ports[2]}`;
  proxy = spawn('haproxy', ['-f', join(clone, 'deploy/haproxy.cfg')], {
    env: {
      PATH: process.env['PATH'],
      BIND: `127.0.0.1:${ports[2]}`,
      CHARTER_1: `127.0.0.1:${ports[0]}`,
      CHARTER_2: `127.0.0.1:${ports[1]}`,
    },
    stdio: 'ignore',
  });
  while ((await fetch(`${url}/health/ready`).catch(() => undefined))?.status !== 200) await pause(50);
}, 120_000);
afterAll(() => void proxy?.kill('SIGTERM'));

const start = (index: number) => stores.start({ PORT: ports[index]! });

it('the proxy loses no request while one process after the other is replaced under load (Q9)', async () => {
  const key = await stores.key();
  const answers: Record<string, number> = {};
  const names = new Set<string>();
  const load = { on: true };
  /** Sends a request. After a 503, repeats the request with the same idempotency key; this is no failure. */
  const ask = async (isCommand: boolean, name: string = randomUUID(), tries = 1): Promise<void> => {
    const answer = await fetch(`${url}/api/v1/organizations${isCommand ? '' : '?limit=1'}`, {
      method: isCommand ? 'POST' : 'GET',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Idempotency-Key': name },
      ...(isCommand && { body: JSON.stringify({ name }) }),
    }).catch((error: unknown) => ({ status: String(error), text: () => Promise.resolve('') }));
    await answer.text();
    if (answer.status === 503 && tries < 30) return pause(200).then(() => ask(isCommand, name, tries + 1));
    answers[answer.status] = (answers[answer.status] ?? 0) + 1;
    if (answer.status === 201) names.add(name);
  };
  const workers = Array.from({ length: 12 }, async (_, worker) => {
    while (load.on) await ask(worker % 2 === 0);
  });
  for (let round = 0; round < times(2, 25); round += 1)
    for (const index of [0, 1]) {
      const { code, afterMs } = await processes[index]!.stop();
      expect(code).toBe(0);
      expect(afterMs).toBeLessThan(15_000);
      processes[index] = await start(index);
      await pause(1_500);
    }
  load.on = false;
  await Promise.all(workers);

  expect(Object.keys(answers).sort()).toEqual(['200', '201']);
  const founded: string[] = [];
  for await (const { type, data } of stores.charter.log.readAll())
    if (type === 'OrganizationFounded') founded.push((data as { name: string }).name);
  expect(founded.filter((name) => names.has(name))).toHaveLength(names.size); // the service executed each command once
  expect(founded).toHaveLength(names.size);
}, 600_000);

/** Checks that HAProxy is installed; as root, installs it if it is missing. @throws with the ways to install it */
function found(): void {
  const isThere = () => spawnSync('haproxy', ['-v'], { stdio: 'ignore' }).status === 0;
  if (isThere()) return;
  if (process.getuid?.() === 0) spawnSync('apt-get', ['install', '-y', 'haproxy'], { stdio: 'ignore' });
  if (!isThere()) throw new Error('This spec needs HAProxy 2.6 or newer: on Debian, apt-get install -y haproxy.');
}
