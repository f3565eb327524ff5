import { setTimeout as pause } from 'node:timers/promises';
import { type Delivery, type EventLog, LogError, positionOf, type SubscribeOptions } from '@charter/event-log';
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
  tagAdded,
  type CountingState,
  countingView,
  tagRemoved,
} from './counting-view.testing';
import type { ViewStore } from './view-store';

describe.each(databases)('Projector into %s', (database, make) => {
  let fixture: Awaited<ReturnType<typeof opened>>;
  const running: Projection[] = [];
  beforeEach(async () => {
    fixture = await opened(make);
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((projection) => projection.stop()));
    await fixture.close();
  });
  const start = (view = countingView(), options: Partial<ProjectionOptions> = {}) => {
    const store = fixture.database.view(view);
    const projection = project(fixture.log, store, view, { alarm: () => undefined, pace: 0, ...options });
    running.push(projection);
    return { store, projection };
  };
  /** The revision of a stream's document that queries return; on SQLite, a synchronous query reads it. */
  const revisionOf = async (store: ViewStore<CountingState>, stream: string) =>
    database === 'SQLite' ? store.revisionSync!(stream) : (await store.get(stream))?.revision;
  const until = async (holds: () => boolean | Promise<boolean>) => {
    const end = Date.now() + 10_000;
    while (!(await holds())) {
      if (Date.now() > end) throw new Error('The condition did not become true within 10 s.');
      await pause(10);
    }
  };

  it('updates a document with its events up to a position before `whenProcessed` resolves for this position', async () => {
    const { store, projection } = start();
    await fixture.write('tally-a', named('Acme'), counted(2));
    await fixture.write('other-b', counted(9));
    const position = await fixture.write('tally-a', counted(3));
    await projection.whenProcessed(position, { timeout: 5_000 });

    expect(await store.get('tally-a')).toEqual({
      state: { name: 'Acme', total: 5, seen: [0, 1, 2], tags: [] },
      revision: 2,
      at: '2026-11-21T10:00:00.000Z',
    });
    expect(await revisionOf(store, 'tally-a')).toBe(2);
    expect(await store.get('other-b')).toBeUndefined();
    expect(await revisionOf(store, 'tally-none')).toBeUndefined();
    await until(() => projection.now().caughtUp);
    expect(projection.now()).toMatchObject({ phase: 'running', position, lagSeconds: 0, lagEvents: 0 });
  });

  it('rejects a wait for a position that the projection does not reach in time', async () => {
    const { projection } = start();
    await expect(projection.whenProcessed('9'.repeat(20), { timeout: 20 })).rejects.toThrow('has not reached position');
  });

  it.each([
    ['if the log contains no event', 0],
    ['if the log contains two events', 2],
  ])('replaces a stored position that no log can have, %s', async (_, events) => {
    for (let event = 0; event < events; event += 1) await fixture.write('tally-a', counted());
    const before = start();
    await until(() => before.projection.now().caughtUp);
    await before.projection.stop();
    const identity = await fixture.log.identity();
    await fixture.place.run(`UPDATE editions SET store = '${identity}', position = '18446744073709551615'`);

    const { store, projection } = start();
    await until(() => projection.now().caughtUp);
    expect(projection.now()).toMatchObject({ phase: 'running', lagEvents: 0 });
    expect((await store.editions())[0]!.position).toBe(await fixture.log.head());
    const position = await fixture.write('tally-a', counted());
    await projection.whenProcessed(position, { timeout: 5_000 });
    expect((await store.get('tally-a'))!.state.total).toBe(events + 1);
    expect((await (await store.live())!.status()).checkpoint).toMatchObject({ store: identity, position });
  });

  it('stores documents and parks streams after a restored log has grown to the stored position again', async () => {
    await fixture.write('tally-a', counted());
    const before = start();
    await until(() => before.projection.now().caughtUp);
    await before.projection.stop();
    // Before the restore, the log contained other events up to this position.
    const position = positionOf(5n);
    await fixture.place.run(`UPDATE editions SET position = '${position}'`);
    await fixture.write('tally-a', counted());
    await fixture.write('tally-b', cursed());
    await fixture.write('other-b', counted(), counted());
    expect(await fixture.log.head()).toBe(position);

    const { store, projection } = start();
    await until(() => projection.now().caughtUp);
    await projection.whenProcessed(await fixture.write('other-b', counted()), { timeout: 5_000 });
    expect(projection.now()).toMatchObject({ phase: 'running', lagEvents: 0 });
    expect((await store.get('tally-a'))!.state.total).toBe(2);
    expect([...projection.now().parked.keys()]).toEqual(['tally-b']);
  });

  it('passes the committed revisions of documents to `onCommitted`, so that caches can use them', async () => {
    const committed: [string, number][] = [];
    await fixture.write('tally-a', counted(), counted());
    const { projection } = start(countingView(), {
      onCommitted: (revisions) => {
        committed.push(...revisions);
      },
    });
    await projection.whenProcessed(await fixture.log.head(), { timeout: 5_000 });
    expect(committed.at(-1)).toEqual(['tally-a', 1]);
  });

  it('stores lists that queries filter by part of a name and by tags, and read page by page', async () => {
    for (const [stream, name, tag] of [
      ['a', 'Zebra', 'red'],
      ['b', 'acme_1', 'red'],
      ['c', 'Acmex1', 'blue'],
      ['d', 'Ächme', 'red'],
    ] as const)
      await fixture.write(`tally-${stream}`, named(name), tagAdded(tag), tagAdded('all'));
    await fixture.write('tally-e', counted());
    const view = countingView();
    const store = fixture.database.view(view);
    await projectAll(fixture.log, store, view);
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

    await fixture.write('tally-a', tagRemoved('red'), named('Yak'));
    await projectAll(fixture.log, store, view);
    expect(await names({ tags: ['red'] })).toEqual(['acme_1', 'Ächme']);
    expect((await store.list({ q: 'yak', limit: 1 })).rows).toMatchObject([{ revision: 4, name: 'Yak' }]);
  });

  describe('at a poison event', () => {
    const alarms: PoisonAlarm[] = [];
    /** A clock that stands still until a spec advances it, so that retries happen only then. */
    let elapsedMs = 0;
    const elapsed = () => elapsedMs;
    beforeEach(() => {
      alarms.splice(0);
      elapsedMs = 0;
    });
    const alarm = (each: PoisonAlarm) => {
      alarms.push(each);
    };

    it('parks the stream after its last good revision, raises an alarm, and still projects other streams', async () => {
      await fixture.write('tally-a', counted(1), counted(1), cursed(100), counted(1));
      await fixture.write('tally-b', counted(7));
      const { store, projection } = start(countingView(), { alarm });
      await projection.whenProcessed(await fixture.log.head(), { timeout: 5_000 });
      expect((await store.get('tally-b'))?.state.total).toBe(7);

      await until(() => alarms.length > 0);
      expect(alarms).toMatchObject([
        { view: 'tallies', attempts: 4, event: { stream: 'tally-a', type: 'Cursed', revision: 2n } },
      ]);
      await fixture.write('tally-a', counted(1));
      const position = await fixture.write('tally-b', counted(1));
      await projection.whenProcessed(position, { timeout: 5_000 });

      expect((await (await store.live())?.get('tally-a'))?.state).toMatchObject({ total: 2, seen: [0, 1] });
      // the read model has no document, so the caller folds the stream
      expect(await store.get('tally-a')).toBeUndefined();
      expect(await revisionOf(store, 'tally-a')).toBeUndefined();
      expect((await store.get('tally-b'))?.state.total).toBe(8);
      expect([await store.isParked('tally-a'), await store.isParked('tally-b')]).toEqual([true, false]);
      const status = await readProjectionStatus(fixture.log, store, countingView());
      expect(status.parked).toMatchObject([
        { stream: 'tally-a', revision: 2, attempts: 4, error: 'Error: The event is cursed.' },
      ]);
      expect(alarms).toHaveLength(1);
    });

    it.each([
      ['an unknown type', { type: 'Prophesied', data: {} }],
      ['a missing field', { type: 'Counted', data: {} }],
      ['a wrong type', { type: 'Counted', data: { by: 'two' } }],
      ['empty metadata', { ...counted(), metadata: {} }],
      ['metadata without a time', { ...counted(), metadata: { actor: { kind: 'system', id: 'spec' } } }],
      ['nearly a megabyte of text instead of a number', { type: 'Counted', data: { by: 'x'.repeat(900_000) } }],
      ['an event whose list row fails', tagAdded('unlistable')],
    ])('parks a stream at %s in the middle of a batch', async (_, poison) => {
      await fixture.write('tally-a', counted(1));
      await fixture.write('tally-a', poison);
      await fixture.write('tally-b', counted(7));
      const { store, projection } = start(countingView(), { alarm, elapsed });
      await projection.whenProcessed(await fixture.log.head(), { timeout: 5_000 });
      expect((await store.get('tally-b'))?.state.total).toBe(7);
      expect([...projection.now().parked]).toMatchObject([['tally-a', { revision: 1, attempts: 1 }]]);
    });

    it('unparks a stream when a retry succeeds, and raises no alarm', async () => {
      const curse = { on: true };
      await fixture.write('tally-a', counted(1), cursed(10), counted(1));
      const { store, projection } = start(countingView(curse), { alarm, elapsed });
      await projection.whenProcessed(await fixture.log.head(), { timeout: 5_000 });
      const parked = () => projection.now().parked.get('tally-a');
      expect(parked()).toMatchObject({ revision: 1, attempts: 1 });
      elapsedMs += 100; // the first retry, which fails
      await until(() => parked()?.attempts === 2);
      curse.on = false;
      elapsedMs += 499;
      // the projector looks for due retries between these two events
      for (const by of [1, 2])
        await projection.whenProcessed(await fixture.write('tally-b', counted(by)), { timeout: 5_000 });
      expect(parked()).toMatchObject({ revision: 1, attempts: 2 }); // the second retry is not due yet
      elapsedMs += 1;
      await until(() => projection.now().parked.size === 0);
      expect((await store.get('tally-a'))?.state).toEqual({ name: '', total: 12, seen: [0, 1, 2], tags: [] });
      expect(alarms).toEqual([]);
    });

    it('folds the waiting events of a released stream only once and in order', async () => {
      const curse = { on: true };
      const view = countingView(curse);
      const { store, projection } = start(view, { alarm });
      await projection.whenProcessed(await fixture.write('tally-a', counted(1)), { timeout: 5_000 });
      await fixture.write('tally-a', cursed(10), counted(1));
      await until(() => alarms.length > 0);
      expect(await store.release('tally-a')).toBe(true); // this release leads to a retry, which fails
      await until(() => alarms.length > 1);

      curse.on = false;
      await fixture.write('tally-a', counted(1));
      expect(await store.release('tally-a')).toBe(true);
      expect(await store.release('tally-none')).toBe(false);
      await until(() => projection.now().parked.size === 0);
      const position = await fixture.write('tally-a', counted(1));
      await projection.whenProcessed(position, { timeout: 5_000 });
      expect((await store.get('tally-a'))?.state).toEqual({ name: '', total: 14, seen: [0, 1, 2, 3, 4], tags: [] });
      expect(await verifyView(fixture.log, (await store.live())!, view)).toMatchObject({ ok: true, documents: 1 });
    });

    it('parks a stream if the subscription skips one of its events, and unparks it with the event from the stream', async () => {
      await fixture.write('tally-a', counted(1), counted(10), counted(100));
      const skipping = Object.assign(Object.create(fixture.log) as EventLog, {
        subscribe: (options: SubscribeOptions) => without(fixture.log.subscribe(options), 'tally-a', 1n),
      });
      const store = fixture.database.view(countingView());
      const projection = project(skipping, store, countingView(), { alarm, pace: 0, elapsed });
      running.push(projection);
      await projection.whenProcessed(await fixture.log.head(), { timeout: 5_000 });
      expect(projection.now().parked.get('tally-a')?.error).toBe('Error: Revision 1 is missing before revision 2.');
      elapsedMs += 100; // the first retry
      await until(() => projection.now().parked.size === 0);
      expect((await store.get('tally-a'))?.state).toMatchObject({ total: 111, seen: [0, 1, 2] });
      expect(alarms).toEqual([]);
    });

    it.each([
      ['deleted', 'not-found'],
      ['deleted for good', 'deleted'],
    ] as const)('keeps a parked stream that another tool has %s, and still projects other streams', async (_, kind) => {
      await fixture.write('tally-a', counted(1), cursed());
      let isDeleted = false;
      const readStream: EventLog['readStream'] = async function* (stream, options) {
        if (isDeleted && stream === 'tally-a') throw new LogError(kind, 'The stream is gone.');
        yield* fixture.log.readStream(stream, options);
      };
      const deleting = Object.assign(Object.create(fixture.log) as EventLog, { readStream });
      const store = fixture.database.view(countingView());
      const projection = project(deleting, store, countingView(), { alarm, pace: 0, elapsed });
      running.push(projection);
      await projection.whenProcessed(await fixture.log.head(), { timeout: 5_000 });
      isDeleted = true;
      elapsedMs += 100; // the first retry
      await projection.whenProcessed(await fixture.write('tally-b', counted(7)), { timeout: 5_000 });
      await until(() => projection.now().parked.get('tally-a')?.attempts === 2);
      expect(projection.now()).toMatchObject({ phase: 'running', why: undefined });
      expect(projection.now().parked.get('tally-a')).toMatchObject({
        revision: 1,
        error: 'LogError: The stream is gone.',
      });
      expect((await store.get('tally-b'))?.state.total).toBe(7);
    });

    it('unparks the stream after a rebuild folds all events', async () => {
      const curse = { on: true };
      const view = countingView(curse);
      const { store, projection } = start(view, { alarm });
      await fixture.write('tally-a', cursed(10));
      await until(() => alarms.length > 0);
      curse.on = false;
      await rebuild(fixture.log, store, view);
      await until(() => projection.now().parked.size === 0); // the projector unparks the stream without a new event
      expect(await store.isParked('tally-a')).toBe(false);
      expect(await revisionOf(store, 'tally-a')).toBe(0);
    });

    it('retries a parked stream after a restart', async () => {
      const curse = { on: true };
      const view = countingView(curse);
      await fixture.write('tally-a', cursed(10));
      const store = fixture.database.view(view);
      await projectAll(fixture.log, store, view);
      expect(await contents(store)).toMatchObject({ parked: [['tally-a', 0]] });
      curse.on = false;
      const { projection } = start(view, { alarm });
      await until(async () => (await revisionOf(store, 'tally-a')) === 0);
      expect(projection.now().parked.size).toBe(0);
    });
  });

  it('pauses and resumes on request', async () => {
    const { store, projection } = start();
    await until(() => projection.now().caughtUp);
    await store.pause();
    await until(() => projection.now().phase === 'paused');
    const position = await fixture.write('tally-a', counted());
    await expect(projection.whenProcessed(position, { timeout: 300 })).rejects.toThrow();
    await until(() => projection.now().lagSeconds > 0.2);
    expect(await readProjectionStatus(fixture.log, store, countingView())).toMatchObject({
      paused: true,
      lagEvents: 1,
    });
    await store.resume();
    await projection.whenProcessed(position, { timeout: 5_000 });
    expect(projection.now()).toMatchObject({ phase: 'running', lagSeconds: 0 });
  });

  it('asks for a rebuild when the log belongs to another event store, and runs again after the rebuild', async () => {
    const view = countingView();
    const store = fixture.database.view(view);
    await fixture.write('tally-a', counted());
    await projectAll(fixture.log, store, view);
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

/** The deliveries of `source`, except one event. */
function without(source: AsyncIterable<Delivery>, stream: string, revision: bigint): AsyncIterable<Delivery> {
  const iterator = source[Symbol.asyncIterator]();
  const next = async (): Promise<IteratorResult<Delivery>> => {
    const result = await iterator.next();
    if (result.done || result.value.kind !== 'event') return result;
    const { event } = result.value;
    return event.stream === stream && event.revision === revision ? next() : result;
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: () => iterator.return!() }) };
}
