import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import type { Message } from '@charter/decider';
import { openDatabase } from '@charter/database';
import { type Delivery, type EventLog, EventStoreLog, eventStoreAddress, SqliteLog } from '@charter/event-log';
import { project, verifyView, type View } from '@charter/projections';
import { ended } from '../cli/command-line';
import { compiledEventLog } from '../crash/compiled';
import { twoMembers } from '../facade/members';
import { until } from '../support/serving';
import { times } from '../nightly/length';

// O5 (`acceptance.md`). The embedded log assigns a position under a lock that only the commit releases. So no later
// event gets a lower position than a visible event. In EventStoreDB one leader assigns the positions. The façade is no
// real server, so with it the spec tests only Charter's part.

const folder = compiledEventLog();
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * A log and its file. With `twoWrite`, two writers append at the same time to eight streams, at least `count` events to
 * each stream. `twoWrite` resolves with the number of all these events.
 */
type Ground = Readonly<{
  file: string;
  log: EventLog;
  twoWrite: (events: number) => Promise<number>;
  close: () => Promise<void>;
}>;

async function embedded(): Promise<Ground> {
  const file = join(folder, `${randomUUID()}.db`);
  const log = await SqliteLog.open({ file, role: 'server' });
  const writer = async (events: number) => {
    const args = [join(__dirname, '../crash/children/writer.cjs'), folder, file, '4', String(events), 'beside'];
    const { code, stdout } = await ended(spawn(process.execPath, args));
    expect(code).toBe(0);
    return [...stdout.matchAll(/^ack \S+ \d+ (.+)$/gm)].flatMap(([, ids]) => ids!.split(' ')).length;
  };
  return {
    file,
    log,
    twoWrite: async (events) => (await Promise.all([writer(events), writer(events)])).reduce((a, b) => a + b),
    close: () => log.close(),
  };
}

async function overFacades(): Promise<Ground> {
  const { all } = await twoMembers();
  const open = (url: string) => EventStoreLog.open({ address: eventStoreAddress(url), warn: () => undefined });
  const logs = await Promise.all(all.map(({ url }) => open(url)));
  const write = async (log: EventLog, events: number) => {
    const stream = `tally-${randomUUID()}`;
    for (let written = 0; written < events; written += 1)
      await log.append(stream, [noted()], {
        expected: written === 0 ? 'no_stream' : BigInt(written - 1),
        deadline: 20_000,
      });
    return events;
  };
  return {
    file: join(all[0].data(), 'events.db'),
    log: logs[0]!,
    twoWrite: async (events) => {
      const writing = [0, 1].flatMap((member) => Array.from({ length: 4 }, () => write(logs[member]!, events)));
      return (await Promise.all(writing)).reduce((a, b) => a + b);
    },
    close: async () => {
      for (const log of logs) await log.close();
      for (const member of all.toReversed()) await member.remove();
    },
  };
}

const noted = () => ({
  id: randomUUID(),
  type: 'Noted',
  data: {},
  metadata: { at: '2026-11-21T10:00:00.000Z', schema: 1, actor: { kind: 'system', id: 'spec' } },
});

/**
 * The prefixes of the names of this spec's streams. A log on EventStoreDB also contains a stream with the identity of
 * the store.
 */
const ours = ['first', 'held', 'later', 'tally-', '0-', '1-', '2-', '3-'];

/** Collects everything that a subscription from the start delivers. */
function watching(log: EventLog) {
  const seen: Delivery[] = [];
  const subscription = log.subscribe({ after: 'start', streamPrefixes: ours })[Symbol.asyncIterator]();
  const over = (async () => {
    for (;;) {
      const step = await subscription.next();
      if (step.done) return;
      seen.push(step.value);
    }
  })();
  const events = () => seen.flatMap((delivery) => (delivery.kind === 'event' ? [delivery.event] : []));
  return {
    events,
    /** The positions of all events and checkpoints, in the order of delivery. */
    positions: () =>
      seen.flatMap((delivery) =>
        delivery.kind === 'event'
          ? [delivery.event.position]
          : delivery.kind === 'checkpoint'
            ? [delivery.position]
            : [],
      ),
    streams: () => events().map(({ stream }) => stream),
    end: async () => {
      await subscription.return!();
      await over;
    },
  };
}

/**
 * Begins to write an event in a separate transaction, as another process does. The transaction has a position, and
 * stays open until the returned function ends it.
 */
function heldOpen(file: string) {
  const other = new DatabaseSync(file, { timeout: 5_000 });
  other.exec('BEGIN IMMEDIATE');
  const { lastInsertRowid: stream } = other.prepare("INSERT INTO streams (name, revision) VALUES ('held', 0)").run();
  const { id, type, data, metadata } = noted();
  const insert = other.prepare(
    "INSERT INTO events (stream, revision, event_id, type, data, metadata, created) VALUES (?, 0, unhex(?, '-'), ?, CAST(? AS BLOB), CAST(? AS BLOB), 0)",
  );
  insert.run(stream, id, type, JSON.stringify(data), JSON.stringify(metadata));
  return (how: 'COMMIT' | 'ROLLBACK') => {
    other.exec(how);
    other.close();
  };
}

const counting: View<{ count: number }, Message> = {
  name: 'counting',
  version: 1,
  prefixes: ours,
  initial: () => ({ count: 0 }),
  evolve: (draft, { type }) => {
    if (type === 'Noted') draft.count += 1;
    return draft;
  },
};

/** Within this time after a commit, the subscription delivers the event. */
const RESOLVED_MS = 5_000;
const HELD_MS = 2_000;

describe.each([
  ['the embedded log', embedded],
  ['EventStoreDB’s client over two façades', overFacades],
] as const)('O5: The projection over %s', (_, groundOf) => {
  let ground: Ground;
  beforeEach(async () => {
    ground = await groundOf();
  }, 60_000);
  afterEach(() => ground.close());

  it.each([
    ['COMMIT', ['first', 'held', 'later']],
    ['ROLLBACK', ['first', 'later']],
  ] as const)('waits at the position of an uncommitted event, and after %s skips no event', async (how, expected) => {
    const { log, file } = ground;
    const watched = watching(log);
    await log.append('first', [noted()], { expected: 'no_stream' });
    await until(() => watched.streams().length === 1);
    const head = await log.head();

    const end = heldOpen(file);
    const later = { isThere: false };
    const appending = log
      .append('later', [noted()], { expected: 'no_stream', deadline: 20_000 })
      .then(() => (later.isThere = true));
    await pause(HELD_MS);
    expect(later.isThere).toBe(false);
    expect([watched.streams(), await log.head()]).toEqual([['first'], head]);
    expect(watched.positions().every((position) => position <= head)).toBe(true);

    end(how);
    await appending;
    await until(() => watched.streams().length === expected.length, RESOLVED_MS);
    expect(watched.streams()).toEqual(expected);
    expect(watched.positions()).toEqual(watched.positions().toSorted());
    await watched.end();
  });

  it('processes every event of two writers exactly once, and within 5 s', async () => {
    const { log, twoWrite } = ground;
    const database = await openDatabase({ file: join(folder, `${randomUUID()}.db`) });
    const store = database.view(counting);
    const projection = project(log, store, counting, { alarm: () => undefined, pace: 0 });
    const watched = watching(log);
    const written = await twoWrite(times(60, 2_000));
    const head = await log.head();
    await projection.whenProcessed(head, { timeout: RESOLVED_MS });
    await until(() => watched.events().length >= written, RESOLVED_MS);

    expect(watched.events()).toHaveLength(written);
    expect(new Set(watched.events().map(({ id }) => id)).size).toBe(written);
    expect(watched.positions()).toEqual(watched.positions().toSorted());
    const edition = (await store.live())!;
    expect(await verifyView(log, edition, counting)).toMatchObject({ ok: true, different: 0 });
    const page = await edition.page('', 10_000);
    expect(page.documents.reduce((sum, { document }) => sum + document.state.count, 0)).toBe(written);
    expect(projection.now().parked.size).toBe(0);
    await projection.stop();
    await watched.end();
    await database.close();
  });
});
