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

describe.each(databases)('editions in %s', (_database, make) => {
  let world: Awaited<ReturnType<typeof opened>>;
  beforeEach(async () => {
    world = await opened(make);
  });
  afterEach(() => world.close());

  const view = countingView();
  const filled = async () => {
    for (let stream = 0; stream < 5; stream += 1) await world.write(`tally-${stream}`, named(`T${stream}`), counted(1));
    const store = world.documents.view(view);
    await projectAll(world.log, store);
    return store;
  };
  const wrong = `update documents set state = '{"name":"T3","total":99,"seen":[],"tags":[]}' where stream = 'tally-3'`;

  describe('before a rebuild answers, it is compared with what answers now:', () => {
    it('both have one hash where they are the same', async () => {
      const store = await filled();
      const { hash } = await verifyView(world.log, (await store.live())!, view);
      const { compared } = await rebuild(world.log, store, view);
      expect(compared).toMatchObject({ equal: 5, moving: 0, differences: 0, different: [] });
      expect(compared!.hash).toBe(compared!.liveHash);
      expect((await verifyView(world.log, (await store.live())!, view)).hash).toBe(hash);
    });

    it.each([
      ['a document is another', wrong, 'tally-3'],
      ['a document is missing', `delete from documents where stream = 'tally-3'`, 'tally-3'],
      [
        'a document lacks events that it should have',
        `update documents set revision = 0, state = '{"name":"T3","total":0,"seen":[0],"tags":[]}' where stream = 'tally-3'`,
        'tally-3',
      ],
      ['a document has no stream', `update documents set stream = 'tally-9' where stream = 'tally-3'`, 'tally-3'],
      ['a row is another', `update list_rows set columns = '{"total":7}' where stream = 'tally-3'`, 'tally-3'],
    ])('where %s, it does not answer unless that is accepted', async (_, sql, stream) => {
      const store = await filled();
      await world.place.run(sql);
      const [before, { id }] = [await contents(store), (await store.live())!];
      const refused = await rebuild(world.log, store, view).catch((why: unknown) => why);
      expect(refused).toBeInstanceOf(RebuildDiffers);
      expect((refused as RebuildDiffers).compared.different.map((each) => each.stream)).toContain(stream);
      expect([(await store.live())!.id, await contents(store)]).toEqual([id, before]);

      const { compared } = await rebuild(world.log, store, view, { acceptDifferences: true });
      expect(compared!.differences).toBeGreaterThan(0);
      expect(await verifyView(world.log, (await store.live())!, view)).toMatchObject({ ok: true, documents: 5 });
    });

    it('documents that go on meanwhile, or stand still at the end of their edition, are no difference', async () => {
      const store = await filled(); // no process projects
      await world.write('tally-0', counted(1));
      await world.write('tally-new', counted(1));
      const { compared } = await rebuild(world.log, store, view);
      expect(compared).toMatchObject({ equal: 4, moving: 2, differences: 0 });
    });

    it('a stream that is parked is known to be behind', async () => {
      const curse = { on: true };
      const store = await filled();
      await world.write('tally-3', cursed());
      await world.write('tally-new', cursed());
      await projectAll(world.log, store, countingView(curse));
      curse.on = false;
      const { compared } = await rebuild(world.log, store, countingView(curse));
      expect(compared).toMatchObject({ equal: 4, moving: 2, differences: 0 });
    });

    it('documents of another log are not compared', async () => {
      const store = await filled();
      const other = await opened(make);
      await other.write('tally-0', counted(5));
      expect((await rebuild(other.log, store, view)).compared).toBeUndefined();
      expect((await store.get('tally-0'))!.state.total).toBe(5);
      await other.close();
    });
  });

  describe('while an edition is being built', () => {
    const places = async () =>
      (await readProjectionStatus(world.log, world.documents.view(view), view)).editions.map(({ edition, place }) => [
        edition,
        place,
      ]);

    it('the projection status shows its progress', async () => {
      const store = await filled();
      const edition = await store.begin();
      await edition.report('4'.padStart(20, '0'));
      const { editions } = await readProjectionStatus(world.log, store, view);
      expect(editions).toMatchObject([
        { edition: 2, place: 'building', part: 0.4 },
        { edition: 1, place: 'live', part: 1 },
      ]);
    });

    it('no other rebuild begins until it is abandoned or stops reporting', async () => {
      const store = await filled();
      const first = await store.begin();
      await expect(rebuild(world.log, store, view)).rejects.toThrow(RebuildInProgress);
      expect(await places()).toEqual([
        [2, 'building'],
        [1, 'live'],
      ]);
      await world.place.run(`update editions set heard_of = '2020-01-01T00:00:00.000Z' where edition = ${first.id}`);
      expect(await places()).toEqual([
        [2, 'interrupted'],
        [1, 'live'],
      ]);
      await rebuild(world.log, store, view);
      expect(await places()).toEqual([
        [3, 'live'],
        [1, 'retired'],
      ]);
    });

    it('another that takes it over ends it', async () => {
      const store = await filled();
      const pages = { taken: false };
      const rebuilding = rebuild(world.log, store, view, {
        onProgress: () => {
          pages.taken = true;
        },
      });
      while (!pages.taken) await pause(1);
      const other = rebuild(world.log, store, view, { takeOver: true });
      const outcomes = (await Promise.allSettled([rebuilding, other])).map(({ status }) => status);
      expect(outcomes[1]).toBe('fulfilled');
      expect(await verifyView(world.log, (await store.live())!, view)).toMatchObject({ ok: true });
    });

    it('and it is interrupted, nothing stands in the way of the next', async () => {
      const store = await filled();
      const stop = new AbortController();
      const interrupted = rebuild(world.log, store, view, { signal: stop.signal, onProgress: () => stop.abort() });
      await expect(interrupted).rejects.toThrow();
      expect(await places()).toEqual([[1, 'live']]);
      await rebuild(world.log, store, view);
    });

    it('a projector that would build one waits for it', async () => {
      const store = await filled();
      const next = { ...countingView(undefined, 2) };
      const newer = world.documents.view(next);
      const building = await newer.begin();
      const projection = project(world.log, newer, next, { alarm: () => undefined });
      while (projection.now().phase !== 'rebuilding') await pause(5);
      await pause(300);
      expect(projection.now().why).toContain('is being built by another process');
      expect((await store.live())!.id).toBe(1);
      await newer.abandon(building);
      await projection.whenProcessed(await world.log.head(), { timeout: 5_000 });
      await projection.stop();
      expect(await verifyView(world.log, (await newer.live())!, next)).toMatchObject({ ok: true, documents: 5 });
    });
  });
});
