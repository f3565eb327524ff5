import { randomUUID } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { withFaults } from '../../support/stores/faults';
import { mailServer } from '../../support/sign-in/mail-server';
import { type Browser, browser, PASSWORD, person } from '../../support/sign-in/people';
import { type Served, serving, type Stores } from '../../support/serving';
import { times } from '../length';
import { median, quantile } from '../timing/mann-whitney';
import { clientOf, type Samples, sampled } from '../timing/timing';

const off = { RATE_LIMITS: 'off' };
const MIB = 1024 * 1024;
const MANY = times(20_000, 100_000);
let served: Served;
afterEach(() => served.close());

const millisecondsOf = async (ask: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await ask();
  return performance.now() - began;
};

it('A9: During 100 concurrent sign-ins, 99 % of the requests to /health/live take less than 250 ms, and the service refuses some sign-ins', async () => {
  served = await serving({ environment: off });
  const { email } = await person(served);
  const page = await browser(served);
  await page.logIn(email!, 'warm up, and be refused');
  const before = process.memoryUsage().rss;
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();

  const client = clientOf(served.url);
  const poll = { on: true };
  const polled: number[] = [];
  const polling = (async () => {
    while (poll.on) polled.push(await client.took({ method: 'GET', path: '/health/live' }, 200));
  })();
  const statuses: number[] = [];
  for (let wave = 0; wave < times(3, 20); wave += 1) {
    const attempts = Array.from({ length: 100 }, () => page.logIn(email!, 'not the password at all'));
    statuses.push(...(await Promise.all(attempts)).map(({ status }) => status));
  }
  poll.on = false;
  await polling;
  delay.disable();
  await client.close();

  const counted = new Set(statuses);
  expect([...counted].every((status) => [401, 429, 503].includes(status))).toBe(true);
  expect(counted).toContain(401);
  // some sign-ins are refused, because the queue of the hasher has a limit
  expect(statuses.filter((status) => status !== 401).length).toBeGreaterThan(0);
  expect(polled.length).toBeGreaterThan(50);
  expect(quantile(polled, 0.99)).toBeLessThan(250);
  expect(delay.percentile(99) / 1e6).toBeLessThan(100);
  expect((process.memoryUsage().rss - before) / MIB).toBeLessThan(300);
});

describe('A14: The count of attempts', () => {
  it('of sign-in attempts keeps its value if the service restarts during an attack', async () => {
    served = await serving();
    const { email } = await person(served);
    const guess = async (page: Browser) => (await page.logIn(email!, `guess ${randomUUID()}`)).status;
    const first = await browser(served);
    for (let n = 0; n < 6; n += 1) expect(await guess(first)).toBe(401);
    await served.stop();
    served = await serving({ folder: served.folder });
    const second = await browser(served);
    const statuses = [];
    for (let n = 0; n < 6; n += 1) statuses.push(await guess(second));
    expect(statuses).toEqual([401, 401, 401, 401, 429, 429]); // both processes together count ten attempts
    expect((await second.logIn(email!, PASSWORD)).status).toBe(429);
  });

  it('must be stored before a sign-in: while Charter cannot store the count, every sign-in gets 503', async () => {
    let broken = false;
    const failing = ({ database, ...stores }: Stores): Stores => ({
      ...stores,
      database: {
        ...database,
        attempts: withFaults(database.attempts, {
          count: (...args) => (broken ? Promise.reject(new Error('disk I/O error')) : database.attempts.count(...args)),
        }),
      },
    });
    served = await serving({ between: failing });
    const { email } = await person(served);
    const page = await browser(served);
    broken = true;
    for (const password of [PASSWORD, 'not the password at all']) {
      const { status, headers } = await page.logIn(email!, password);
      expect([status, headers['retry-after'] !== undefined]).toEqual([503, true]);
    }
    broken = false;
    expect((await page.logIn(email!, PASSWORD)).status).toBe(204);
  });
});

it(`A15: Counts for ${MANY} user names and IP addresses with one attempt each need little memory, hardly slow sign-ins down, and are deleted later`, async () => {
  served = await serving({ environment: { TRUST_PROXY: '127.0.0.1' } });
  const { attempts } = served.charter.database;
  const { email } = await person(served);
  let address = 0;
  const p95 = async () => {
    const took = [];
    for (let n = 0; n < 100; n += 1) {
      const page = await browser(served, `10.${(address += 1) >> 16}.${(address >> 8) & 255}.${address & 255}`);
      took.push(await millisecondsOf(() => page.logIn(email!)));
    }
    return quantile(took, 0.95);
  };
  await p95(); // warms up before the measurement
  const [before, rss] = [await p95(), process.memoryUsage().rss];
  for (let n = 0; n < MANY; n += 1) {
    if (n % 1_000 === 0) await served.ask('GET', '/health/live'); // keeps the connection of this client open
    await attempts.count(
      `${n % 2 ? 'sign-in-account' : 'sign-in-address'}:${randomUUID()}`,
      900,
      10,
      served.clock.now(),
    );
  }
  const after = await p95();
  expect((process.memoryUsage().rss - rss) / MIB).toBeLessThan(50);
  expect(after).toBeLessThan(before * 1.2 + 2);
  served.clock.advance(901_000);
  expect(await attempts.sweep(served.clock.now())).toBeGreaterThanOrEqual(MANY);
});

it('B2: If the mail server takes five seconds or refuses mails, POST /forgot becomes at most 20 ms slower', async () => {
  const manners = ['takes', 'is-slow', 'is-busy', 'refuses-address', 'drops'] as const;
  const opened: { name: string; forgot: () => Promise<number>; close: () => Promise<unknown> }[] = [];
  try {
    for (const manner of manners) {
      const server = await mailServer();
      server.behave(manner);
      const service = (served = await serving({ environment: { ...off, SMTP_URL: server.url } }));
      const { email } = await person(service);
      const page = await browser(service);
      const client = clientOf(service.url);
      const forgot = () => {
        const headers = { Cookie: page.cookieHeader(), 'X-XSRF-TOKEN': page.token() };
        return client.took({ method: 'POST', path: '/forgot', headers, body: { email } }, 204);
      };
      const close = () => Promise.all([client.close(), service.close(), server.close()]);
      opened.push({ name: manner, forgot, close });
    }
    // The requests alternate between the services, so that other work on the machine delays all services equally.
    const arms = Object.fromEntries(opened.map(({ name, forgot }) => [name, forgot]));
    const runs: Samples[] = [];
    for (let run = 0; run < 3; run += 1) runs.push(await sampled(arms, times(200, 1_000)));
    const p95 = (name: string) => median(runs.map((run) => quantile(run[name]!, 0.95)));
    const figures = manners.map((name) => `${name} ${p95(name).toFixed(1)} ms`);
    process.stdout.write(`B2: p95 ${figures.join(', ')}\n`);
    for (const name of manners) expect([name, Math.abs(p95(name) - p95('takes')) < 20]).toEqual([name, true]);
  } finally {
    await Promise.all(opened.map(({ close }) => close()));
  }
});
