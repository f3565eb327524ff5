import { fold, type Recorded } from '@charter/decider';
import { type Delivery, type EventLog, MemoryLog } from '@charter/event-log';
import { project } from '@charter/projections';
import fc from 'fast-check';
import { delivering } from './delivering.testing';
import { faultyStore } from './faulty.testing';
import { databases, type TestDatabase } from '../database.testing';
import {
  contents,
  counted,
  named,
  projectAll,
  type CountingState,
  type CountingEvent,
  tagAdded,
  countingView,
  tagRemoved,
  writerTo,
} from './counting-view.testing';
import type { ViewStore } from './view-store';

type Step = { stream: string; event: CountingEvent };
const stepOf = fc.record({
  stream: fc.constantFrom('tally-a', 'tally-b', 'tally-c', 'other-d'),
  event: fc.oneof(
    fc.integer({ min: -9, max: 9 }).map(counted),
    fc.constantFrom('Acme', 'Zebra', 'Öre').map(named),
    fc.constantFrom('red', 'blue').map(tagAdded),
    fc.constantFrom('red', 'blue').map(tagRemoved),
  ),
});
const steps = (minLength: number, maxLength = minLength) => fc.array(stepOf, { minLength, maxLength });

async function logOf(history: readonly Step[]) {
  const log = new MemoryLog();
  const write = writerTo(log);
  for (const { stream, event } of history) await write(stream, event);
  return log;
}

/** Computes the expected documents: folds every stream in memory, without a projector. */
async function expected(log: EventLog) {
  const view = countingView();
  const streams = new Map<string, Recorded<CountingEvent>[]>();
  for await (const { stream, type, data, metadata, revision } of log.readAll({ streamPrefixes: view.prefixes }))
    streams.set(stream, [
      ...(streams.get(stream) ?? []),
      { type, data, metadata, revision: Number(revision) } as Recorded<CountingEvent>,
    ]);
  const documents = [...streams]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([stream, events]) => {
      const document = fold(view, events);
      const row = view.row!(document);
      return { stream, document, ...(row && { row: { ...row, tags: [...new Set(row.tags)].sort() } }) };
    });
  return { documents, parked: [] };
}

describe.each(databases)('Projector properties in %s', (database, make) => {
  /** Runs `work` with an empty store on an empty database. */
  const withStore = async <T>(work: (store: ViewStore<CountingState>, place: TestDatabase) => Promise<T>) => {
    const place = await make();
    const database = await place.open();
    try {
      return await work(database.view(countingView()), place);
    } finally {
      await database.close();
      await place.remove();
    }
  };

  // PostgreSQL needs a network call for each statement and a disk write for each commit, so the specs make fewer runs
  // and steps on PostgreSQL.
  const [numRuns, stride] = database === 'SQLite' ? [15, 1] : [2, 5];
  describe('Documents after random deliveries', () => {
    const repeat = (count: number) => (delivery: Delivery) => Array.from({ length: count }, () => delivery);
    const repeatBatches = (delivery: Delivery, delivered: readonly Delivery[]) =>
      delivered.length % 7 === 0 ? delivered.slice(-7) : [delivery];

    it.each([
      ['each event arrives twice', repeat(2)],
      ['each event arrives five times', repeat(5)],
      ['whole batches arrive again', repeatBatches],
    ])('equal the folded streams when %s', async (_, change) => {
      await fc.assert(
        fc.asyncProperty(steps(1, 60), fc.constantFrom(1, 3, 1000), (history, batchMax) =>
          withStore(async (store) => {
            const log = await logOf(history);
            await projectAll(delivering(log, change), store, countingView(), { batchMax });
            expect(await contents(store)).toEqual(await expected(log));
          }),
        ),
        { numRuns },
      );
    });

    it.each([1, 2, 7, 1000])(
      'equal the folded streams in batches of %d with a small document cache',
      async (batchMax) => {
        await fc.assert(
          fc.asyncProperty(steps(40, 80), fc.constantFrom(1, 2, 100), (history, documentsKept) =>
            withStore(async (store) => {
              const log = await logOf(history);
              await projectAll(log, store, countingView(), { batchMax, documentsKept });
              expect(await contents(store)).toEqual(await expected(log));
            }),
          ),
          { numRuns: Math.min(numRuns, 5) },
        );
      },
    );

    it('equal the folded streams after a restart at every position', () =>
      withStore(async (store) => {
        const [history] = fc.sample(steps(80 / stride), 1);
        const log = new MemoryLog();
        const write = writerTo(log);
        for (const { stream, event } of history!) {
          await write(stream, event);
          await projectAll(log, store, countingView(), { batchMax: 1 });
        }
        expect(await contents(store)).toEqual(await expected(log));
      }));

    it('equal the folded streams after stops at random moments', () =>
      withStore(async (store) => {
        const [history] = fc.sample(steps(200), 1);
        const log = await logOf(history!);
        const head = await log.head();
        for (let stops = 0; stops < 40 / stride; stops += 1) {
          const projection = project(log, store, countingView(), { alarm: () => undefined, pace: 0, batchMax: 3 });
          for (let ticks = 0; ticks < stops % 9; ticks += 1) await new Promise(setImmediate);
          await projection.stop();
        }
        await projectAll(log, store);
        expect((await (await store.live())!.status()).checkpoint?.position).toBe(head);
        expect(await contents(store)).toEqual(await expected(log));
      }));

    it('equal the folded streams when two projectors run at the same time', () =>
      withStore(async (store) => {
        const [history] = fc.sample(steps(150 / stride), 1);
        const log = new MemoryLog();
        const write = writerTo(log);
        await projectAll(log, store);
        const projectors = [1, 2].map(() =>
          project(log, store, countingView(), { alarm: () => undefined, pace: 0, batchMax: 2 }),
        );
        for (const { stream, event } of history!) await write(stream, event);
        for (const each of projectors)
          await each.whenProcessed(await log.head(), { timeout: 20_000 }).catch(() => undefined);
        await Promise.all(projectors.map((each) => each.stop()));
        await projectAll(log, store);
        expect(await contents(store)).toEqual(await expected(log));
      }));
  });

  describe('A database fault', () => {
    it.each(['before', 'after'] as const)(
      'leaves correct documents when it occurs %s a statement of a projector',
      async (when) => {
        const [history] = fc.sample(steps(16), 1);
        const log = await logOf(history!);
        const run = (failAt: number) =>
          withStore(async (store, place) => {
            const faulty = faultyStore(place.options, countingView(), failAt, when);
            await projectAll(log, faulty.store, countingView(), { batchMax: 6 });
            expect(await contents(store)).toEqual(await expected(log));
            await faulty.close();
            return faulty.statements();
          });
        const statements = await run(Infinity);
        expect(statements).toBeGreaterThan(20);
        for (let failAt = 1; failAt <= statements; failAt += stride) await run(failAt);
      },
      60_000,
    );
  });
});
