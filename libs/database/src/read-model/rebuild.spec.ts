import { setTimeout as pause } from 'node:timers/promises';
import {
  RebuildInProgress,
  Outdated,
  Overtaken,
  Poisoned,
  project,
  rebuild,
  readProjectionStatus,
  ReadModelNotBuilt,
  verifyDocument,
  verifyView,
} from '@charter/projections';
import { databases } from '../database.testing';
import { contents, counted, cursed, named, opened, projectAll, tagged, countingView } from './counting-view.testing';

describe.each(databases)('the read model in %s', (database, make) => {
  let world: Awaited<ReturnType<typeof opened>>;
  beforeEach(async () => {
    world = await opened(make);
  });
  afterEach(() => world.close());

  const view = countingView();
  const unbegun = { checkpoint: undefined, commits: 0 };
  const fill = async (streams: number, events: number) => {
    for (let stream = 0; stream < streams; stream += 1)
      await world.write(
        `tally-${stream}`,
        named(`T${stream}`),
        ...Array.from({ length: events - 1 }, () => counted(1)),
      );
  };

  describe('rebuilding', () => {
    it('makes what projecting made, and answers with the new edition from one moment on', async () => {
      await fill(20, 5);
      const store = world.documents.view(view);
      await projectAll(world.log, store);
      const before = await contents(store);
      const { id } = (await store.live())!;

      const progress: number[] = [];
      const rebuilt = await rebuild(world.log, store, view, { onProgress: ({ events }) => progress.push(events) });
      expect(rebuilt).toMatchObject({
        events: 100,
        position: await world.log.head(),
        compared: { equal: 20, differences: 0 },
      });
      expect(progress.at(-1)).toBe(100);
      expect((await store.live())!.id).toBe(rebuilt.edition);
      expect(rebuilt.edition).not.toBe(id);
      expect(await contents(store)).toEqual(before);
      expect(await store.dropRetired()).toBe(1);
      expect(await contents(store)).toEqual(before);
    });

    it('keeps few documents in memory when it must', async () => {
      for (let round = 0; round < 5; round += 1)
        for (let stream = 0; stream < 30; stream += 1)
          await world.write(`tally-${stream}`, counted(round), tagged(`t${round}`));
      const store = world.documents.view(view);
      await rebuild(world.log, store, view, { documentsMax: 4 });
      expect(await verifyView(world.log, (await store.live())!, view)).toMatchObject({ ok: true, documents: 30 });
    });

    it('happens beside a projector that goes on, which then takes the new edition over', async () => {
      await fill(30, 10);
      const store = world.documents.view(view);
      const projection = project(world.log, store, view, { alarm: () => undefined, pace: 0 });
      await projection.whenProcessed(await world.log.head(), { timeout: 5_000 });
      const writing = { on: true };
      const writer = (async () => {
        for (let n = 0; writing.on; n += 1) {
          await world.write(`tally-${n % 30}`, counted(1));
          expect((await store.get('tally-1'))!.revision).toBeGreaterThanOrEqual(9); // answers never stop
          if (n % 20 === 0) await pause(database === 'SQLite' ? 1 : 50);
        }
      })();
      const rounds = database === 'SQLite' ? 3 : 1; // a server's commits wait for a disk
      for (let round = 0; round < rounds; round += 1) await rebuild(world.log, store, view, { documentsMax: 7 });
      writing.on = false;
      await writer;
      const last = await world.write('tally-1', counted(1));
      await projection.whenProcessed(last, { timeout: 5_000 });
      await projection.stop();
      expect(await verifyView(world.log, (await store.live())!, view)).toMatchObject({ ok: true, documents: 30 });
      expect(await store.dropRetired()).toBe(rounds);
    });

    it('fails at the first poison and leaves the live documents as they were', async () => {
      await fill(3, 2);
      const store = world.documents.view(view);
      await projectAll(world.log, store);
      const before = await contents(store);
      await world.write('tally-1', cursed());
      await world.write('tally-2', counted());

      await expect(rebuild(world.log, store, view)).rejects.toThrow(Poisoned);
      await expect(rebuild(world.log, store, view)).rejects.toThrow(
        /^Cursed, revision 2 of tally-1 at position 0+7, cannot be folded/,
      );
      expect(await contents(store)).toEqual(before);
    });

    it('O8: begins anew after it was interrupted, and nothing of the first remains', async () => {
      await fill(50, 3);
      const store = world.documents.view(view);
      await projectAll(world.log, store);
      const stop = new AbortController();
      const interrupted = rebuild(world.log, store, view, {
        documentsMax: 5,
        signal: stop.signal,
        onProgress: () => stop.abort(),
      });
      await interrupted.catch(() => undefined);
      const again = await rebuild(world.log, store, view);
      expect(again.compared).toMatchObject({ equal: 50, differences: 0 });
      await store.dropRetired();
      const left = await world.place.ask('select count(*) as n, count(distinct edition) as editions from documents');
      expect(left).toEqual([{ n: 50, editions: 1 }]);
    });

    it('is not begun beside another, unless it takes over: then the other is overtaken', async () => {
      await fill(2, 2);
      const store = world.documents.view(view);
      const first = await store.begin();
      await expect(store.begin()).rejects.toThrow(RebuildInProgress);
      await store.begin({ takeOver: true });
      const to = { store: 's', position: '1'.padStart(20, '0') };
      await expect(first.commit({ from: unbegun, to, documents: new Map(), rows: new Map() })).rejects.toThrow(
        Overtaken,
      );
      await expect(store.activate(first)).rejects.toThrow(Overtaken);
    });

    it('ends what the edition before may write', async () => {
      await fill(2, 2);
      const store = world.documents.view(view);
      await projectAll(world.log, store);
      const old = (await store.live())!;
      await rebuild(world.log, store, view);
      const from = await old.status();
      expect(from.place).toBe('retired');
      const change = { from, to: from.checkpoint!, documents: new Map(), rows: new Map() };
      await expect(old.commit(change)).rejects.toThrow(Overtaken);
    });

    it('does not let an edition answer that is behind the live one', async () => {
      await fill(2, 2);
      const store = world.documents.view(view);
      await projectAll(world.log, store);
      const behind = await store.begin();
      const to = { store: await world.log.identity(), position: '1'.padStart(20, '0') };
      await behind.commit({ from: unbegun, to, documents: new Map(), rows: new Map() });
      expect(await store.activate(behind)).toBe(false);
      expect((await store.live())!.id).not.toBe(behind.id);
    });
  });

  describe('committing', () => {
    it('is done by one of two who stand at the same checkpoint, and leaves nothing of the other', async () => {
      const edition = await world.documents.view(view).begin();
      const at = (position: number) => ({ store: 's', position: String(position).padStart(20, '0') });
      const total = (to: number) => ({ state: { name: '', total: to, seen: [], tags: [] }, revision: to, at: '' });
      const commit = (from: number | undefined, to: number) =>
        edition.commit({
          from: from === undefined ? unbegun : { checkpoint: at(from), commits: 1 },
          to: at(to),
          documents: new Map([['tally-a', total(to)]]),
          rows: new Map(),
          parked: new Map([
            [`tally-${to}`, { revision: 0, type: '', position: '', error: '', attempts: 1, since: '' }],
          ]),
        });
      await commit(undefined, 1);
      await expect(commit(undefined, 2)).rejects.toThrow(Overtaken);
      await commit(1, 3);
      await expect(commit(1, 4)).rejects.toThrow(Overtaken);
      expect((await edition.get('tally-a'))?.revision).toBe(3);
      const { checkpoint, parked } = await edition.status();
      expect(checkpoint).toEqual(at(3));
      expect([...parked.keys()]).toEqual(['tally-1', 'tally-3']);
    });
  });

  describe('a new version of a view', () => {
    it('gets an edition of its own from the projecting process, and a process with the old code stops', async () => {
      await fill(10, 4);
      const old = world.documents.view(view);
      await projectAll(world.log, old);
      const next = { ...countingView(undefined, 2), initial: () => ({ name: '', total: 1_000, seen: [], tags: [] }) };
      const store = world.documents.view(next);
      expect(await store.get('tally-1')).toBeUndefined(); // the caller folds the stream meanwhile
      await expect(store.list({ limit: 5 })).rejects.toThrow(ReadModelNotBuilt); // an empty list would be wrong
      const alike = world.documents.view({ ...next, listedSince: 1 }); // its lists did not change
      expect((await alike.list({ limit: 5 })).rows).toHaveLength(5);
      expect(await alike.get('tally-1')).toBeUndefined();
      expect((await old.list({ limit: 5 })).rows).toHaveLength(5);
      expect((await readProjectionStatus(world.log, store, next)).rebuildNeeded).toContain(
        'The documents are of version 1',
      );

      await projectAll(world.log, store, next);
      expect((await store.get('tally-1'))!.state.total).toBe(1_003);
      expect((await store.list({ limit: 50 })).rows).toHaveLength(10);
      await expect(old.live()).rejects.toThrow(Outdated);
      expect(await old.get('tally-1')).toBeUndefined();
      const projection = project(world.log, old, view, { alarm: () => undefined });
      while (projection.now().phase !== 'outdated') await pause(5);
      await projection.stop();
      expect((await store.get('tally-1'))!.state.total).toBe(1_003);
    });
  });

  describe('verifying', () => {
    it('finds nothing where there is nothing, also while others write', async () => {
      await fill(40, 6);
      const store = world.documents.view(view);
      const projection = project(world.log, store, view, { alarm: () => undefined, pace: 0 });
      await projection.whenProcessed(await world.log.head(), { timeout: 5_000 });
      const writing = { on: true };
      const writer = (async () => {
        for (let n = 0; writing.on; n += 1) {
          await world.write(`tally-${n % 45}`, counted(1));
          if (n % 10 === 0) await pause(1);
        }
      })();
      for (let round = 0; round < 5; round += 1) {
        const verified = await verifyView(world.log, (await store.live())!, view);
        expect(verified).toMatchObject({ ok: true, different: 0, hash: verified.replayHash });
      }
      writing.on = false;
      await writer;
      await projection.stop();
    });

    it.each([
      [
        'a changed state',
        `update documents set state = replace(state, '"total":1', '"total":2') where stream = 'tally-2'`,
        'not what a replay',
      ],
      ['a changed row', `update list_rows set columns = '{"total":7}' where stream = 'tally-2'`, 'not what a replay'],
      ['a missing row', `delete from list_rows where stream = 'tally-2'`, 'not what a replay'],
      [
        'a document that lacks events',
        `update documents set revision = 0, state = '{"name":"T2","total":0,"seen":[0],"tags":[]}' where stream = 'tally-2'`,
        '',
      ],
      ['a missing document', `delete from documents where stream = 'tally-2'`, 'has no document'],
      [
        'a document ahead of its stream',
        `update documents set revision = 9 where stream = 'tally-2'`,
        'not what a replay',
      ],
      [
        'a document without a stream',
        `update documents set stream = 'tally-none' where stream = 'tally-2'`,
        'cannot be replayed',
      ],
    ])('finds %s', async (_, sql, why) => {
      await fill(4, 2);
      const store = world.documents.view(view);
      await projectAll(world.log, store);
      await world.place.run(sql);
      const edition = (await store.live())!;
      const verified = await verifyView(world.log, edition, view);
      expect(verified.ok).toBe(false);
      expect(verified.differences[0]!.why).toContain(why);
      if (!sql.includes('tally-none')) {
        expect(verified.differences).toMatchObject([{ stream: 'tally-2' }]);
        expect(await verifyDocument(world.log, edition, view, 'tally-2')).toEqual(verified.differences[0]);
      }
      expect(await verifyDocument(world.log, edition, view, 'tally-1')).toBeUndefined();
    });

    it('finds silently skipped events although the document is right at its own revision', async () => {
      await fill(2, 1);
      const store = world.documents.view(view);
      await projectAll(world.log, store);
      const before = (await store.live())!;
      await world.write('tally-0', counted(1));
      const head = await world.log.head();
      await world.place.run(`update editions set position = '${head}'`);
      expect((await verifyView(world.log, before, view)).differences).toEqual([
        { stream: 'tally-0', revision: 0, why: 'it lacks events that lie before the checkpoint' },
      ]);
    });

    it('names parked streams', async () => {
      await fill(2, 1);
      const store = world.documents.view(view);
      await projectAll(world.log, store);
      await world.write('tally-1', cursed());
      await world.write('tally-new', cursed());
      await projectAll(world.log, store);
      expect((await verifyView(world.log, (await store.live())!, view)).differences).toEqual([
        { stream: 'tally-1', revision: 0, why: 'it is parked at revision 1: Error: It is cursed.' },
        { stream: 'tally-new', revision: -1, why: 'it is parked at its first event: Error: It is cursed.' },
      ]);
    });
  });
});
