import { type IncomingMessage, request } from 'node:http';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { type EventLog, LogError } from '@charter/event-log';
import { organizationStream } from '@charter/organization';
import { withChangedStreamReads } from '../../support/stores/stream-reads';
import { founded, path } from '../../support/requests/organizations';
import { type Served, serving, until } from '../../support/serving';
import { longPast } from '../as-of/long-life';

/** More events than the buffers of the sockets can hold while the client does not read. */
const EVENTS = 6_000;
const log = countingLog();
let served: Served;
let key: string;
let id: string;
beforeAll(async () => {
  served = await serving({ between: (stores) => ({ ...stores, log: log.counting(stores.log) }) });
  key = await served.key();
  id = await founded(served, { by: key });
  await longPast(served.charter, id, EVENTS - 1);
}, 60_000);
afterEach(() => log.forget());
afterAll(() => served.close());

/** A response of which the client has not yet read the body. */
async function opened(rest: string, by = key): Promise<IncomingMessage> {
  const headers = { Authorization: `Bearer ${by}`, Accept: 'application/x-ndjson' };
  const outgoing = request(`${served.url}${path(id, rest)}`, { headers });
  outgoing.end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return response;
}
async function taken(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
  return text;
}
const standsStill = async () => {
  for (let before = -1; log.read() !== before;) {
    before = log.read();
    await pause(250);
  }
};

// `acceptance.md` I2, I5: a response of any size needs only constant memory
describe('A response that streams events', () => {
  it('reads the log no faster than the client reads the response, and is complete even for a slow client', async () => {
    const response = await opened('/events');
    response.pause();
    await standsStill();
    expect(log.read()).toBeLessThan(EVENTS - 500);
    const lines = (await taken(response)).trimEnd().split('\n');
    expect(lines).toHaveLength(EVENTS);
    expect(lines.map((line) => (JSON.parse(line) as { revision: number }).revision)).toEqual(
      Array.from({ length: EVENTS }, (_, index) => index),
    );
  });

  it('stops reading the event log when the client disconnects, and logs no failure', async () => {
    const noted = served.lines.length;
    const response = await opened('/events');
    response.pause();
    await standsStill();
    response.destroy();
    await until(() => log.reading() === 0);
    expect(log.read()).toBeLessThan(EVENTS - 500);
    expect(served.lines.slice(noted)).toEqual([]);
  });

  it('is cut off if the log fails, so that the client notices that the response is incomplete', async () => {
    log.failAt(4_000);
    await expect(taken(await opened('/events'))).rejects.toThrow(/aborted/);
    log.failAt(1); // the read fails before the response has started
    const response = await opened('/events');
    expect([response.statusCode, JSON.parse(await taken(response)).type]).toEqual([503, '/problems/unavailable']);
  });

  it('counts towards the limit of expensive queries', async () => {
    const mine = await served.key();
    const streams = [await opened('/events', mine), await opened('/events', mine)];
    streams.forEach((stream) => stream.pause());
    const waiting = opened('/events', mine);
    await pause(100);
    expect((await opened('/events', mine)).statusCode).toBe(429);
    streams.forEach((stream) => stream.destroy());
    const third = await waiting;
    expect(third.statusCode).toBe(200);
    third.destroy();
    await until(() => log.reading() === 0);
  });
});

describe('I5: verification', () => {
  it('runs for one request at a time, and stops when the client of this request disconnects', async () => {
    log.hold();
    const first = request(`${served.url}${path(id, '/verify')}`, { headers: { Authorization: `Bearer ${key}` } });
    first.on('error', () => undefined);
    first.end();
    await until(() => log.reading() === 1);
    const other = served.ask('GET', path(id, '/verify'), { key: await served.key() });
    await pause(200);
    expect(log.reading()).toBe(1);
    first.destroy();
    log.release();
    expect((await other).body).toMatchObject({ ok: true, events: EVENTS });
    expect(log.reading()).toBe(0);
  });

  it('is refused for callers who may not read the history', async () => {
    const reading = await served.key({ scopes: ['organizations:read', 'organizations:write'] });
    expect((await served.ask('GET', path(id, '/verify'), { key: reading })).status).toBe(403);
  });
});

/**
 * A log that counts the events in complete reads of the organization's stream. A test can make these reads fail or
 * pause.
 */
function countingLog() {
  let [read, reading, fails] = [0, 0, Infinity];
  let held: Promise<void> = Promise.resolve();
  let release: () => void = () => undefined;
  async function* counted<Item>(items: AsyncIterable<Item>, eventsIn: (item: Item) => number): AsyncGenerator<Item> {
    reading += 1;
    try {
      for await (const item of items) {
        const before = read;
        read += eventsIn(item);
        if (before < 100 && read >= 100) await held;
        if (read >= fails) throw new LogError('unavailable', 'The disk is gone.');
        yield item;
      }
    } finally {
      reading -= 1;
    }
  }
  return {
    counting: (log: EventLog): EventLog =>
      withChangedStreamReads(log, (items, eventsIn, stream, { maxCount = Infinity, from = 0n }) => {
        const isLongReadFromStart = id && stream === organizationStream(id) && maxCount > 100 && from === 0n;
        return isLongReadFromStart ? counted(items, eventsIn) : items;
      }),
    read: () => read,
    reading: () => reading,
    failAt: (event: number) => ([read, fails] = [0, event]),
    hold: () => {
      read = 0;
      held = new Promise((resolve) => (release = resolve));
    },
    release: () => release(),
    forget: () => {
      release();
      [read, fails, held] = [0, Infinity, Promise.resolve()];
    },
  };
}
