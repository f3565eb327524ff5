import { setTimeout as pause } from 'node:timers/promises';
import {
  type EditionChange,
  type DocumentStore,
  type Edition,
  Overtaken,
  type PoisonAlarm,
  project,
  type Projection,
  verifyView,
} from '@charter/projections';
import { databases } from '../database.testing';
import { counted, cursed, opened, projectAll, type CountingState, countingView } from './counting-view.testing';

describe.each(databases)('Parking in %s', (_database, make) => {
  let fixture: Awaited<ReturnType<typeof opened>>;
  const running: Projection[] = [];
  beforeEach(async () => {
    fixture = await opened(make);
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((projection) => projection.stop()));
    await fixture.close();
  });

  const until = async (holds: () => unknown) => {
    const end = Date.now() + 10_000;
    while (!(await holds())) {
      if (Date.now() > end) throw new Error(`The condition did not become true within 10 s: ${holds.toString()}`);
      await pause(10);
    }
  };

  /** The store with a hook: it calls `onCommit` before each commit of its live edition. */
  const withCommitHook = (
    store: DocumentStore<CountingState>,
    onCommit: (change: EditionChange<CountingState>) => Promise<unknown>,
  ) =>
    Object.assign(Object.create(store) as DocumentStore<CountingState>, {
      live: async () => {
        const live = await store.live();
        const commit = async (change: EditionChange<CountingState>) => {
          await onCommit(change);
          await live!.commit(change);
        };
        return live && Object.assign(Object.create(live) as Edition<CountingState>, { commit });
      },
    });

  /** A clock that advances by an extra 100 ms at each reading, so that every retry is due. */
  const fastClock = () => {
    let ahead = 0;
    return () => performance.now() + (ahead += 100);
  };

  describe('A parked stream', () => {
    it('names its poison event by revision, type and position', async () => {
      await fixture.write('tally-a', counted(1));
      const position = await fixture.write('tally-a', cursed());
      const store = fixture.database.view(countingView());
      await projectAll(fixture.log, store);
      const { parked } = await (await store.live())!.status();
      expect(parked.get('tally-a')).toMatchObject({ revision: 1, type: 'Cursed', position });
    });

    it('is retried once for each release, even while many events arrive', async () => {
      const alarms: PoisonAlarm[] = [];
      const store = fixture.database.view(countingView());
      const alarm = (each: PoisonAlarm) => void alarms.push(each);
      const projection = project(fixture.log, store, countingView(), { alarm, pace: 0, elapsed: fastClock() });
      running.push(projection);
      await fixture.write('tally-a', cursed());
      await until(() => alarms.length === 1);
      await store.release('tally-a');
      for (const end = Date.now() + 400; Date.now() < end;) {
        await fixture.write('tally-b', counted(1));
        await pause(1);
      }
      expect(alarms).toHaveLength(2);
    });

    it('is retried in time, and after a release, even if the clock of the machine was set back', async () => {
      const alarms: PoisonAlarm[] = [];
      const store = fixture.database.view(countingView());
      const alarm = (each: PoisonAlarm) => void alarms.push(each);
      let ahead = 0;
      const now = () => Date.now() + ahead;
      const projection = project(fixture.log, store, countingView(), { alarm, pace: 0, now });
      running.push(projection);
      await fixture.write('tally-a', cursed());
      await until(() => projection.now().parked.size === 1);
      ahead -= 3_600_000;
      await until(() => alarms.length === 1);
      await store.release('tally-a');
      await until(() => alarms.length === 2);
    });

    it('is retried again when an operator releases it during a retry', async () => {
      const curse = { on: true };
      const view = countingView(curse);
      const store = fixture.database.view(view);
      const alarms: PoisonAlarm[] = [];
      const alarm = (each: PoisonAlarm) => void alarms.push(each);
      let tries = 0;
      const releasing = withCommitHook(store, async ({ parked }) => {
        if (!parked?.has('tally-a') || (tries += 1) !== 4) return;
        // The spec fixes the fault and releases the stream just before the projector stores the failed retry.
        curse.on = false;
        await store.release('tally-a');
      });
      const projection = project(fixture.log, releasing, view, { alarm, pace: 0, elapsed: fastClock() });
      running.push(projection);
      await fixture.write('tally-a', counted(1), cursed(10), counted(1));
      await until(() => alarms.length === 1);
      await until(() => projection.now().parked.size === 0);
      expect((await store.get('tally-a'))?.state.total).toBe(12);
      expect(await verifyView(fixture.log, (await store.live())!, view)).toMatchObject({ ok: true });
    });

    it('makes a commit fail when another projector has unparked the stream meanwhile', async () => {
      await fixture.write('tally-a', cursed());
      const store = fixture.database.view(countingView());
      await projectAll(fixture.log, store);
      const edition = (await store.live())!;
      const from = await edition.status();
      const to = from.checkpoint!;
      const nothing = { documents: new Map<string, never>(), rows: new Map<string, never>() };
      // The first commit unparks the stream and does not move the checkpoint.
      await edition.commit({ from, to, ...nothing, unparked: ['tally-a'] });
      await expect(edition.commit({ from, to, ...nothing })).rejects.toThrow(Overtaken);
    });

    it('keeps a release that arrives while the projector handles an earlier release', async () => {
      await fixture.write('tally-a', cursed());
      const store = fixture.database.view(countingView());
      await projectAll(fixture.log, store);
      const edition = (await store.live())!;
      await store.release('tally-a');
      const from = await edition.status();
      expect(from.released).toEqual(new Map([['tally-a', 1]]));
      await store.release('tally-a');
      const change = {
        from,
        to: from.checkpoint!,
        documents: new Map<string, never>(),
        rows: new Map<string, never>(),
      };
      await edition.commit({ ...change, parked: from.parked, answered: from.released });
      expect((await edition.status()).released).toEqual(new Map([['tally-a', 1]]));
    });
  });
});
