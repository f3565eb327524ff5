import { randomUUID } from 'node:crypto';
import type { Delivery, EventLog, SubscribeOptions } from '@charter/event-log';
import { runningFacade } from '../facade/running';
import { founded, path } from '../support/requests/organizations';
import { secrets } from '../support/secrets';
import {
  newFolder,
  type Options,
  paused,
  resumed,
  type Served,
  serving,
  settled,
  type Stores,
  until,
} from '../support/serving';
import { withFaults } from '../support/stores/faults';
import { postgres } from '../support/stores/postgres';

type Environment = Readonly<Record<string, string>>;

const servers = async () => {
  const [facade, database] = await Promise.all([runningFacade(), postgres()]);
  return { ...secrets, DOCUMENTS: await database.fresh(), EVENT_LOG: facade.url, EVENT_LOG_ALLOW_INSECURE: 'true' };
};

const stores: readonly (readonly [string, () => Promise<Environment>, second: Options])[] = [
  ['embedded stores', () => Promise.resolve({}), { role: 'beside' }],
  ['an EventStoreDB façade and PostgreSQL', servers, { environment: { ROLE: 'api' } }],
];

/** The stores with a log that delivers nothing to projections until the gate opens. */
const deliveringAfter =
  (gate: Promise<undefined>) =>
  ({ catalogue, log, database }: Stores): Stores => {
    const subscribe: EventLog['subscribe'] = (options) => delayed(log, options, gate);
    return { catalogue, database, log: withFaults(log, { subscribe }) };
  };

async function* delayed(log: EventLog, options: SubscribeOptions, gate: Promise<undefined>): AsyncGenerator<Delivery> {
  await gate;
  yield* log.subscribe(options);
}

const never = new Promise<undefined>(() => undefined);
const health = async ({ ask }: Served) => {
  const { status, body } = await ask('GET', '/health/ready');
  const { behind, why, phase } = body.checks.projection as Record<string, string | undefined>;
  return { status, behind, why, phase };
};

describe.each(stores)('N1: Readiness after a restart on %s', (_, environmentOf, second) => {
  const folder = newFolder();
  let environment: Environment;
  let key: string;
  let id: string;
  const started = (options: Options = {}) =>
    serving({ folder, ...options, environment: { ...environment, ...options.environment } });
  /** Adds members, and stops the process before the read model contains them. */
  const addUnprojected = async (count: number, finish?: (served: Served) => Promise<unknown>) => {
    const served = await started({ between: deliveringAfter(never) });
    for (let added = 0; added < count; added += 1)
      await served.ask('POST', path(id, '/members'), { key, body: { user: randomUUID(), role: 'member' } });
    await finish?.(served);
    await served.stop();
  };
  const membersIn = async (served: Served) =>
    (await served.ask('GET', path(id), { key })).body.members.length as number;

  beforeAll(async () => {
    environment = await environmentOf();
    const served = await started();
    key = await served.key();
    id = await founded(served, { by: key });
    await settled(served);
    await served.stop();
  }, 120_000);

  it('comes only when the read model contains every member that was acknowledged before', async () => {
    await addUnprojected(5);
    const gate = Promise.withResolvers<undefined>();
    const served = await started({ between: deliveringAfter(gate.promise) });
    for (let times = 0; times < 3; times += 1)
      expect(await health(served)).toMatchObject({ status: 503, behind: 'organizations', why: undefined });

    gate.resolve(undefined);
    await until(async () => (await health(served)).status === 200, 20_000);
    expect(await membersIn(served)).toBe(5);
    expect((await health(served)).behind).toBeUndefined();
    await served.stop();
  }, 60_000);

  it('waits for a paused projection; after 30 seconds health names the view that is behind', async () => {
    await addUnprojected(1, ({ charter }) => charter.view.pause());
    const served = await started();
    await until(async () => (await health(served)).phase === 'paused');
    served.clock.advance(15_000);
    expect(await health(served)).toMatchObject({ status: 503, behind: 'organizations', why: undefined });
    served.clock.advance(15_000);
    expect(await health(served)).toMatchObject({
      status: 503,
      why: expect.stringMatching(/^The view organizations .* paused: charter projections resume$/) as string,
    });
    expect(served.entries().filter(({ msg }) => msg === 'the service is not ready')).toHaveLength(1);

    await resumed(served);
    await until(async () => (await health(served)).status === 200, 20_000);
    expect(await membersIn(served)).toBe(6);
    await paused(served); // the process stays ready during a later pause
    expect((await health(served)).status).toBe(200);
    await resumed(served);
    await served.stop();
  }, 60_000);

  it('makes a process that does not project wait for the process that does', async () => {
    await addUnprojected(1);
    const gate = Promise.withResolvers<undefined>();
    const projecting = await started({ between: deliveringAfter(gate.promise) });
    const waiting = await started(second);
    await until(async () => (await health(waiting)).phase === 'waiting');
    expect(await health(waiting)).toMatchObject({ status: 503, behind: 'organizations', why: undefined });
    waiting.clock.advance(30_000);
    expect((await health(waiting)).why).toMatch(/^The view organizations .* Another process must project it/);

    gate.resolve(undefined);
    await until(async () => (await health(waiting)).status === 200, 20_000);
    expect(await membersIn(waiting)).toBe(7);
    await waiting.stop();
    await projecting.stop();
  }, 60_000);

  it('does not wait for events that change nothing in the read model', async () => {
    const before = await started();
    await settled(before);
    await before.stop();
    // the read of a history is recorded in the stream of the key
    await addUnprojected(0, ({ ask }) => ask('GET', path(id, '?asOf=0'), { key }));

    const served = await started({ between: deliveringAfter(never) });
    await until(async () => (await health(served)).phase === 'running');
    expect((await health(served)).status).toBe(200);
    await served.stop();
  }, 60_000);
});
