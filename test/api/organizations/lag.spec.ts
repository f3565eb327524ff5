import { randomUUID } from 'node:crypto';
import { founded, path } from '../../support/requests/organizations';
import { eventsIn, paused, resumed, type Served, serving, settled, until } from '../../support/serving';

/** The moment at which the clock of the service stands still; undefined while the clock runs. */
let stopped: number | undefined;
let ahead = 0;
const clock = {
  now: () => (stopped ?? Date.now()) + ahead,
  elapsed: () => performance.now() + ahead,
  advance: (ms: number) => void (ahead += ms),
};

let served: Served;
let key: string;
beforeAll(async () => {
  served = await serving({ clock });
  key = await served.key();
});
afterAll(() => served.close());
afterEach(() => {
  stopped = undefined;
  return resumed(served);
});

const ask: Served['ask'] = (method, at, sent = {}) => served.ask(method, at, { key, ...sent });
const lagOf = ({ headers }: { headers: Record<string, unknown> }) => [
  headers['charter-lag'],
  headers['charter-lag-events'],
];
const logged = (msg: string) => served.entries().filter((entry) => entry['msg'] === msg);

describe('O11: Lag of the read model', () => {
  it('is in headers of the answers of the API, also of refusals', async () => {
    const id = await founded(served, { by: key });
    await settled(served);
    const answers = [
      await ask('GET', path(id)),
      await ask('GET', path(id, '/entitlements/users')),
      await ask('GET', path(id, '/entitlements/users?')),
      await ask('GET', path(id, '/members')),
      await ask('GET', path(id, '?asOf=0')),
      await ask('GET', '/api/v1/organizations'),
      await ask('GET', '/api/v1/me'),
      await ask('GET', '/api/v1/nothing'),
      await ask('GET', path(randomUUID())),
      await ask('GET', path(id), { key: 'chk_no' }),
      await ask('POST', path(id, '/members'), { body: { user: randomUUID(), role: 'member' } }),
      await ask('POST', path(id, '/members'), { body: { user: 'unknown' } }),
      await ask('PATCH', path(id), { body: { name: 'Other' } }),
      await ask('PATCH', path(id), { body: '{' }),
    ];
    for (const answer of answers) {
      expect([answer.status, answer.headers['charter-lag']]).toEqual([
        answer.status,
        expect.stringMatching(/^\d+(\.\d+)?$/),
      ]);
      expect(answer.headers['charter-lag-events']).toMatch(/^\d+$/);
    }
    expect((await served.ask('GET', '/health/live')).headers['charter-lag']).toBeUndefined();
  });

  it('is part of the OpenAPI document', async () => {
    const { body } = await served.ask('GET', '/api/openapi.json');
    const { responses } = body.paths['/api/v1/organizations'].get;
    for (const status of ['200', 'default'])
      expect(responses[status].headers).toMatchObject({ 'Charter-Lag': {}, 'Charter-Lag-Events': {} });
  });

  it('differs by at most a second from the true lag in answers, metrics and the health report; the report also counts the waiting events', async () => {
    await settled(served);
    await until(async () => lagOf(await ask('GET', '/api/v1/organizations')).join() === '0,0');
    await paused(served);
    const before = await eventsIn(served);
    stopped = Date.now() - ahead;
    await founded(served, { by: key });
    const foundedIn = Date.now() - clock.now();
    for (let count = 0; count < 2; count += 1) await founded(served, { by: key });
    await until(async () => lagOf(await ask('GET', '/api/v1/organizations'))[1] === '3', 20_000);
    clock.advance(10_000);

    const least = (10_000 - foundedIn) / 1_000 - 1;
    const [seconds, events] = lagOf(await ask('GET', '/api/v1/organizations'));
    expect(Number(events)).toBe((await eventsIn(served)) - before);
    expect(Number(seconds)).toBeGreaterThan(least);
    expect(Number(seconds)).toBeLessThanOrEqual(10);
    const metrics = (await served.ask('GET', '/metrics')).text;
    expect(metrics).toMatch(/^charter_projection_lag_events 3$/m);
    expect(Number(/^charter_projection_lag_seconds (.*)$/m.exec(metrics)![1])).toBeGreaterThan(least);
    expect(metrics).toMatch(/^charter_projection_phase\{phase="paused"\} 1$/m);
    const { projection } = (await served.ask('GET', '/health/ready')).body.checks;
    expect(projection).toMatchObject({ ok: true, phase: 'paused', lagEvents: 3, isLate: false });
    expect(projection.lagSeconds).toBeGreaterThan(least);

    stopped = undefined;
    await resumed(served);
    await settled(served);
    expect(lagOf(await ask('GET', '/api/v1/organizations'))).toEqual(['0', '0']);
  });

  it('is logged when it reaches 30 seconds and when it has ended; the process stays ready', async () => {
    await paused(served);
    stopped = Date.now() - ahead;
    await founded(served, { by: key });
    const foundedIn = Date.now() - clock.now();
    const count = jest.spyOn(served.charter.log, 'lag');
    /** Waits for three measurements of the lag, because the process reports a change only after two. */
    const measured = async () => {
      const before = count.mock.calls.length;
      await until(() => count.mock.calls.length >= before + 3, 20_000);
    };
    clock.advance(30_000); // the service wrote the event after the clock stopped, so the lag is at most this long
    await measured();
    expect(logged('the read model is late')).toEqual([]);
    clock.advance(foundedIn + 1); // more than 30 seconds have passed since the service wrote the event
    await until(() => logged('the read model is late').length > 0, 20_000);
    clock.advance(60_000);
    await measured();
    count.mockRestore();
    expect(logged('the read model is late')).toMatchObject([{ level: 50, lagEvents: 1 }]);
    expect((await served.ask('GET', '/metrics')).text).toMatch(/^charter_projection_late_total 1$/m);
    const { status, body } = await served.ask('GET', '/health/ready');
    expect([status, body.checks.projection.isLate]).toEqual([200, true]);

    stopped = undefined;
    await resumed(served);
    await settled(served);
    await until(() => logged('the read model has caught up').length === 1);
  });
});
