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
  tagged,
  countingView,
  untagged,
  writerTo,
} from './counting-view.testing';
import type { ViewStore } from './view-store';

type Step = { stream: string; event: CountingEvent };
const stepOf = fc.record({
  stream: fc.constantFrom('tally-a', 'tally-b', 'tally-c', 'other-d'),
  event: fc.oneof(
    fc.integer({ min: -9, max: 9 }).map(counted),
    fc.constantFrom('Acme', 'Zebra', 'Öre').map(named),
    fc.constantFrom('red', 'blue').map(tagged),
    fc.constantFrom('red', 'blue').map(untagged),
  ),
});
const steps = (minLength: number, maxLength = minLength) => fc.array(stepOf, { minLength, maxLength });

async function logOf(history: readonly Step[]) {
  const log = new MemoryLog();
  const write = writerTo(log);
  for (const { stream, event } of history) await write(stream, event);
  return log;
}

/** The expected documents: every stream folded at once, in memory. */
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

describe.each(databases)('in %s', (database, make) => {
  /** A fresh store in a place of its own. */
  const withStore = async <T>(work: (store: ViewStore<CountingState>, place: TestDatabase) => Promise<T>) => {
    const place = await make();
    const documents = await place.open();
    try {
      return await work(documents.view(countingView()), place);
    } finally {
      await documents.close();
      await place.remove();
    }
  };

  // A server is asked over a connection, and each commit waits for a disk: fewer of each.
  const [numRuns, some] = database === 'SQLite' ? [15, 1] : [2, 5];
  describe('Documents after random deliveries', () => {
    const times = (count: number) => (delivery: Delivery) => Array.from({ length: count }, () => delivery);
    const batchesAgain = (delivery: Delivery, before: readonly Delivery[]) =>
      before.length % 7 === 0 ? before.slice(-7) : [delivery];

    it.each([
      ['each event twice', times(2)],
      ['each event five times', times(5)],
      ['whole batches again', batchesAgain],
    ])('%s', async (_, change) => {
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

    it.each([1, 2, 7, 1000])('in batches of %d, and with few documents remembered', async (batchMax) => {
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
    });

    it('stopped and started at every position', () =>
      withStore(async (store) => {
        const [history] = fc.sample(steps(80 / some), 1);
        const log = new MemoryLog();
        const write = writerTo(log);
        for (const { stream, event } of history!) {
          await write(stream, event);
          await projectAll(log, store, countingView(), { batchMax: 1 });
        }
        expect(await contents(store)).toEqual(await expected(log));
      }));

    it('stopped anywhere within', () =>
      withStore(async (store) => {
        const [history] = fc.sample(steps(200), 1);
        const log = await logOf(history!);
        const head = await log.head();
        for (let stops = 0; stops < 40 / some; stops += 1) {
          const projection = project(log, store, countingView(), { alarm: () => undefined, pace: 0, batchMax: 3 });
          for (let turns = 0; turns < stops % 9; turns += 1) await new Promise(setImmediate);
          await projection.stop();
        }
        await projectAll(log, store);
        expect((await (await store.live())!.status()).checkpoint?.position).toBe(head);
        expect(await contents(store)).toEqual(await expected(log));
      }));

    it('projected by two at once, of whom each is overtaken again and again', () =>
      withStore(async (store) => {
        const [history] = fc.sample(steps(150 / some), 1);
        const log = new MemoryLog();
        const write = writerTo(log);
        await projectAll(log, store);
        const two = [1, 2].map(() =>
          project(log, store, countingView(), { alarm: () => undefined, pace: 0, batchMax: 2 }),
        );
        for (const { stream, event } of history!) await write(stream, event);
        for (const each of two) await each.whenProcessed(await log.head(), { timeout: 20_000 }).catch(() => undefined);
        await Promise.all(two.map((each) => each.stop()));
        await projectAll(log, store);
        expect(await contents(store)).toEqual(await expected(log));
      }));
  });

  describe('a fault between any two writes', () => {
    it.each(['before', 'after'] as const)(
      '(%s it was done) leaves all or nothing, and is made good',
      async (when) => {
        const [history] = fc.sample(steps(12), 1);
        const log = await logOf(history!);
        const run = (failAt: number) =>
          withStore(async (store, place) => {
            const faulty = faultyStore(place.options, countingView(), failAt, when);
            await projectAll(log, faulty.store, countingView(), { batchMax: 6 });
            expect(await contents(store)).toEqual(await expected(log));
            await faulty.close();
            return faulty.statements();
          });
        const all = await run(Infinity);
        expect(all).toBeGreaterThan(20);
        for (let failAt = 1; failAt <= all; failAt += some) await run(failAt);
      },
      60_000,
    );
  });
});
