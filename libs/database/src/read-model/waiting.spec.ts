import { setTimeout as pause } from 'node:timers/promises';
import { type EventLog, MemoryLog, memoryStore } from '@charter/event-log';
import { type Lease, project, type Projection } from '@charter/projections';
import { counted, opened, projectAll, countingView, writerTo } from './counting-view.testing';

/** A lease that another process holds. */
const theirs: Lease = {
  hold: () => Promise.resolve(false),
  release: () => Promise.resolve(),
  held: () => Promise.resolve({ holder: 'somebody else', until: '2030-01-01T00:00:00.000Z' }),
};

let world: Awaited<ReturnType<typeof opened>>;
const running: Projection[] = [];
beforeEach(async () => {
  world = await opened();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((projection) => projection.stop()));
  await world.close();
});
const waiting = (log: EventLog = world.log) => {
  const store = world.documents.view(countingView());
  const projection = project(log, store, countingView(), { alarm: () => undefined, lease: theirs });
  running.push(projection);
  return { store, projection };
};
const until = async (holds: () => unknown) => {
  const end = Date.now() + 10_000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`It never came true: ${holds.toString()}`);
    await pause(10);
  }
};

describe('a process that waits while another projects', () => {
  it('sees how far the other has come, when it moved, and how far it is behind', async () => {
    const { store, projection } = waiting();
    const position = await world.write('tally-a', counted(1));
    await projectAll(world.log, store);
    await projection.whenProcessed(position, { timeout: 5_000 });
    expect(projection.now()).toMatchObject({ phase: 'waiting', position, movedAt: expect.any(Number) });
    const { movedAt } = projection.now();

    await world.write('tally-a', counted(1), counted(1));
    await until(() => projection.now().lagEvents === 2);
    await until(() => projection.now().lagSeconds > 0.3);
    expect(projection.now().movedAt).toBe(movedAt);
    await projectAll(world.log, store);
    await until(() => projection.now().lagEvents === 0);
    expect(projection.now().movedAt).toBeGreaterThan(movedAt!);
  });

  it('knows of a pause that was ordered', async () => {
    const { store, projection } = waiting();
    await projectAll(world.log, store);
    await store.pause();
    await until(() => projection.now().phase === 'paused');
    await store.resume();
    await until(() => projection.now().phase === 'waiting');
  });

  it('trusts no documents of another log, although it never makes any, and says what to do', async () => {
    await world.write('tally-a', counted(1));
    await projectAll(world.log, world.documents.view(countingView()));
    const { projection } = waiting(new MemoryLog(memoryStore()));
    await until(() => projection.now().phase === 'rebuild-needed');
    expect(projection.now().why).toBe(
      "The read model's checkpoint belongs to another event store. It must be rebuilt: charter projections rebuild",
    );
  });

  it('finds out while it runs that an older log was put in the place of the one before, and that it is back', async () => {
    await world.write('tally-a', counted(1), counted(1));
    const older = new MemoryLog({ ...memoryStore(), id: world.log.store.id });
    await writerTo(older)('tally-a', counted(1));
    let present: EventLog = world.log;
    const exchanged = new Proxy(world.log, {
      get: (_, name) => {
        const value: unknown = Reflect.get(present, name);
        return typeof value === 'function' ? (value.bind(present) as unknown) : value;
      },
    });
    const { store, projection } = waiting(exchanged);
    await projectAll(world.log, store);
    await until(() => projection.now().phase === 'waiting' && projection.now().checkpoint);

    present = older;
    await until(() => projection.now().phase === 'rebuild-needed');
    expect(projection.now().why).toContain('lies beyond the end of the event log');
    await until(() => projection.now().lagEvents === 1); // as if nothing had been handled
    present = world.log;
    await until(() => projection.now().phase === 'waiting');
    expect(projection.now()).toMatchObject({ why: undefined, lagSeconds: 0 });
  });
});
