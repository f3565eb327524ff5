import { setTimeout as pause } from 'node:timers/promises';
import { type EventLog, MemoryLog, memoryStore } from '@charter/event-log';
import { type Lease, project, type Projection } from '@charter/projections';
import { counted, opened, projectAll, countingView, writerTo } from './counting-view.testing';

/** A lease that another process holds. */
const leaseElsewhere: Lease = {
  hold: () => Promise.resolve(false),
  release: () => Promise.resolve(),
  held: () => Promise.resolve({ holder: 'another process', until: '2030-01-01T00:00:00.000Z' }),
};

let fixture: Awaited<ReturnType<typeof opened>>;
const running: Projection[] = [];
beforeEach(async () => {
  fixture = await opened();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((projection) => projection.stop()));
  await fixture.close();
});
const startWaiting = (log: EventLog = fixture.log) => {
  const store = fixture.database.view(countingView());
  const projection = project(log, store, countingView(), { alarm: () => undefined, lease: leaseElsewhere });
  running.push(projection);
  return { store, projection };
};
const until = async (holds: () => unknown) => {
  const end = Date.now() + 10_000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`The condition did not become true within 10 s: ${holds.toString()}`);
    await pause(10);
  }
};

describe('A process that waits while another process projects', () => {
  it('reports the position of the other process, the moment when this position last changed, and the lag', async () => {
    const { store, projection } = startWaiting();
    const position = await fixture.write('tally-a', counted(1));
    await projectAll(fixture.log, store);
    await projection.whenProcessed(position, { timeout: 5_000 });
    expect(projection.now()).toMatchObject({ phase: 'waiting', position, movedAt: expect.any(Number) });
    const { movedAt } = projection.now();

    await fixture.write('tally-a', counted(1), counted(1));
    await until(() => projection.now().lagEvents === 2);
    await until(() => projection.now().lagSeconds > 0.3);
    expect(projection.now().movedAt).toBe(movedAt);
    await projectAll(fixture.log, store);
    await until(() => projection.now().lagEvents === 0);
    expect(projection.now().movedAt).toBeGreaterThan(movedAt!);
  });

  it('reports the phase `paused` until another process resumes the projection', async () => {
    const { store, projection } = startWaiting();
    await projectAll(fixture.log, store);
    await store.pause();
    await until(() => projection.now().phase === 'paused');
    await store.resume();
    await until(() => projection.now().phase === 'waiting');
  });

  it('asks for a rebuild when the documents belong to another event store', async () => {
    await fixture.write('tally-a', counted(1));
    await projectAll(fixture.log, fixture.database.view(countingView()));
    const { projection } = startWaiting(new MemoryLog(memoryStore()));
    await until(() => projection.now().phase === 'rebuild-needed');
    expect(projection.now().why).toBe(
      "The read model's checkpoint belongs to another event store. The read model must be rebuilt: charter projections rebuild",
    );
  });

  it('asks for a rebuild while an older copy replaces the log, and continues when the original log is back', async () => {
    await fixture.write('tally-a', counted(1), counted(1));
    const olderLog = new MemoryLog({ ...memoryStore(), id: fixture.log.store.id });
    await writerTo(olderLog)('tally-a', counted(1));
    let currentLog: EventLog = fixture.log;
    const switchedLog = new Proxy(fixture.log, {
      get: (_, name) => {
        const value: unknown = Reflect.get(currentLog, name);
        return typeof value === 'function' ? (value.bind(currentLog) as unknown) : value;
      },
    });
    const { store, projection } = startWaiting(switchedLog);
    await projectAll(fixture.log, store);
    await until(() => projection.now().phase === 'waiting' && projection.now().checkpoint);

    currentLog = olderLog;
    await until(() => projection.now().phase === 'rebuild-needed');
    expect(projection.now().why).toContain('lies beyond the end of the event log');
    // The checkpoint is not valid for the older log, so the projector still has to process that whole log.
    await until(() => projection.now().lagEvents === 1);
    currentLog = fixture.log;
    await until(() => projection.now().phase === 'waiting');
    expect(projection.now()).toMatchObject({ why: undefined, lagSeconds: 0 });
  });
});
