import { setTimeout as pause } from 'node:timers/promises';
import type { Delivery, EventLog, SubscribeOptions } from '@charter/event-log';
import {
  type PoisonAlarm,
  project,
  type Projection,
  type ProjectionOptions,
  rebuild,
  readProjectionStatus,
  verifyView,
} from '@charter/projections';
import { databases } from '../database.testing';
import {
  contents,
  counted,
  cursed,
  named,
  opened,
  projectAll,
  tagged,
  type CountingState,
  countingView,
  untagged,
} from './counting-view.testing';
import type { ViewStore } from './view-store';

describe.each(databases)('projecting into %s', (database, make) => {
  let world: Awaited<ReturnType<typeof opened>>;
  const running: Projection[] = [];
  beforeEach(async () => {
    world = await opened(make);
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((projection) => projection.stop()));
    await world.close();
  });
  const start = (view = countingView(), options: Partial<ProjectionOptions> = {}) => {
    const store = world.documents.view(view);
    const projection = project(world.log, store, view, { alarm: () => undefined, pace: 0, ...options });
    running.push(projection);
    return { store, projection };
  };
  /** As answers see it; at once, where that can be. */
  const revisionOf = async (store: ViewStore<CountingState>, stream: string) =>
    database === 'SQLite' ? store.revisionSync!(stream) : (await store.get(stream))?.revision;
  const until = async (holds: () => boolean | Promise<boolean>) => {
    const end = Date.now() + 10_000;
    while (!(await holds())) {
      if (Date.now() > end) throw new Error('It never came true.');
      await pause(10);
    }
  };

  it('keeps the documents of its streams, and answers for a position', async () => {
    const { store, projection } = start();
    await world.write('tally-a', named('Acme'), counted(2));
    await world.write('other-b', counted(9));
    const position = await world.write('tally-a', counted(3));
    await projection.whenProcessed(position, { timeout: 5_000 });

    expect(await store.get('tally-a')).toEqual({
      state: { name: 'Acme', total: 5, seen: [0, 1, 2], tags: [] },
      revision: 2,
      at: '2026-11-21T10:00:00.000Z',
    });
    if (database === 'SQLite') expect(store.getSync!('tally-a')).toEqual(await store.get('tally-a'));
    expect(await revisionOf(store, 'tally-a')).toBe(2);
    expect(await store.get('other-b')).toBeUndefined();
    expect(await revisionOf(store, 'tally-none')).toBeUndefined();
    await until(() => projection.now().caughtUp);
    expect(projection.now()).toMatchObject({ phase: 'running', position, lagSeconds: 0, lagEvents: 0 });
  });

  it('says so when a position was not reached in time', async () => {
    const { projection } = start();
    await expect(projection.whenProcessed('9'.repeat(20), { timeout: 20 })).rejects.toThrow('has not reached position');
  });

  it('tells caches which revisions documents have reached', async () => {
    const told: [string, number][] = [];
    await world.write('tally-a', counted(), counted());
    const { projection } = start(countingView(), {
      onCommitted: (revisions) => {
        told.push(...revisions);
      },
    });
    await projection.whenProcessed(await world.log.head(), { timeout: 5_000 });
    expect(told.at(-1)).toEqual(['tally-a', 1]);
  });

  it('lists by name, part of a name and tags, page by page', async () => {
    for (const [stream, name, tag] of [
      ['a', 'Zebra', 'red'],
      ['b', 'acme_1', 'red'],
      ['c', 'Acmex1', 'blue'],
      ['d', 'Ächme', 'red'],
    ] as const)
      await world.write(`tally-${stream}`, named(name), tagged(tag), tagged('all'));
    await world.write('tally-e', counted());
    const view = countingView();
    const store = world.documents.view(view);
    await projectAll(world.log, store, view);
    const names = async (query: object) => (await store.list({ limit: 10, ...query })).rows.map(({ name }) => name);

    expect(await names({})).toEqual(['acme_1', 'Acmex1', 'Zebra', 'Ächme']);
    expect(await names({ q: 'ACME' })).toEqual(['acme_1', 'Acmex1']);
    expect(await names({ q: 'acme_' })).toEqual(['acme_1']);
    expect(await names({ q: 'ÄCH' })).toEqual(['Ächme']);
    expect(await names({ q: '%' })).toEqual([]);
    expect(await names({ tags: ['red', 'all'] })).toEqual(['acme_1', 'Zebra', 'Ächme']);
    expect(await names({ tags: ['green'] })).toEqual([]);

    const first = await store.list({ limit: 2 });
    expect(first.rows).toEqual([
      { stream: 'tally-b', name: 'acme_1', revision: 2, columns: { total: 0 } },
      { stream: 'tally-c', name: 'Acmex1', revision: 2, columns: { total: 0 } },
    ]);
    expect(await names({ limit: 2, after: first.next })).toEqual(['Zebra', 'Ächme']);
    expect((await store.list({ limit: 2, after: first.next })).next).toBeUndefined();

    await world.write('tally-a', untagged('red'), named('Yak'));
    await projectAll(world.log, store, view);
    expect(await names({ tags: ['red'] })).toEqual(['acme_1', 'Ächme']);
    expect((await store.list({ q: 'yak', limit: 1 })).rows).toMatchObject([{ revision: 4, name: 'Yak' }]);
  });

  describe('meeting poison', () => {
    const alarms: PoisonAlarm[] = [];
    beforeEach(() => alarms.splice(0));
    const alarm = (each: PoisonAlarm) => {
      alarms.push(each);
    };

    it('parks that stream at its last good revision, rings, and lets the others go on', async () => {
      await world.write('tally-a', counted(1), counted(1), cursed(100), counted(1));
      await world.write('tally-b', counted(7));
      const { store, projection } = start(countingView(), { alarm });
      await projection.whenProcessed(await world.log.head(), { timeout: 5_000 });
      expect((await store.get('tally-b'))?.state.total).toBe(7);

      await until(() => alarms.length > 0);
      expect(alarms).toMatchObject([
        { view: 'tallies', attempts: 4, event: { stream: 'tally-a', type: 'Cursed', revision: 2n } },
      ]);
      await world.write('tally-a', counted(1));
      const position = await world.write('tally-b', counted(1));
      await projection.whenProcessed(position, { timeout: 5_000 });

      expect((await (await store.live())?.get('tally-a'))?.state).toMatchObject({ total: 2, seen: [0, 1] });
      expect(await store.get('tally-a')).toBeUndefined(); // the caller folds the stream
      expect(await revisionOf(store, 'tally-a')).toBeUndefined();
      expect((await store.get('tally-b'))?.state.total).toBe(8);
      const status = await readProjectionStatus(world.log, store, countingView());
      expect(status.parked).toMatchObject([
        { stream: 'tally-a', revision: 2, attempts: 4, error: 'Error: It is cursed.' },
      ]);
      expect(alarms).toHaveLength(1);
    });

    it.each([
      ['an unknown type', { type: 'Prophesied', data: {} }],
      ['a missing field', { type: 'Counted', data: {} }],
      ['a wrong type', { type: 'Counted', data: { by: 'two' } }],
      ['metadata that say nothing', { ...counted(), metadata: {} }],
      ['metadata without a moment', { ...counted(), metadata: { actor: { kind: 'system', id: 'spec' } } }],
      ['nearly a megabyte where a number belongs', { type: 'Counted', data: { by: 'x'.repeat(900_000) } }],
      ['an event that leads to an impossible row', tagged('unlistable')],
    ])('parks %s in the middle of a batch', async (_, poison) => {
      await world.write('tally-a', counted(1));
      await world.write('tally-a', poison);
      await world.write('tally-b', counted(7));
      const { store, projection } = start(countingView(), { alarm });
      await projection.whenProcessed(await world.log.head(), { timeout: 5_000 });
      expect((await store.get('tally-b'))?.state.total).toBe(7);
      expect([...projection.now().parked]).toMatchObject([['tally-a', { revision: 1, attempts: 1 }]]);
    });

    it('folds a stream on by itself when a retry helps, without an alarm', async () => {
      const curse = { on: true };
      await world.write('tally-a', counted(1), cursed(10), counted(1));
      const { store, projection } = start(countingView(curse), { alarm });
      await projection.whenProcessed(await world.log.head(), { timeout: 5_000 });
      expect(projection.now().parked.get('tally-a')).toMatchObject({ revision: 1, attempts: 1 });
      curse.on = false;
      await until(() => projection.now().parked.size === 0);
      expect((await store.get('tally-a'))?.state).toEqual({ name: '', total: 12, seen: [0, 1, 2], tags: [] });
      expect(alarms).toEqual([]);
    });

    it('folds a released stream on, once and in order', async () => {
      const curse = { on: true };
      const view = countingView(curse);
      const { store, projection } = start(view, { alarm });
      await projection.whenProcessed(await world.write('tally-a', counted(1)), { timeout: 5_000 });
      await world.write('tally-a', cursed(10), counted(1));
      await until(() => alarms.length > 0);
      expect(await store.release('tally-a')).toBe(true); // too early: it is still cursed
      await until(() => alarms.length > 1);

      curse.on = false;
      await world.write('tally-a', counted(1));
      expect(await store.release('tally-a')).toBe(true);
      expect(await store.release('tally-none')).toBe(false);
      await until(() => projection.now().parked.size === 0);
      const position = await world.write('tally-a', counted(1));
      await projection.whenProcessed(position, { timeout: 5_000 });
      expect((await store.get('tally-a'))?.state).toEqual({ name: '', total: 14, seen: [0, 1, 2, 3, 4], tags: [] });
      expect(await verifyView(world.log, (await store.live())!, view)).toMatchObject({ ok: true, documents: 1 });
    });

    it('takes a gap for poison, and closes it from the stream', async () => {
      await world.write('tally-a', counted(1), counted(10), counted(100));
      const skipping = Object.assign(Object.create(world.log) as EventLog, {
        subscribe: (options: SubscribeOptions) => without(world.log.subscribe(options), 'tally-a', 1n),
      });
      const store = world.documents.view(countingView());
      const projection = project(skipping, store, countingView(), { alarm, pace: 0 });
      running.push(projection);
      await projection.whenProcessed(await world.log.head(), { timeout: 5_000 });
      expect(projection.now().parked.get('tally-a')?.error).toBe('Error: Revision 1 is missing before revision 2.');
      await until(() => projection.now().parked.size === 0);
      expect((await store.get('tally-a'))?.state).toMatchObject({ total: 111, seen: [0, 1, 2] });
      expect(alarms).toEqual([]);
    });

    it('is over once a rebuild has answered for all streams', async () => {
      const curse = { on: true };
      const view = countingView(curse);
      const { store, projection } = start(view, { alarm });
      await world.write('tally-a', cursed(10));
      await until(() => alarms.length > 0);
      curse.on = false;
      await rebuild(world.log, store, view);
      await until(() => projection.now().parked.size === 0); // without a new event
      expect(await revisionOf(store, 'tally-a')).toBe(0);
    });

    it('goes on retrying after a restart', async () => {
      const curse = { on: true };
      const view = countingView(curse);
      await world.write('tally-a', cursed(10));
      const store = world.documents.view(view);
      await projectAll(world.log, store, view);
      expect(await contents(store)).toMatchObject({ parked: [['tally-a', 0]] });
      curse.on = false;
      const { projection } = start(view, { alarm });
      await until(async () => (await revisionOf(store, 'tally-a')) === 0);
      expect(projection.now().parked.size).toBe(0);
    });
  });

  it('does what other processes order: pause and resume', async () => {
    const { store, projection } = start();
    await until(() => projection.now().caughtUp);
    await store.pause();
    await until(() => projection.now().phase === 'paused');
    const position = await world.write('tally-a', counted());
    await expect(projection.whenProcessed(position, { timeout: 300 })).rejects.toThrow();
    await until(() => projection.now().lagSeconds > 0.2);
    expect(await readProjectionStatus(world.log, store, countingView())).toMatchObject({ paused: true, lagEvents: 1 });
    await store.resume();
    await projection.whenProcessed(position, { timeout: 5_000 });
    expect(projection.now()).toMatchObject({ phase: 'running', lagSeconds: 0 });
  });

  it('stops and asks for a rebuild when the log is another, and goes on after it', async () => {
    const view = countingView();
    const store = world.documents.view(view);
    await world.write('tally-a', counted());
    await projectAll(world.log, store, view);
    const other = await opened(make);
    await other.write('tally-b', counted(), counted());

    const projection = project(other.log, store, view, { alarm: () => undefined });
    running.push(projection);
    await until(() => projection.now().phase === 'rebuild-needed');
    expect(projection.now().why).toContain('belongs to another event store');
    expect((await readProjectionStatus(other.log, store, view)).rebuildNeeded).toContain('another event store');
    expect(await revisionOf(store, 'tally-a')).toBe(0);

    await rebuild(other.log, store, view);
    await until(() => projection.now().phase === 'running');
    expect(await revisionOf(store, 'tally-a')).toBeUndefined();
    expect(await revisionOf(store, 'tally-b')).toBe(1);
    await projection.stop();
    await other.close();
  });
});

/** Deliveries, of which one is lost on the way. */
function without(source: AsyncIterable<Delivery>, stream: string, revision: bigint): AsyncIterable<Delivery> {
  const iterator = source[Symbol.asyncIterator]();
  const next = async (): Promise<IteratorResult<Delivery>> => {
    const step = await iterator.next();
    if (step.done || step.value.kind !== 'event') return step;
    const { event } = step.value;
    return event.stream === stream && event.revision === revision ? next() : step;
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: () => iterator.return!() }) };
}
