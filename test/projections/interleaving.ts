import { createHash } from 'node:crypto';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { fold, type Recorded } from '@charter/decider';
import type { Database, ViewStore } from '@charter/database';
import type { EventLog } from '@charter/event-log';
import {
  RebuildInProgress,
  type EditionChange,
  type Edition,
  Overtaken,
  Poisoned,
  project,
  type Projection,
  rebuild,
  RebuildDiffers,
  verifyView,
} from '@charter/projections';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { delivering } from '../../libs/database/src/read-model/delivering.testing';
import {
  counted,
  cursed,
  named,
  type CountingState,
  type CountingEvent,
  tagAdded,
  countingView,
  tagRemoved,
  writerTo,
} from '../../libs/database/src/read-model/counting-view.testing';

/** The stores under test. Each call opens a separate connection, as several processes do, if the store allows this. */
export type Ground = Readonly<{
  openLog: () => Promise<EventLog>;
  openDocuments: () => Promise<Database>;
}>;

/** The possible steps, in any order. */
export type Step = Readonly<
  | { do: 'append'; stream: string; events: readonly CountingEvent[] }
  | { do: 'start'; who: number; batchMax: number; twice: boolean; lease: boolean; slow: number }
  | { do: 'stop' | 'kill before a commit' | 'kill after a commit'; who: number }
  | { do: 'pause' | 'resume' | 'curse' | 'lift the curse' }
  | { do: 'rebuild'; takeOver: boolean; interruptedAfter: number }
  | { do: 'release'; stream: string }
  | { do: 'wait'; turns: number }
>;

const streams = ['tally-a', 'tally-b', 'tally-c', 'other-d'];
const anyStream = fc.constantFrom(...streams);
const anyEvent: fc.Arbitrary<CountingEvent> = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -9, max: 9 }).map(counted) },
  { weight: 2, arbitrary: fc.constantFrom('Acme', 'Zebra', 'Öre').map(named) },
  { weight: 2, arbitrary: fc.constantFrom('red', 'blue').map(tagAdded) },
  { weight: 1, arbitrary: fc.constantFrom('red', 'blue').map(tagRemoved) },
  { weight: 1, arbitrary: fc.constant(cursed(100)) },
);
const who = fc.nat({ max: 2 });
const just = <const Word extends string>(word: Word) => fc.constant(word);

export const anySteps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        do: just('append'),
        stream: anyStream,
        events: fc.array(anyEvent, { minLength: 1, maxLength: 5 }),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        do: just('start'),
        who,
        batchMax: fc.constantFrom(1, 1, 2, 7, 1000),
        twice: fc.boolean(),
        lease: fc.constantFrom(true, false, false, false),
        slow: fc.constantFrom(0, 3, 20, 60),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constantFrom('stop' as const, 'kill before a commit' as const, 'kill after a commit' as const),
        who,
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constantFrom('pause' as const, 'resume' as const, 'curse' as const, 'lift the curse' as const),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: just('rebuild'),
        takeOver: fc.boolean(),
        interruptedAfter: fc.constantFrom(0, 1, Infinity),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: just('release'), stream: anyStream }) },
    { weight: 8, arbitrary: fc.record({ do: just('wait'), turns: fc.nat({ max: 60 }) }) },
  ),
  { minLength: 10, maxLength: 60 },
);

/** A projector, and the state that a step changes to kill the projector. */
type Projector = { projection: Projection; life: Life };
type Life = { commitsLeft: number; readonly slow: number };

/**
 * Runs all steps on new stores. After all projectors have caught up, the documents must equal a fold of the streams.
 */
export async function expectTheReplay(ground: Ground, steps: readonly Step[]): Promise<void> {
  const [log, database] = [await ground.openLog(), await ground.openDocuments()];
  const curse = { on: true };
  const view = countingView(curse);
  const store = database.view<CountingState>(view);
  const write = writerTo(log);
  const projectors = new Map<number, Projector>();
  const rebuilds: Promise<unknown>[] = [];
  const failures: unknown[] = [];

  const end = async (number: number, commitsLeft: number) => {
    const projector = projectors.get(number);
    if (!projector) return;
    projectors.delete(number);
    projector.life.commitsLeft = commitsLeft;
    if (commitsLeft > 0) await pause(1);
    await projector.projection.stop();
  };
  const rebuildOnce = async (step: Extract<Step, { do: 'rebuild' }>) => {
    const stop = new AbortController();
    let pages = 0;
    const onProgress = () => {
      if ((pages += 1) > step.interruptedAfter) stop.abort(new Error('Interrupted.'));
    };
    try {
      await rebuild(log, store, view, { takeOver: step.takeOver, signal: stop.signal, onProgress, documentsMax: 2 });
    } catch (why) {
      const isExpected =
        [RebuildInProgress, Overtaken, Poisoned].some((known) => why instanceof known) || stop.signal.aborted;
      // the curse began after the rebuild had folded the event, and before it compared the document
      const isCursed = why instanceof RebuildDiffers && why.message.includes('The event is cursed.');
      if (!isExpected && !isCursed) failures.push(why);
    }
  };
  const take = async (step: Step) => {
    switch (step.do) {
      case 'append':
        return write(step.stream, ...step.events);
      case 'start': {
        if (projectors.has(step.who)) return;
        const life = { commitsLeft: Infinity, slow: step.slow };
        const place = (await ground.openDocuments()).view<CountingState>(view);
        const lease = step.lease ? { lease: database.lease('projections', { lasts: 300 }) } : {};
        const source = step.twice ? twice(await ground.openLog()) : await ground.openLog();
        const options = { alarm: () => undefined, pace: 0, batchMax: step.batchMax, elapsed: hurried(), ...lease };
        projectors.set(step.who, { life, projection: project(source, mortal(place, life), view, options) });
        return;
      }
      case 'stop':
        return end(step.who, Infinity);
      case 'kill before a commit':
        return end(step.who, 0);
      case 'kill after a commit':
        return end(step.who, 1);
      case 'pause':
        return store.pause();
      case 'resume':
        return store.resume();
      case 'curse':
      case 'lift the curse':
        curse.on = step.do === 'curse';
        return;
      case 'rebuild':
        rebuilds.push(rebuildOnce(step));
        return;
      case 'release':
        return store.release(step.stream);
      case 'wait':
        for (let left = step.turns; left > 0; left -= 1) await turn();
    }
  };

  for (const step of steps) await take(step);
  await Promise.all(rebuilds);
  for (const number of [...projectors.keys()]) await end(number, 0);
  curse.on = false;
  await store.resume();
  await comeToRest(log, store);
  expect(failures).toEqual([]);
  expect(await dumpOf(store)).toEqual(await replayOf(log));
  const live = (await store.live())!;
  expect(await verifyView(log, live, view)).toMatchObject({ ok: true, different: 0 });
  const { compared } = await rebuild(log, store, view, { takeOver: true });
  expect(compared).toMatchObject({ moving: 0, differences: 0, hash: compared!.liveHash });
}

async function comeToRest(log: EventLog, store: ViewStore<CountingState>): Promise<void> {
  const view = countingView({ on: false });
  const projection = project(log, store, view, { alarm: () => undefined, pace: 0, elapsed: hurried() });
  try {
    await projection.whenProcessed(await log.head(), { timeout: 30_000 });
    for (const end = Date.now() + 30_000; projection.now().parked.size > 0;) {
      if (Date.now() > end) throw new Error('A stream stays parked.');
      for (const stream of projection.now().parked.keys()) await store.release(stream);
      await pause(20);
    }
  } finally {
    await projection.stop();
  }
}

/** A clock that moves 100 ms at each call, so that every retry is soon due. */
const hurried = () => {
  let ahead = 0;
  return () => performance.now() + (ahead += 100);
};

/** A log that delivers each event twice, and sometimes the last five events again. */
const twice = (log: EventLog): EventLog =>
  delivering(log, (delivery, before) => [delivery, delivery, ...(before.length % 5 === 0 ? before.slice(-5) : [])]);

/** Wraps the store of a projector that a step may kill: commits are slow, and after the kill each commit fails. */
function mortal(store: ViewStore<CountingState>, life: Life): ViewStore<CountingState> {
  const commitWith = (edition: Edition<CountingState>) => async (change: EditionChange<CountingState>) => {
    for (let left = life.slow; left > 0; left -= 1) await turn();
    if (life.commitsLeft <= 0) throw new Error('Dead.');
    life.commitsLeft -= 1;
    await edition.commit(change);
    if (life.commitsLeft <= 0) throw new Error('Died, and never heard that it was done.');
  };
  const live = async () => {
    const edition = await store.live();
    return edition && Object.assign(Object.create(edition) as Edition<CountingState>, { commit: commitWith(edition) });
  };
  return Object.assign(Object.create(store) as ViewStore<CountingState>, { live });
}

const dump = (documents: readonly object[]) => {
  const texts = documents.map((each) => canonicalize(JSON.parse(JSON.stringify(each)))!);
  return { texts, hash: createHash('sha256').update(texts.join('\n')).digest('hex') };
};

/** The canonical dump of the read model: every document with its row, in the order of streams. */
async function dumpOf(store: ViewStore<CountingState>) {
  const { documents } = await (await store.live())!.page('', 100_000);
  return dump(documents.map(({ stream, document, row }) => ({ stream, document, ...(row && { row }) })));
}

/** The expected dump: every stream, folded in memory with `fold` alone. */
async function replayOf(log: EventLog) {
  const view = countingView({ on: false });
  const histories = new Map<string, Recorded<CountingEvent>[]>();
  for await (const { stream, type, data, metadata, revision } of log.readAll({ streamPrefixes: view.prefixes })) {
    const event = { type, data, metadata, revision: Number(revision) } as Recorded<CountingEvent>;
    histories.set(stream, [...(histories.get(stream) ?? []), event]);
  }
  const inOrder = [...histories].sort(([a], [b]) => (a < b ? -1 : 1));
  return dump(
    inOrder.map(([stream, events]) => {
      const document = fold(view, events);
      const row = view.row!(document);
      return { stream, document, ...(row && { row: { ...row, tags: [...new Set(row.tags)].sort() } }) };
    }),
  );
}
