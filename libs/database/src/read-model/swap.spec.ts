import { setTimeout as pause } from 'node:timers/promises';
import {
  RebuildInProgress,
  RebuildDiffers,
  project,
  rebuild,
  readProjectionStatus,
  verifyView,
} from '@charter/projections';
import { databases } from '../database.testing';
import { contents, counted, cursed, named, opened, projectAll, countingView } from './counting-view.testing';

describe.each(databases)('Editions in %s', (_database, make) => {
  let fixture: Awaited<ReturnType<typeof opened>>;
  beforeEach(async () => {
    fixture = await opened(make);
  });
  afterEach(() => fixture.close());

  const view = countingView();
  const projectedStore = async () => {
    for (let stream = 0; stream < 5; stream += 1)
      await fixture.write(`tally-${stream}`, named(`T${stream}`), counted(1));
    const store = fixture.database.view(view);
    await projectAll(fixture.log, store);
    return store;
  };
  const setWrongTotal = `update documents set state = '{"name":"T3","total":99,"seen":[],"tags":[]}' where stream = 'tally-3'`;

  describe('Comparison of a rebuild with the live edition', () => {
    it('shows the same hash for both editions when all documents are equal', async () => {
      const store = await projectedStore();
      const { hash } = await verifyView(fixture.log, (await store.live())!, view);
      const { compared } = await rebuild(fixture.log, store, view);
      expect(compared).toMatchObject({ equal: 5, moving: 0, differences: 0, different: [] });
      expect(compared!.hash).toBe(compared!.liveHash);
      expect((await verifyView(fixture.log, (await store.live())!, view)).hash).toBe(hash);
    });

    it('counts a document as equal whose stored fields have another order', async () => {
      const store = await projectedStore();
      const { state } = (await store.get('tally-3'))!;
      const reversed = JSON.stringify(Object.fromEntries(Object.entries(state).reverse()));
      expect(reversed).not.toBe(JSON.stringify(state));
      await fixture.place.run(`update documents set state = '${reversed}' where stream = 'tally-3'`);
      const { compared } = await rebuild(fixture.log, store, view);
      expect(compared).toMatchObject({ equal: 5, moving: 0, differences: 0, hash: compared!.liveHash });
    });

    it.each([
      ['a document has a wrong total', setWrongTotal, 'tally-3'],
      ['a document is missing', `delete from documents where stream = 'tally-3'`, 'tally-3'],
      [
        'a document lacks events before the checkpoint',
        `update documents set revision = 0, state = '{"name":"T3","total":0,"seen":[0],"tags":[]}' where stream = 'tally-3'`,
        'tally-3',
      ],
      ['a document has no stream', `update documents set stream = 'tally-9' where stream = 'tally-3'`, 'tally-3'],
      [
        'a list row has wrong columns',
        `update list_rows set columns = '{"total":7}' where stream = 'tally-3'`,
        'tally-3',
      ],
    ])('prevents activation when %s, unless the operator accepts differences', async (_, sql, stream) => {
      const store = await projectedStore();
      await fixture.place.run(sql);
      const [before, { id }] = [await contents(store), (await store.live())!];
      const refused = await rebuild(fixture.log, store, view).catch((why: unknown) => why);
      expect(refused).toBeInstanceOf(RebuildDiffers);
      expect((refused as RebuildDiffers).compared.different.map((each) => each.stream)).toContain(stream);
      expect([(await store.live())!.id, await contents(store)]).toEqual([id, before]);

      const { compared } = await rebuild(fixture.log, store, view, { acceptDifferences: true });
      expect(compared!.differences).toBeGreaterThan(0);
      expect(await verifyView(fixture.log, (await store.live())!, view)).toMatchObject({ ok: true, documents: 5 });
    });

    it('counts a document with events after the live checkpoint as `moving`, not as a difference', async () => {
      const store = await projectedStore(); // no process projects the events that follow
      await fixture.write('tally-0', counted(1));
      await fixture.write('tally-new', counted(1));
      const { compared } = await rebuild(fixture.log, store, view);
      expect(compared).toMatchObject({ equal: 4, moving: 2, differences: 0 });
    });

    it('counts a document as `moving` if a projector changes it during the comparison', async () => {
      const store = await projectedStore();
      await fixture.place.run(`update documents set at = at || ' ' where stream = 'tally-3'`);
      const live = (await store.live())!;
      let moved: Promise<unknown> | undefined;
      const moveBeforeRead: typeof live.page = async (...page) => {
        moved ??= fixture.write('tally-3', counted(1)).then(() => projectAll(fixture.log, store));
        await moved;
        return live.page(...page);
      };
      const moving = { ...store, live: () => Promise.resolve({ ...live, page: moveBeforeRead }) };
      const { compared } = await rebuild(fixture.log, moving, view);
      expect(moved).toBeDefined();
      expect(compared).toMatchObject({ equal: 4, moving: 1, differences: 0 });
    });

    it('counts a parked stream as `moving`, not as a difference', async () => {
      const curse = { on: true };
      const store = await projectedStore();
      await fixture.write('tally-3', cursed());
      await fixture.write('tally-new', cursed());
      await projectAll(fixture.log, store, countingView(curse));
      curse.on = false;
      const { compared } = await rebuild(fixture.log, store, countingView(curse));
      expect(compared).toMatchObject({ equal: 4, moving: 2, differences: 0 });
    });

    it('does not compare documents that belong to another event store', async () => {
      const store = await projectedStore();
      const other = await opened(make);
      await other.write('tally-0', counted(5));
      expect((await rebuild(other.log, store, view)).compared).toBeUndefined();
      expect((await store.get('tally-0'))!.state.total).toBe(5);
      await other.close();
    });
  });

  describe('The build of an edition', () => {
    const editionPlaces = async () =>
      (await readProjectionStatus(fixture.log, fixture.database.view(view), view)).editions.map(
        ({ edition, place }) => [edition, place],
      );

    it('shows its progress in the projection status', async () => {
      const store = await projectedStore();
      const edition = await store.begin();
      await edition.report('4'.padStart(20, '0'));
      const { editions } = await readProjectionStatus(fixture.log, store, view);
      expect(editions).toMatchObject([
        { edition: 2, place: 'building', part: 0.4 },
        { edition: 1, place: 'live', part: 1 },
      ]);
    });

    it.each([
      ['old', '2020-01-01T00:00:00.000Z'],
      ['from the future, because the clock was set back', '2999-01-01T00:00:00.000Z'],
    ])('prevents another rebuild until the last report of its process is %s', async (_, heard) => {
      const store = await projectedStore();
      const first = await store.begin();
      await expect(rebuild(fixture.log, store, view)).rejects.toThrow(RebuildInProgress);
      expect(await editionPlaces()).toEqual([
        [2, 'building'],
        [1, 'live'],
      ]);
      await fixture.place.run(`update editions set heard_of = '${heard}' where edition = ${first.id}`);
      expect(await editionPlaces()).toEqual([
        [2, 'interrupted'],
        [1, 'live'],
      ]);
      await rebuild(fixture.log, store, view);
      expect(await editionPlaces()).toEqual([
        [3, 'live'],
        [1, 'retired'],
      ]);
    });

    it('does not prevent a rebuild by another process that takes over', async () => {
      const store = await projectedStore();
      const progress = { seen: false };
      const rebuilding = rebuild(fixture.log, store, view, {
        onProgress: () => {
          progress.seen = true;
        },
      });
      while (!progress.seen) await pause(1);
      const other = rebuild(fixture.log, store, view, { takeOver: true });
      const outcomes = (await Promise.allSettled([rebuilding, other])).map(({ status }) => status);
      expect(outcomes[1]).toBe('fulfilled');
      expect(await verifyView(fixture.log, (await store.live())!, view)).toMatchObject({ ok: true });
    });

    it('allows the next rebuild after an interruption', async () => {
      const store = await projectedStore();
      const stop = new AbortController();
      const interrupted = rebuild(fixture.log, store, view, { signal: stop.signal, onProgress: () => stop.abort() });
      await expect(interrupted).rejects.toThrow();
      expect(await editionPlaces()).toEqual([[1, 'live']]);
      await rebuild(fixture.log, store, view);
    });

    it('makes a projector of the same version wait until the build ends', async () => {
      const store = await projectedStore();
      const next = { ...countingView(undefined, 2) };
      const newer = fixture.database.view(next);
      const building = await newer.begin();
      const projection = project(fixture.log, newer, next, { alarm: () => undefined });
      while (!projection.now().why?.includes('is being built by another process')) await pause(5);
      expect((await store.live())!.id).toBe(1);
      await newer.abandon(building);
      await projection.whenProcessed(await fixture.log.head(), { timeout: 5_000 });
      await projection.stop();
      expect(await verifyView(fixture.log, (await newer.live())!, next)).toMatchObject({ ok: true, documents: 5 });
    });
  });
});
