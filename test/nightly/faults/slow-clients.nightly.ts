import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { begunLife, type Life } from '../../crash/life';
import { endlessBody } from '../../support/requests/endless-body';
import { send } from '../../support/requests/http';
import { times } from '../length';

const CLIENTS = times(200, 2_000);
/** The maximum time in milliseconds until a slow client is disconnected (`acceptance.md` Q4). */
const CUT_MS = 30_000;
/** The maximum 95th percentile, in milliseconds, of the time until other clients get an answer. */
const SERVED_P95_MS = times(2_000, 500);
/** The number of clients that send as fast as the server reads. */
const ENDLESS = 8;
/** The number of MiB by which the memory of the server may grow while it refuses endless bodies. */
const MEMORY_MIB = 150;

let life: Life;
beforeAll(async () => {
  life = await begunLife({ RATE_LIMITS: 'off' });
}, 60_000);
afterAll(() => life.end());

/** The result for a slow client: the duration of its connection, and the answer that it received. */
type Fate = Readonly<{ kind: string; ms: number; answer: string }>;

/** Sends one byte each second until the server closes the connection. */
function slowly(kind: string, first: string): Promise<Fate> {
  const { hostname, port } = new URL(life.server().url);
  const began = performance.now();
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  socket.write(first);
  const dripping = setInterval(() => socket.write('a'), 1_000);
  return new Promise((resolve) => {
    const done = () => {
      clearInterval(dripping);
      clearTimeout(giveUp);
      socket.destroy();
      resolve({ kind, ms: performance.now() - began, answer: /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 'nothing' });
    };
    const giveUp = setTimeout(done, 2 * CUT_MS);
    socket.on('close', done);
    socket.on('error', done);
  });
}

const kinds = {
  'its address': () => 'GET /api/v1/organizations/',
  'its headers': () => 'GET /health/live HTTP/1.1\r\nHost: localhost\r\nX-Slow: ',
  'its body': () =>
    `POST /api/v1/organizations HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${life.key}\r\n` +
    'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"name":"',
  'its chunked body': () =>
    `POST /api/v1/organizations HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${life.key}\r\n` +
    'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1000\r\n{"name":"',
  'the body of a stranger': () =>
    'POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{',
};

it(`Q4: ${CLIENTS} clients that send one byte each second are disconnected, while another client is served`, async () => {
  const names = Object.keys(kinds) as (keyof typeof kinds)[];
  const slow = Array.from({ length: CLIENTS }, (_, index) => {
    const kind = names[index % names.length]!;
    return slowly(kind, kinds[kind]());
  });
  const state = { isOver: false };
  const fates = Promise.all(slow).finally(() => (state.isOver = true));

  const taken: number[] = [];
  const refused: unknown[] = [];
  const { url } = life.server();
  for (let time = 0; !state.isOver; time += 1) {
    const began = performance.now();
    const answer =
      time % 2 === 0
        ? await send(`${url}/api/v1/organizations`, 'POST', { key: life.key, body: { name: randomUUID() } })
        : await send(`${url}/api/v1/organizations?limit=10`, 'GET', { key: life.key });
    taken.push(performance.now() - began);
    if (answer.status >= 300) refused.push([answer.status, answer.text]);
    await pause(50);
  }

  const all = await fates;
  const longest = names.map((name) => [name, Math.max(...all.filter(({ kind }) => kind === name).map(({ ms }) => ms))]);
  process.stdout.write(`${JSON.stringify({ longest, answer: counted(all.map(({ answer }) => answer)) })}\n`);
  expect(all.filter(({ ms }) => ms > CUT_MS)).toEqual([]);
  expect(refused).toEqual([]);
  expect(taken.length).toBeGreaterThan(100);
  expect(taken.toSorted((a, b) => a - b)[Math.floor(taken.length * 0.95)]).toBeLessThan(SERVED_P95_MS);
});

it('S2: clients whose chunked body has no end get 413 and are disconnected, while memory stays bounded', async () => {
  const { url, pid } = life.server();
  const residentMib = () => Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
  const before = residentMib();
  const state = { isOver: false, mostMib: 0, slowestMs: 0, longest: 0, sentMib: 0 };
  const statuses = new Set<number | undefined>();
  const sendEndlessBodies = async (index: number) => {
    const line = index % 2 === 0 ? 'POST /api/v1/organizations' : 'GET /login';
    const headers: Record<string, string> = index % 4 === 0 ? { Authorization: `Bearer ${life.key}` } : {};
    while (state.sentMib <= 4 * MEMORY_MIB) {
      const body = endlessBody(url, line, headers);
      state.longest = Math.max(state.longest, await body.closed);
      statuses.add(body.status());
      state.sentMib += body.sentBytes() / 1024 / 1024;
    }
  };
  const clients = Array.from({ length: ENDLESS }, (_, index) => sendEndlessBodies(index));
  const closed = Promise.all(clients).finally(() => (state.isOver = true));
  while (!state.isOver) {
    const began = performance.now();
    expect((await send(`${url}/api/v1/organizations?limit=10`, 'GET', { key: life.key })).status).toBe(200);
    state.slowestMs = Math.max(state.slowestMs, performance.now() - began);
    state.mostMib = Math.max(state.mostMib, residentMib());
    await pause(100);
  }
  await closed;
  process.stdout.write(`${JSON.stringify({ ...state, before })}\n`);
  expect([...statuses]).toEqual([413]);
  expect(state.longest).toBeLessThan(CUT_MS);
  expect(state.mostMib - before).toBeLessThan(MEMORY_MIB);
  expect(state.slowestMs).toBeLessThan(5_000);
});

const counted = (words: readonly string[]) =>
  Object.fromEntries([...Map.groupBy(words, (word) => word)].map(([word, all]) => [word, all.length]));
