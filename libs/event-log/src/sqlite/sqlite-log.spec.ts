import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { type Delivery, type NewEvent, EMPTY_LOG_POSITION, positionOf } from '../port';
import { SqliteLog } from './sqlite-log';

const folder = mkdtempSync(join(tmpdir(), 'charter-sqlite-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
const open = new Set<SqliteLog>();
async function opened(role: 'server' | 'beside' = 'server', file = join(folder, `${++files}.db`)) {
  const log = await SqliteLog.open({ file, role });
  open.add(log);
  return { log, file };
}
afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all([...open].map((log) => log.close()));
  open.clear();
});

const noted = (text = ''): NewEvent => ({ id: crypto.randomUUID(), type: 'Noted', data: { text } });
const several = (count: number, text?: string) => Array.from({ length: count }, () => noted(text));
const write = (log: SqliteLog, stream: string, count: number) =>
  log.append(stream, several(count), { expected: 'any' });

describe('SQLite event log', () => {
  it('parses the texts of an event only when a caller reads the event', async () => {
    const { log } = await opened();
    await log.append('a', [{ ...noted('first'), metadata: { by: 'x' } }], { expected: 'no_stream' });
    const parse = jest.spyOn(JSON, 'parse');
    for await (const [item] of log.readStreamWithTexts('a')) {
      expect(item).toMatchObject({ type: 'Noted', stream: 'a', revision: 0 });
      expect(item!.texts).toEqual({ data: '{"text":"first"}', metadata: '{"by":"x"}' });
      expect(parse).not.toHaveBeenCalled();
      expect([item!.event.data, item!.event.metadata]).toEqual([{ text: 'first' }, { by: 'x' }]);
      expect(parse).toHaveBeenCalledTimes(2);
    }
  });

  it('counts exactly the events after a position', async () => {
    const { log } = await opened();
    expect([await log.head(), await log.lag(EMPTY_LOG_POSITION)]).toEqual([EMPTY_LOG_POSITION, 0]);
    await write(log, 'a', 3);
    const { position } = await write(log, 'b', 2);
    await write(log, 'a', 4);
    expect(
      await Promise.all([EMPTY_LOG_POSITION, position, await log.head(), positionOf(99n)].map((from) => log.lag(from))),
    ).toEqual([9, 4, 0, 0]);
    await expect(log.lag('soon')).rejects.toMatchObject({ kind: 'invalid' });
  });

  it('reports a repeated append', async () => {
    const { log } = await opened();
    const events = several(2);
    expect(await log.append('s', events, { expected: 'no_stream' })).toMatchObject({ repeated: false });
    expect(await log.append('s', events, { expected: 'no_stream' })).toMatchObject({ repeated: true });
  });

  it('writes the appends of one tick in one transaction, up to the limits of a transaction', async () => {
    const { log, file } = await opened();
    await write(log, 'first', 1);
    const commitsOf = async (streams: number, events: number) => {
      const before = commitsIn(`${file}-wal`);
      await Promise.all(Array.from({ length: streams }, (_, stream) => write(log, `${events}-${stream}`, events)));
      return commitsIn(`${file}-wal`) - before;
    };
    const { appends, events } = log.transaction;
    expect(await commitsOf(appends, events / appends)).toBe(1);
    expect(await commitsOf(appends + 1, 1)).toBe(2);
    expect(await commitsOf(2, events / 2 + 1)).toBe(2);
  });

  it('refuses to read from position 0, before the first event', async () => {
    const { log } = await opened();
    const step = log.readAll({ from: EMPTY_LOG_POSITION })[Symbol.asyncIterator]().next();
    await expect(step).rejects.toMatchObject({ kind: 'invalid-position' });
  });

  it('reads batches of at most 500 events', async () => {
    const { log } = await opened();
    await write(log, 's', 1200);
    const sizes: number[] = [];
    for await (const batch of log.batches()) sizes.push(batch.length);
    expect(sizes).toEqual([500, 500, 200]);
  });

  it('reads a batch with content that is not JSON; only an access to the content throws', async () => {
    const { log, file } = await opened();
    await write(log, 's', 1);
    const other = new DatabaseSync(file);
    const insert = other.prepare(
      "INSERT INTO events (stream, revision, event_id, type, data, metadata, created) VALUES (1, ?, x'01', 'noted', ?, ?, 0)",
    );
    insert.run(1, Buffer.from('{'), Buffer.from('{}'));
    insert.run(2, Buffer.from('{}'), Buffer.from('{'));
    other.close();
    for await (const [, data, metadata] of log.batches()) {
      expect(() => data?.data).toThrow('Event 1 of s is not JSON.');
      expect(data?.metadata).toEqual({});
      expect(metadata?.data).toEqual({});
      expect(() => metadata?.metadata).toThrow('Event 2 of s is not JSON.');
    }
    expect.assertions(4);
  });

  it('lets other work of the thread run while it reads a long history', async () => {
    const { log } = await opened();
    await write(log, 's', 2000);
    let ticks = 0;
    const timer = setInterval(() => ticks++, 0);
    for await (const event of log.readAll()) if (event.revision % 500n === 0n) await Promise.resolve();
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(0);
  });

  it('delivers checkpoints with increasing positions while no event matches a subscription', async () => {
    const { log } = await opened();
    const first = await write(log, 'mine', 1);
    const { position } = await write(log, 'other', 600);
    const after = {
      store: await log.identity(),
      position,
      lastEvent: { position: first.position, id: (await firstOf(log, 'mine')).id },
    };
    const deliveries = log.subscribe({ after, streamPrefixes: ['mine'] })[Symbol.asyncIterator]();
    expect((await deliveries.next()).value).toEqual({ kind: 'caught-up' });
    const { position: later } = await write(log, 'other', 1);
    expect((await deliveries.next()).value).toEqual({ kind: 'checkpoint', position: later });
    expect((await deliveries.next()).value).toEqual({ kind: 'caught-up' });
  });

  it('wakes its own subscriptions at a commit, even if its polls find no commit', async () => {
    const { log } = await opened();
    const polls = jest.spyOn(log, 'version').mockReturnValue('no commit');
    const deliveries = log.subscribe({ after: 'start', streamPrefixes: [] })[Symbol.asyncIterator]();
    for (let time = 0; time < 21; time++) {
      const event = nextEvent(deliveries);
      while (polls.mock.calls.length === 0) await pause(2); // the first poll always wakes the subscriptions
      await pause(2); // gives the subscription time to reach its wait for a commit
      await write(log, 's', 1);
      await event;
    }
  });

  it.each(['start', 'end'] as const)(
    'delivers events after the %s if the file was busy at subscribe()',
    async (after) => {
      const { log } = await opened();
      const busy = Object.assign(new Error('database is locked'), { errcode: 5 });
      jest.spyOn(StatementSync.prototype, 'get').mockImplementationOnce(() => {
        throw busy;
      });
      const deliveries = log.subscribe({ after, streamPrefixes: [] })[Symbol.asyncIterator]();
      expect(await deliveries.next()).toMatchObject({ value: { kind: 'caught-up' } });
      const event = nextEvent(deliveries);
      await write(log, 's', 1);
      await event;
    },
  );

  it('refuses an append while 10,000 appends wait, and accepts appends again later', async () => {
    const { log, file } = await opened();
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    const waiting = Array.from({ length: 10_000 }, () =>
      log.append('s', [noted()], { expected: 'any', deadline: 300 }),
    );
    const settled = Promise.allSettled(waiting);
    await expect(log.append('s', [noted()], { expected: 'any', deadline: 300 })).rejects.toMatchObject({
      kind: 'unavailable',
      message: 'Too many appends wait for the disk.',
    });
    expect((await settled).every(({ status }) => status === 'rejected')).toBe(true);
    other.close();
    // Each waiting append has failed at its deadline, but the writer may still have some of these appends in its queue.
    const taken = () => log.append('s', [noted()], { expected: 'any' }).catch(() => undefined);
    let appended = await taken();
    for (let tries = 0; tries < 200 && !appended; tries++) appended = await pause(50).then(taken);
    expect(appended).toMatchObject({ repeated: false });
    expect([log.healthy, await log.lag(EMPTY_LOG_POSITION)]).toEqual([true, 1]);
  });

  it('moves the content of the WAL into the database file while no append arrives', async () => {
    const { log, file } = await opened();
    // The events of all appends fit into one commit. Between two commits, the log may move the content into the file.
    const appends = Array.from({ length: 6 }, () => log.append('s', [noted('x'.repeat(900_000))], { expected: 'any' }));
    await Promise.all(appends);
    expect(log.walBytes()).toBeGreaterThan(5_000_000);
    for (let tries = 0; tries < 120 && log.walBytes() > 0; tries++) await pause(100);
    expect(log.walBytes()).toBe(0);
    expect(statSync(file).size).toBeGreaterThan(5_000_000);
  });
});

describe('Backup of the log', () => {
  it('can be made while the log is in use, and contains the same identity and events as the log', async () => {
    const { log } = await opened();
    await write(log, 's', 700);
    const to = join(folder, 'copy.db');
    const writing = Promise.all(Array.from({ length: 50 }, (_, index) => write(log, `t-${index}`, 20)));
    await log.backup(to);
    await writing;
    expect(statSync(to).mode & 0o777).toBe(0o600);

    const { log: copy } = await opened('server', to);
    expect(await copy.identity()).toBe(await log.identity());
    const copied = await all(copy);
    expect(copied.length).toBeGreaterThanOrEqual(700);
    expect((await all(log)).slice(0, copied.length)).toEqual(copied);
    expect((copied.length - 700) % 20).toBe(0);
  });

  it('never replaces an existing file', async () => {
    const { log, file } = await opened();
    await expect(log.backup(file)).rejects.toMatchObject({ kind: 'invalid' });
    expect(await log.lag(EMPTY_LOG_POSITION)).toBe(0);
  });
});

describe('Closing the log', () => {
  it('leaves no file open, and the file can be opened again', async () => {
    const { log, file } = await opened();
    await write(log, 's', 3);
    await log.head();
    log.subscribe({ after: 'start', streamPrefixes: [] });
    await log.close();
    const links = readdirSync('/proc/self/fd').map((fd) => linkOf(fd));
    expect(links.filter((path) => path.startsWith(file))).toEqual([]);
    expect(existsSync(file) && !log.healthy).toBe(true);
    await (await opened('server', file)).log.head();
  });

  it('makes later appends fail, even if the log was only read before', async () => {
    const { file } = await opened();
    const { log } = await opened('beside', file);
    expect(await log.head()).toBe(EMPTY_LOG_POSITION);
    await log.close();
    await expect(log.append('s', [noted()], { expected: 'any' })).rejects.toMatchObject({ kind: 'closed' });
  });
});

async function nextEvent(deliveries: AsyncIterator<Delivery>) {
  for (;;) {
    const { value, done } = await deliveries.next();
    if (done || value.kind === 'event') return;
  }
}

async function all(log: SqliteLog) {
  const events = [];
  for await (const event of log.readAll()) events.push(event);
  return events;
}

async function firstOf(log: SqliteLog, stream: string) {
  for await (const event of log.readStream(stream, { maxCount: 1 })) return event;
  throw new Error(`${stream} is empty.`);
}

function linkOf(fd: string) {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return ''; // the descriptor that listed the folder is already closed, so it has no link
  }
}

/** The number of commits in a write-ahead log: frames whose header contains the size of the file after a commit. */
function commitsIn(wal: string): number {
  const bytes = readFileSync(wal);
  const frame = 24 + bytes.readUInt32BE(8); // the header of the frame, and a page
  let commits = 0;
  for (let at = 32; at + frame <= bytes.length; at += frame) if (bytes.readUInt32BE(at + 4) > 0) commits += 1;
  return commits;
}
