import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { founded, path } from '../support/requests/organizations';
import { type Process, served, several, type Several } from '../support/network/processes';
import { until } from '../support/serving';
import { caughtUp } from './observing';

let all: Several;
let key: string;
beforeAll(async () => {
  all = await several();
  key = await all.key();
}, 120_000);
afterAll(() => all.end(), 60_000);

describe('Q8: Stop', () => {
  it('ends a process at once when a second signal comes after more than two seconds', async () => {
    const one = await all.start();
    const open = await unfinishedRequest(one, key);
    one.signal('SIGTERM');
    await pause(200);
    const asked = performance.now();
    expect((await one.health()).body).toMatchObject({ status: 'stopping' });
    const answerMs = performance.now() - asked;
    await pause(2_000);
    const { code, afterMs } = await one.stop();
    expect(code).toBe(1);
    // On a busy machine, this process needs longer for an answer, and also for its end. A process that ignores the
    // signal waits for the open request, at least five seconds more.
    expect(afterMs).toBeLessThan(Math.min(1_000 + 20 * answerMs, 5_000));
    open.destroy();
  }, 60_000);

  it('ignores further SIGINTs within two seconds of the first, because npm forwards a signal that the process has already received', async () => {
    const one = await all.start();
    one.signal('SIGINT');
    await pause(20);
    one.signal('SIGINT');
    await pause(1_000);
    one.signal('SIGINT');
    expect((await one.exited).code).toBe(0);
  }, 60_000);
});

describe('Role of a process', () => {
  it('`api` lets a process serve requests but not project: if no other process projects, a read with atLeast gets "not yet"', async () => {
    await until(async () => (await all.charter.database.lease('projections').held()) === undefined, 15_000);
    const [api, elsewhere] = await Promise.all([all.start({ ROLE: 'api' }), all.start({ ROLE: 'api' })]);
    const id = await founded(served(all, api), { by: key });
    const refused = await elsewhere.ask('GET', path(id, '?atLeast=0'), { key });
    expect([refused.status, refused.body.type]).toEqual([503, '/problems/not-yet']);
    expect((await api.ask('GET', path(id), { key })).status).toBe(200); // the process that wrote also shows the write

    const projecting = await all.start({ ROLE: 'api' }, ['--role', 'projections']);
    await caughtUp(all);
    expect((await elsewhere.ask('GET', path(id, '?atLeast=0'), { key })).status).toBe(200);
    for (const [at, status] of [
      ['/health/live', 200],
      ['/health/ready', 200],
      ['/metrics', 200],
      ['/', 404],
      ['/login', 404],
      [path(id), 404],
      ['/health', 404],
    ] as const)
      expect([at, (await projecting.ask('GET', at, { key })).status]).toEqual([at, status]);
    const added = await projecting.ask('POST', path(id, '/members'), {
      key,
      body: { user: randomUUID(), role: 'member' },
    });
    expect([added.status, added.headers['content-type']]).toEqual([404, 'application/problem+json; charset=utf-8']);
    const { code } = await projecting.stop();
    expect(code).toBe(0);
    // the process releases the lease before it ends
    expect(await all.charter.database.lease('projections').held()).toBeUndefined();
    await Promise.all([api.stop(), elsewhere.stop()]);
  }, 90_000);
});

/** A request whose body never ends, so that a stopping process waits for the request. */
async function unfinishedRequest({ url }: Process, key: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  const head = [
    ...['POST /api/v1/organizations HTTP/1.1', 'Host: x', `Authorization: Bearer ${key}`],
    ...['Content-Type: application/json', 'Content-Length: 100'],
  ];
  await new Promise((resolve) => socket.write(`${head.join('\r\n')}\r\n\r\n{`, resolve));
  return socket;
}
