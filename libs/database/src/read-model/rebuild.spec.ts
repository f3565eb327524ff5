import { setTimeout as pause } from 'node:timers/promises';
import type { EventLog } from '@charter/event-log';
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
import { contents, counted, cursed, named, opened, projectAll, tagAdded, countingView } from './counting-view.testing';

describe.each(databases)('Read model in %s', (database, make) => {
  let fixture: Awaited<ReturnType<typeof opened>>;
  beforeEach(async () => {
    fixture = await opened(make);
  });
  afterEach(() => fixture.close());

  const view = countingView();
  const notStarted = { checkpoint: undefined, commits: 0 };
  const fill = async (streams: number, events: number) => {
    for (let stream = 0; stream < streams; stream += 1)
      await fixture.write(
        `tally-${stream}`,
        named(`T${stream}`),
        ...Array.from({ length: events - 1 }, () => counted(1)),
      );
  };

  describe('A rebuild', () => {
    it('produces the same documents as the projector, and activates its edition', async () => {
      await fill(20, 5);
      const store = fixture.database.view(view);
      await projectAll(fixture.log, store);
      const before = await contents(store);
      const { id } = (await store.live())!;

      const progress: number[] = [];
      const rebuilt = await rebuild(fixture.log, store, view, { onProgress: ({ events }) => progress.push(events) });
      expect(rebuilt).toMatchObject({
        events: 100,
        position: await fixture.log.head(),
        compared: { equal: 20, differences: 0 },
      });
      expect(progress.at(-1)).toBe(100);
      expect((await store.live())!.id).toBe(rebuilt.edition);
      expect(rebuilt.edition).not.toBe(id);
      expect(await contents(store)).toEqual(before);
      expect(await store.dropRetired()).toBe(1);
      expect(await contents(store)).toEqual(before);
    });

    it('activates its edition even if the update of the statistics fails, for example because another session vacuums', async () => {
      await fill(2, 2);
      const store = fixture.database.view(view);
      const begin: typeof store.begin = async (options) => ({
        ...(await store.begin(options)),
        analyze: () => Promise.reject(new Error('canceling statement due to lock timeout')),
      });
      const { edition } = await rebuild(fixture.log, { ...store, begin }, view);
      expect((await store.live())!.id).toBe(edition);
    });

    it('ends if the log loses its last event meanwhile, because the projector would skip the next event', async () => {
      await fill(2, 2);
      const last = await fixture.log.head();
      const readAll = async function* (options: Parameters<EventLog['readAll']>[0] = {}) {
        const isOne = options.maxCount === 1;
        if (isOne) await fixture.write('tally-2', named('T2'));
        for await (const event of fixture.log.readAll({ from: options.from ?? 'start' }))
          if (!isOne || event.position > last) yield event;
      };
      const log = Object.create(fixture.log, { readAll: { value: readAll } }) as typeof fixture.log;
      await expect(rebuild(log, fixture.database.view(view), view)).rejects.toThrow(
        `no longer has the event at position ${last},`,
      );
    });

    it('produces correct documents when only four documents fit in memory', async () => {
      for (let round = 0; round < 5; round += 1)
        for (let stream = 0; stream < 30; stream += 1)
          await fixture.write(`tally-${stream}`, counted(round), tagAdded(`t${round}`));
      const store = fixture.database.view(view);
      await rebuild(fixture.log, store, view, { documentsMax: 4 });
      expect(await verifyView(fixture.log, (await store.live())!, view)).toMatchObject({ ok: true, documents: 30 });
    });

    it('runs while a projector is active; the projector then continues with the new edition', async () => {
      await fill(30, 10);
      const store = fixture.database.view(view);
      const projection = project(fixture.log, store, view, { alarm: () => undefined, pace: 0 });
      await projection.whenProcessed(await fixture.log.head(), { timeout: 5_000 });
      const writing = { on: true };
      const writer = (async () => {
        for (let n = 0; writing.on; n += 1) {
          await fixture.write(`tally-${n % 30}`, counted(1));
          // Every query during the rebuild finds the document.
          expect((await store.get('tally-1'))!.revision).toBeGreaterThanOrEqual(9);
          if (n % 20 === 0) await pause(database === 'SQLite' ? 1 : 50);
        }
      })();
      // One round on PostgreSQL, because its commits wait for the disk and a round takes longer.
      const rounds = database === 'SQLite' ? 3 : 1;
      for (let round = 0; round < rounds; round += 1) await rebuild(fixture.log, store, view, { documentsMax: 7 });
      writing.on = false;
      await writer;
      const last = await fixture.write('tally-1', counted(1));
      await projection.whenProcessed(last, { timeout: 5_000 });
      await projection.stop();
      expect(await verifyView(fixture.log, (await store.live())!, view)).toMatchObject({ ok: true, documents: 30 });
      expect(await store.dropRetired()).toBe(rounds);
    });

    it('fails at the first poison event and leaves the live documents unchanged', async () => {
      await fill(3, 2);
      const store = fixture.database.view(view);
      await projectAll(fixture.log, store);
      const before = await contents(store);
      await fixture.write('tally-1', cursed());
      await fixture.write('tally-2', counted());

      await expect(rebuild(fixture.log, store, view)).rejects.toThrow(Poisoned);
      await expect(rebuild(fixture.log, store, view)).rejects.toThrow(
        /^Cursed, revision 2 of tally-1 at position 0+7, cannot be folded/,
      );
      expect(await contents(store)).toEqual(before);
    });

    it('O8: starts again after an interruption, and leaves no document of the interrupted edition', async () => {
      await fill(50, 3);
      const store = fixture.database.view(view);
      await projectAll(fixture.log, store);
      const stop = new AbortController();
      const interrupted = rebuild(fixture.log, store, view, {
        documentsMax: 5,
        signal: stop.signal,
        onProgress: () => stop.abort(),
      });
      await interrupted.catch(() => undefined);
      const again = await rebuild(fixture.log, store, view);
      expect(again.compared).toMatchObject({ equal: 50, differences: 0 });
      await store.dropRetired();
      const left = await fixture.place.ask('select count(*) as n, count(distinct edition) as editions from documents');
      expect(left).toEqual([{ n: 50, editions: 1 }]);
    });

    it('refuses to begin during another rebuild, unless it takes over and ends the other rebuild', async () => {
      await fill(2, 2);
      const store = fixture.database.view(view);
      const first = await store.begin();
      await expect(store.begin()).rejects.toThrow(RebuildInProgress);
      await store.begin({ takeOver: true });
      const to = { store: 's', position: '1'.padStart(20, '0') };
      await expect(first.commit({ from: notStarted, to, documents: new Map(), rows: new Map() })).rejects.toThrow(
        Overtaken,
      );
      await expect(store.activate(first)).rejects.toThrow(Overtaken);
    });

    it('prevents later commits to the edition that it has replaced', async () => {
      await fill(2, 2);
      const store = fixture.database.view(view);
      await projectAll(fixture.log, store);
      const old = (await store.live())!;
      await rebuild(fixture.log, store, view);
      const from = await old.status();
      expect(from.place).toBe('retired');
      const change = { from, to: from.checkpoint!, documents: new Map(), rows: new Map() };
      await expect(old.commit(change)).rejects.toThrow(Overtaken);
    });

    it('does not activate an edition that is behind the live edition', async () => {
      await fill(2, 2);
      const store = fixture.database.view(view);
      await projectAll(fixture.log, store);
      const behind = await store.begin();
      const to = { store: await fixture.log.identity(), position: '1'.padStart(20, '0') };
      await behind.commit({ from: notStarted, to, documents: new Map(), rows: new Map() });
      expect(await store.activate(behind)).toBe(false);
      expect((await store.live())!.id).not.toBe(behind.id);
    });
  });

  describe('A commit', () => {
    it('fails and changes nothing when another commit has moved the checkpoint', async () => {
      const edition = await fixture.database.view(view).begin();
      const at = (position: number) => ({ store: 's', position: String(position).padStart(20, '0') });
      const total = (to: number) => ({ state: { name: '', total: to, seen: [], tags: [] }, revision: to, at: '' });
      const commit = (from: number | undefined, to: number) =>
        edition.commit({
          from: from === undefined ? notStarted : { checkpoint: at(from), commits: 1 },
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

    it('replaces the list row of another process, even if this process has committed the row before', async () => {
      const store = fixture.database.view(view);
      const mine = await store.begin();
      await store.activate(mine);
      const theirs = (await store.live())!;
      const at = (commits: number) => ({ store: 's', position: String(commits).padStart(20, '0') });
      const commit = (edition: typeof mine, commits: number, tag: string) =>
        edition.commit({
          from: commits === 0 ? notStarted : { checkpoint: at(commits), commits },
          to: at(commits + 1),
          documents: new Map([
            ['tally-a', { state: { name: 'A', total: 0, seen: [], tags: [tag] }, revision: commits, at: '' }],
          ]),
          rows: new Map([['tally-a', { name: 'A', tags: [tag], columns: { total: 0 } }]]),
        });
      const tagsWith = async () => {
        const pages = await Promise.all(
          ['red', 'blue'].map(async (tag) => [tag, (await store.list({ tags: [tag], limit: 10 })).rows.length]),
        );
        return Object.fromEntries(pages) as object;
      };
      await commit(mine, 0, 'red');
      await commit(theirs, 1, 'blue');
      expect(await tagsWith()).toEqual({ red: 0, blue: 1 });
      await expect(commit(mine, 1, 'red')).rejects.toThrow(Overtaken);
      await commit(mine, 2, 'red');
      expect(await tagsWith()).toEqual({ red: 1, blue: 0 });
    });
  });

  describe('A new version of a view', () => {
    it('gets a separate edition from its own projector, and stops the projector of the old version', async () => {
      await fill(10, 4);
      const old = fixture.database.view(view);
      await projectAll(fixture.log, old);
      const next = { ...countingView(undefined, 2), initial: () => ({ name: '', total: 1_000, seen: [], tags: [] }) };
      const store = fixture.database.view(next);
      expect(await store.get('tally-1')).toBeUndefined(); // until the new edition is built, the caller folds the stream
      // An empty page would be wrong, because the new list is not built yet.
      await expect(store.list({ limit: 5 })).rejects.toThrow(ReadModelNotBuilt);
      // With `listedSince: 1`, the list rows of version 1 are also valid for the new version.
      const sameLists = fixture.database.view({ ...next, listedSince: 1 });
      expect((await sameLists.list({ limit: 5 })).rows).toHaveLength(5);
      expect(await sameLists.get('tally-1')).toBeUndefined();
      expect((await old.list({ limit: 5 })).rows).toHaveLength(5);
      expect((await readProjectionStatus(fixture.log, store, next)).rebuildNeeded).toContain(
        'The documents are of version 1',
      );

      await projectAll(fixture.log, store, next);
      expect((await store.get('tally-1'))!.state.total).toBe(1_003);
      expect((await store.list({ limit: 50 })).rows).toHaveLength(10);
      await expect(old.live()).rejects.toThrow(Outdated);
      expect(await old.get('tally-1')).toBeUndefined();
      const projection = project(fixture.log, old, view, { alarm: () => undefined });
      while (projection.now().phase !== 'outdated') await pause(5);
      await projection.stop();
      expect((await store.get('tally-1'))!.state.total).toBe(1_003);
    });

    it.each([1_000, 2])(
      'parks the stream of a poison event and lists the other streams, with %i documents in memory',
      async (documentsMax) => {
        const curse = { on: false };
        await fill(4, 3);
        await fixture.write('tally-1', cursed(), counted());
        await fixture.write('tally-2', tagAdded('unlistable'));
        await fixture.write('tally-3', counted());
        const old = { ...countingView(curse), row: () => undefined };
        await projectAll(fixture.log, fixture.database.view(old), old);
        curse.on = true; // the new version cannot fold the event
        const next = countingView(curse, 2);
        const store = fixture.database.view(next);

        await rebuild(fixture.log, store, next, { documentsMax });
        expect((await store.list({ limit: 50 })).rows.map(({ stream }) => stream)).toEqual(['tally-0', 'tally-3']);
        expect((await store.get('tally-3'))!.state.total).toBe(3);
        const { parked } = await (await store.live())!.status();
        expect([...parked.keys()].sort()).toEqual(['tally-1', 'tally-2']);
        expect(parked.get('tally-1')).toMatchObject({
          revision: 3,
          type: 'Cursed',
          error: 'Error: The event is cursed.',
        });

        const alarms: string[] = [];
        let ahead = 0;
        const projection = project(fixture.log, store, next, {
          alarm: ({ event }) => void alarms.push(event.stream),
          now: () => Date.now() + (ahead += 50),
        });
        while (alarms.length < 2) await pause(5);
        curse.on = false;
        await store.release('tally-1');
        while ((await store.get('tally-1'))?.revision !== 4) await pause(5);
        await projection.stop();
        expect(alarms.sort()).toEqual(['tally-1', 'tally-2']);
        expect((await store.get('tally-1'))!.state.total).toBe(4);
      },
    );
  });

  describe('Verification', () => {
    it('finds no differences in correct documents, even while events are appended', async () => {
      await fill(40, 6);
      const store = fixture.database.view(view);
      const projection = project(fixture.log, store, view, { alarm: () => undefined, pace: 0 });
      await projection.whenProcessed(await fixture.log.head(), { timeout: 5_000 });
      const writing = { on: true };
      const writer = (async () => {
        for (let n = 0; writing.on; n += 1) {
          await fixture.write(`tally-${n % 45}`, counted(1));
          if (n % 10 === 0) await pause(1);
        }
      })();
      for (let round = 0; round < 5; round += 1) {
        const verified = await verifyView(fixture.log, (await store.live())!, view);
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
      [
        'a changed list row',
        `update list_rows set columns = '{"total":7}' where stream = 'tally-2'`,
        'not what a replay',
      ],
      ['a missing list row', `delete from list_rows where stream = 'tally-2'`, 'not what a replay'],
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
      const store = fixture.database.view(view);
      await projectAll(fixture.log, store);
      await fixture.place.run(sql);
      const edition = (await store.live())!;
      const verified = await verifyView(fixture.log, edition, view);
      expect(verified.ok).toBe(false);
      expect(verified.differences[0]!.why).toContain(why);
      if (!sql.includes('tally-none')) {
        expect(verified.differences).toMatchObject([{ stream: 'tally-2' }]);
        expect(await verifyDocument(fixture.log, edition, view, 'tally-2')).toEqual(verified.differences[0]);
      }
      expect(await verifyDocument(fixture.log, edition, view, 'tally-1')).toBeUndefined();
    });

    it('finds skipped events even if each document is correct at its revision', async () => {
      await fill(2, 1);
      const store = fixture.database.view(view);
      await projectAll(fixture.log, store);
      const before = (await store.live())!;
      await fixture.write('tally-0', counted(1));
      const head = await fixture.log.head();
      await fixture.place.run(`update editions set position = '${head}'`);
      expect((await verifyView(fixture.log, before, view)).differences).toEqual([
        { stream: 'tally-0', revision: 0, why: 'it lacks events that lie before the checkpoint' },
      ]);
    });

    it('names the parked streams', async () => {
      await fill(2, 1);
      const store = fixture.database.view(view);
      await projectAll(fixture.log, store);
      await fixture.write('tally-1', cursed());
      await fixture.write('tally-new', cursed());
      await projectAll(fixture.log, store);
      expect((await verifyView(fixture.log, (await store.live())!, view)).differences).toEqual([
        { stream: 'tally-1', revision: 0, why: 'it is parked at revision 1: Error: The event is cursed.' },
        { stream: 'tally-new', revision: -1, why: 'it is parked at its first event: Error: The event is cursed.' },
      ]);
    });
  });
});
