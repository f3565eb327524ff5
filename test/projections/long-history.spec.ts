import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase } from '@charter/database';
import { type EventLog, SqliteLog } from '@charter/event-log';
import { organizationView } from '@charter/organization-view';
import { project, type ProjectionOptions, rebuild } from '@charter/projections';
import { withFaults } from '../support/stores/faults';
import { appendLongHistory } from './long-log';
import type { Store } from './projecting';
import { reachableBytes } from './reachable-memory';

const ORGANIZATIONS = 1_000;
const RENAMES = 5;
const EVENTS = ORGANIZATIONS * (1 + 2 * RENAMES);
/** The maximum number of events in one commit of the projector. */
const BATCH = 500;
const MIB = 1024 * 1024;

const folder = mkdtempSync(join(tmpdir(), 'charter-long-history-'));
let log: EventLog;
beforeAll(async () => {
  log = await SqliteLog.open({ file: join(folder, 'events.db'), role: 'server' });
  await appendLongHistory(log, ORGANIZATIONS, RENAMES);
}, 120_000);
afterAll(async () => {
  await log.close();
  rmSync(folder, { recursive: true });
});

let database: Database;
let view: Store;
let tables = 0;
beforeEach(async () => {
  database = await openDatabase({ file: join(folder, `tables-${(tables += 1)}.db`) });
  view = database.view(organizationView);
});
afterEach(() => database.close());

type StoredEdition = Awaited<ReturnType<Store['begin']>>;

/** The log, with a count of the events that were read from it. */
function counted(of: EventLog) {
  const counts = { events: 0 };
  const pages = of.batches!.bind(of);
  async function* batches(...options: Parameters<typeof pages>) {
    for await (const page of pages(...options)) {
      counts.events += page.length;
      yield page;
    }
  }
  async function* readStream(...options: Parameters<EventLog['readStream']>) {
    for await (const event of of.readStream(...options)) {
      counts.events += 1;
      yield event;
    }
  }
  return { counts, log: withFaults(of, { batches, readStream }) };
}

/** The store, with counts of the documents that its editions read and write, and of the commits. */
function countedStore(of: Store) {
  const counts = { read: 0, written: 0, commits: 0 };
  const countedEdition = (edition: StoredEdition) =>
    withFaults(edition, {
      getMany: async (streams) => {
        counts.read += streams.length;
        return edition.getMany(streams);
      },
      commit: async (change) => {
        counts.commits += 1;
        counts.written += change.documents.size;
        await edition.commit(change);
      },
    });
  const begin: Store['begin'] = async (options) => countedEdition(await of.begin(options));
  const live: Store['live'] = async () => {
    const edition = await of.live();
    return edition && countedEdition(edition);
  };
  return { counts, store: withFaults(of, { begin, live }) };
}

/** Samples of the reachable memory, at most about 20 of them over the whole history. */
function sampling() {
  const samples: number[] = [];
  let due = 0;
  return {
    samples,
    at: (events: number) => {
      if (events < due) return;
      due = events + EVENTS / 20;
      samples.push(reachableBytes());
    },
  };
}

/** The growth of the memory in MiB: from the lowest value in the first half to the lowest value in the second half. */
function growth(samples: readonly number[]): number {
  expect(samples.length).toBeGreaterThanOrEqual(10);
  const half = Math.floor(samples.length / 2);
  return (Math.min(...samples.slice(half)) - Math.min(...samples.slice(2, half))) / MIB;
}

// If a projection kept each event, its memory would grow by more than 3 MiB over this history.
describe(`O14: A history of ${EVENTS} events`, () => {
  it('is rebuilt in constant memory if memory has room for 20 of its documents', async () => {
    const { samples, at } = sampling();
    await rebuild(log, view, organizationView, { documentsMax: 20, onProgress: ({ events }) => at(events) });
    expect(growth(samples)).toBeLessThan(0.5);
  }, 120_000);

  it('is projected in constant memory if memory has room for 20 of its documents', async () => {
    const { samples, at } = sampling();
    let commits = 0;
    await projected(view, { batchMax: BATCH, documentsKept: 20, onCommitted: () => at((commits += 1) * BATCH) });
    expect(growth(samples)).toBeLessThan(0.5);
  }, 120_000);

  it('is read once by a rebuild, which writes each document once if memory has room for all documents', async () => {
    const [{ counts, log: read }, stored] = [counted(log), countedStore(view)];
    const { events } = await rebuild(read, stored.store, organizationView);
    // The rebuild looks once more for newer events, and then reads the last event again.
    expect([events, counts.events]).toEqual([EVENTS, EVENTS + 1]);
    expect(stored.counts).toMatchObject({ read: 0, written: ORGANIZATIONS });
    expect(stored.counts.commits).toBeLessThan(20); // one commit for each 128 documents, and some more
  }, 120_000);

  it('is projected with few commits, and without reading a document again if memory has room for all documents', async () => {
    const { counts, store } = countedStore(view);
    await projected(store, { batchMax: BATCH });
    expect(counts.read).toBeLessThanOrEqual(ORGANIZATIONS);
    expect(counts.commits).toBeLessThan((EVENTS / BATCH) * 3);
  }, 120_000);
});

/** Runs a projector until it has processed the whole history. */
async function projected(store: Store, options: Partial<ProjectionOptions>): Promise<void> {
  const projection = project(log, store, organizationView, { alarm: () => undefined, pace: 0, ...options });
  await projection.whenProcessed(await log.head(), { timeout: 100_000 }).finally(() => projection.stop());
}
