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

describe.each(databases)('parking in %s', (_database, make) => {
  let world: Awaited<ReturnType<typeof opened>>;
  const running: Projection[] = [];
  beforeEach(async () => {
    world = await opened(make);
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((projection) => projection.stop()));
    await world.close();
  });

  const until = async (holds: () => unknown) => {
    const end = Date.now() + 10_000;
    while (!(await holds())) {
      if (Date.now() > end) throw new Error(`It never came true: ${holds.toString()}`);
      await pause(10);
    }
  };

  /** The store, told of what its live edition is about to commit. */
  const watched = (
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

  /** A clock that lets all retries come at once. */
  const hurried = () => {
    let ahead = 0;
    return () => Date.now() + (ahead += 100);
  };

  describe('a parked stream', () => {
    it('says at which event it waits, by revision, type and position', async () => {
      await world.write('tally-a', counted(1));
      const position = await world.write('tally-a', cursed());
      const store = world.documents.view(countingView());
      await projectAll(world.log, store);
      const { parked } = await (await store.live())!.status();
      expect(parked.get('tally-a')).toMatchObject({ revision: 1, type: 'Cursed', position });
    });

    it('is tried once for each release, however busy the log is', async () => {
      const alarms: PoisonAlarm[] = [];
      const store = world.documents.view(countingView());
      const alarm = (each: PoisonAlarm) => void alarms.push(each);
      const projection = project(world.log, store, countingView(), { alarm, pace: 0, now: hurried() });
      running.push(projection);
      await world.write('tally-a', cursed());
      await until(() => alarms.length === 1);
      await store.release('tally-a');
      for (const end = Date.now() + 400; Date.now() < end;) {
        await world.write('tally-b', counted(1));
        await pause(1);
      }
      expect(alarms).toHaveLength(2);
    });

    it('that is released while a try is under way is tried again after it', async () => {
      const curse = { on: true };
      const view = countingView(curse);
      const store = world.documents.view(view);
      const alarms: PoisonAlarm[] = [];
      const alarm = (each: PoisonAlarm) => void alarms.push(each);
      let tries = 0;
      const meanwhile = watched(store, async ({ parked }) => {
        if (!parked?.has('tally-a') || (tries += 1) !== 4) return;
        curse.on = false; // mended, and told so, just before the last failure is written
        await store.release('tally-a');
      });
      const projection = project(world.log, meanwhile, view, { alarm, pace: 0, now: hurried() });
      running.push(projection);
      await world.write('tally-a', counted(1), cursed(10), counted(1));
      await until(() => alarms.length === 1);
      await until(() => projection.now().parked.size === 0);
      expect((await store.get('tally-a'))?.state.total).toBe(12);
      expect(await verifyView(world.log, (await store.live())!, view)).toMatchObject({ ok: true });
    });

    it('is folded on by one of two projectors, and the other does not go on as if it still waited', async () => {
      await world.write('tally-a', cursed());
      const store = world.documents.view(countingView());
      await projectAll(world.log, store);
      const edition = (await store.live())!;
      const from = await edition.status();
      const to = from.checkpoint!;
      const nothing = { documents: new Map<string, never>(), rows: new Map<string, never>() };
      await edition.commit({ from, to, ...nothing, unparked: ['tally-a'] }); // the checkpoint stays where it is
      await expect(edition.commit({ from, to, ...nothing })).rejects.toThrow(Overtaken);
    });
  });

  it('asking is answered as often as it was heard', async () => {
    await world.write('tally-a', cursed());
    const store = world.documents.view(countingView());
    await projectAll(world.log, store);
    const edition = (await store.live())!;
    await store.release('tally-a');
    const from = await edition.status();
    expect(from.released).toEqual(new Map([['tally-a', 1]]));
    await store.release('tally-a');
    const change = { from, to: from.checkpoint!, documents: new Map<string, never>(), rows: new Map<string, never>() };
    await edition.commit({ ...change, parked: from.parked, answered: from.released });
    expect((await edition.status()).released).toEqual(new Map([['tally-a', 1]]));
  });
});
