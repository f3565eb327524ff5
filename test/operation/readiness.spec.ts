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
import { onTables } from '../support/stores/tables';
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

/** The stores with a log that gives a rebuild no pages until the gate opens. */
const readingAfter =
  (gate: Promise<undefined>) =>
  ({ catalogue, log, database }: Stores): Stores => {
    async function* batches(options: Parameters<NonNullable<EventLog['batches']>>[0]) {
      await gate;
      yield* log.batches!(options);
    }
    return { catalogue, database, log: withFaults(log, { batches }) };
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
const stateOf = (served: Served) => health(served).then(({ status, behind }) => [status, behind]);
/** The log entries that report a change of the readiness. */
const changesIn = (served: Served) =>
  served.entries().filter(({ msg }) => /^the (service is|read model lacks)/.test(String(msg)));
/**
 * Under load a process may lose its lease for a moment. The process then does not project, and its time without
 * progress begins again.
 */
const untilUnready = (served: Served) =>
  until(async () => {
    served.clock.advance(31_000);
    return (await stateOf(served)).join() === '503,organizations';
  }, 20_000);
const HOUR = 3_600_000;
const ready = [200, undefined];
const readyBehind = [200, 'organizations'];

describe.each(stores)('N1: After a restart on %s,', (_, environmentOf, second) => {
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

  it('a process is ready only when the read model contains every member that was acknowledged before', async () => {
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

  it('a process with a paused projection is ready after 30 seconds, and the health report names the view', async () => {
    await addUnprojected(1, ({ charter }) => charter.view.pause());
    const served = await started();
    await until(async () => (await health(served)).phase === 'paused');
    served.clock.advance(15_000);
    expect(await health(served)).toMatchObject({ status: 503, behind: 'organizations', why: undefined });
    served.clock.advance(15_000);
    expect(await health(served)).toMatchObject({
      status: 200,
      behind: 'organizations',
      why: expect.stringMatching(/^The view organizations .* paused: charter projections resume$/) as string,
    });
    served.clock.advance(HOUR);
    expect(await stateOf(served)).toEqual(readyBehind);
    expect(changesIn(served)).toMatchObject([{ level: 40, msg: 'the read model lacks events from before the start' }]);

    await resumed(served);
    await until(async () => (await health(served)).behind === undefined, 20_000);
    expect(await membersIn(served)).toBe(6);
    await paused(served);
    served.clock.advance(HOUR);
    expect(await stateOf(served)).toEqual(ready);
    await resumed(served);
    await settled(served);
    await served.stop();
  }, 60_000);

  it('a process that builds the read model for its version is ready after 30 seconds', async () => {
    await addUnprojected(1, (served) => onTables(served, 'update editions set version = version - 1'));
    const gate = Promise.withResolvers<undefined>();
    const served = await started({ between: readingAfter(gate.promise) });
    await until(async () => (await health(served)).phase === 'rebuilding');
    served.clock.advance(15_000);
    expect(await health(served)).toMatchObject({ status: 503, behind: 'organizations' });
    served.clock.advance(15_000);
    expect(await health(served)).toMatchObject({
      status: 200,
      behind: 'organizations',
      why: expect.stringMatching(/^The view organizations .* Charter builds this view for its version/) as string,
    });
    served.clock.advance(HOUR);
    expect(await stateOf(served)).toEqual(readyBehind);

    gate.resolve(undefined);
    await until(async () => (await health(served)).behind === undefined, 20_000);
    expect(await stateOf(served)).toEqual(ready);
    await settled(served);
    await served.stop();
  }, 60_000);

  it('a process stays ready while a resumed projection catches up, but not if the projection makes no progress', async () => {
    await addUnprojected(1, ({ charter }) => charter.view.pause());
    const gate = Promise.withResolvers<undefined>();
    const served = await started({ between: deliveringAfter(gate.promise) });
    await until(async () => (await health(served)).phase === 'paused');
    served.clock.advance(HOUR);
    expect(await stateOf(served)).toEqual(readyBehind);

    await served.charter.view.resume();
    await until(async () => (await health(served)).phase === 'running');
    expect(await stateOf(served)).toEqual(readyBehind);
    await untilUnready(served);
    gate.resolve(undefined);
    await until(async () => (await health(served)).behind === undefined, 20_000);
    expect(await stateOf(served)).toEqual(ready);
    await served.stop();
  }, 60_000);

  it('a process becomes unready without progress, although its clock was a day ahead and was set right', async () => {
    await addUnprojected(1, ({ charter }) => charter.view.pause());
    const served = await started({ between: deliveringAfter(never) });
    await until(async () => (await health(served)).phase === 'paused');
    served.clock.advance(24 * HOUR);
    expect(await stateOf(served)).toEqual(readyBehind);
    await served.charter.view.resume();
    await until(async () => (await health(served)).phase === 'running');
    served.clock.advance(-24 * HOUR);
    await untilUnready(served);
    await served.stop();
  }, 60_000);

  it('a process that does not project waits for the process that projects', async () => {
    await addUnprojected(1);
    const gate = Promise.withResolvers<undefined>();
    const projecting = await started({ between: deliveringAfter(gate.promise) });
    const waiting = await started(second);
    await until(async () => (await health(waiting)).phase === 'waiting');
    expect(await health(waiting)).toMatchObject({ status: 503, behind: 'organizations', why: undefined });
    waiting.clock.advance(HOUR);
    expect(await stateOf(waiting)).toEqual(readyBehind);
    expect((await health(waiting)).why).toMatch(/^The view organizations .* Another process must project it/);
    await untilUnready(projecting); // the log delivers nothing to this process, so it stays unready

    gate.resolve(undefined);
    for (const served of [waiting, projecting]) {
      await until(async () => (await health(served)).behind === undefined, 20_000);
      expect(await stateOf(served)).toEqual(ready);
      expect(await membersIn(served)).toBe(10);
    }
    await waiting.stop();
    await projecting.stop();
  }, 60_000);

  it('a process does not wait for events that change nothing in the read model', async () => {
    const before = await started();
    await settled(before);
    await before.stop();
    // the read of a history is recorded in the stream of the API key
    await addUnprojected(0, ({ ask }) => ask('GET', path(id, '?asOf=0'), { key }));

    const served = await started({ between: deliveringAfter(never) });
    await until(async () => (await health(served)).phase === 'running');
    expect((await health(served)).status).toBe(200);
    await served.stop();
  }, 60_000);
});
