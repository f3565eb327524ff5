import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import type { EventLog } from '@charter/event-log';
import { organizationStream } from '@charter/organization';
import { withChangedStreamReads } from '../../support/stores/stream-reads';
import type { FullOrganization } from '../../support/requests/full-organization';
import { founded, path } from '../../support/requests/organizations';
import { historyRoutes, requestTo } from '../../support/requests/reading-routes';
import type { Route } from '../../support/requests/routes';
import { type Served, serving, until } from '../../support/serving';
import { tag } from '../../support/tags';

const EVENTS = 1_500;
const log = slowLog();
let served: Served;
let key: string;
let long: string;
let short: string;
/** The ids in the requests of these specs. The organization with the long history contains none of them. */
const here = { owner: randomUUID() } as FullOrganization;
beforeAll(async () => {
  served = await serving({ between: (stores) => ({ ...stores, log: log.slow(stores.log) }) });
  key = await served.key();
  long = await longHistory();
  short = await founded(served, { by: key });
});
afterEach(() => log.release());
afterAll(() => served.close());

/** Founds an organization with a long history. No part of this history is cached, because no read has needed it. */
async function longHistory(): Promise<string> {
  const id = await founded(served, { by: key });
  const names = Array.from({ length: EVENTS / 10 }, (_, index) => `Name ${index}`);
  for (let time = 0; time < 10; time += 1)
    await rename(
      id,
      names.map((name) => `${name} of ${time}`),
    );
  return id;
}
const rename = (id: string, names: readonly string[]) =>
  served.charter.organizations.execute(
    organizationStream(id),
    names.map((name) => ({ type: 'RenameOrganization', data: { name } }) as const),
    {
      actor: { kind: 'system', id: 'spec', powers: ['operator'] },
      at: new Date().toISOString(),
      ...{ command: randomUUID(), correlation: randomUUID(), causation: randomUUID() },
    },
  );
const then = (by: string, id = long, asOf = EVENTS - 1) => served.ask('GET', path(id, `?asOf=${asOf}`), { key: by });

// These tests check acceptance.md Q6.
it('a process reads long histories for at most four requests at a time, two of each caller, and delays no other request', async () => {
  log.hold(organizationStream(long));
  const [other, third] = [await served.key(), await served.key()];
  const mine = [then(key), then(key), then(key)];
  await until(() => log.reading() === 2);
  const refused = await then(key);
  expect([refused.status, refused.body.type, refused.headers['retry-after']]).toEqual([
    429,
    '/problems/too-many-at-once',
    '2',
  ]);
  const theirs = [then(other), then(other)];
  await until(() => log.reading() === 4);
  expect((await then(key, short, 0)).status).toBe(200);
  expect((await then(key, long, 20)).status).toBe(200); // a read up to an early revision folds few events
  expect((await served.ask('GET', path(long), { key })).headers.etag).toBe(tag(EVENTS));
  const late = await then(third); // this request stops waiting before the four reads end
  expect([late.status, late.body.type, late.headers['retry-after']]).toEqual([503, '/problems/busy', '2']);
  log.release();
  expect((await Promise.all([...mine.slice(0, 2), ...theirs])).map(({ status }) => status)).toEqual([
    200, 200, 200, 200,
  ]);
  expect([200, 429]).toContain((await mine[2]!).status); // 429: the other reads of this caller did not end in time
  const { text } = await served.ask('GET', '/metrics');
  expect(text).toMatch(/^charter_put_off_total\{reason="caller"\} [12]$/m);
  expect(text).toMatch(/^charter_put_off_total\{reason="expensive"\} 1$/m);
});

/** The routes whose cost does not depend on the length of the history, and routes that other specs test. */
const notLong: Readonly<Record<Route, string>> = {
  'GET /api/v1/organizations/:id/readers': 'the length of the list of readers counts (readers.spec.ts)',
  'GET /api/v1/organizations/:id/verify': 'a separate gate (the next test)',
};
/** A request to a route that needs many events of the history. */
const longRequests: Readonly<Record<Route, { rest: string; accept?: string }>> = {
  'GET /api/v1/organizations/:id/events': { rest: '/events', accept: 'application/x-ndjson' },
  'GET /api/v1/organizations/:id/steps': { rest: '/steps?from=1400' },
  'GET /api/v1/organizations/:id/diff': { rest: '/diff?from=1400' },
};

it.each(historyRoutes.filter((route) => notLong[route] === undefined))(
  'one caller may send two requests about a long history at the same time; a third request waits, and a fourth is refused: %s',
  async (route) => {
    const [by, id] = [await served.key(), await longHistory()];
    const { method, path: at, body } = requestTo(route, { ...here, id });
    const { rest, accept } = longRequests[route] ?? {};
    const sent = { key: by, body, ...(accept && { headers: { Accept: accept } }) };
    const ask = () => served.ask(method, rest === undefined ? at : path(id, rest), sent);
    log.hold(organizationStream(id));
    const reads = [ask(), ask(), ask()];
    await until(() => log.reading() === 2);
    const refused = await ask();
    log.release();
    expect([refused.status, refused.body.type]).toEqual([429, '/problems/too-many-at-once']);
    const [first, second, third] = (await Promise.all(reads)).map(({ status }) => status);
    expect([first, second]).toEqual([200, 200]);
    expect([200, 429]).toContain(third); // 429: the other reads of this caller did not end in time
  },
);

it('a process verifies one history at a time; the second request of the caller waits, and the third is refused', async () => {
  const [by, id] = [await served.key(), await longHistory()];
  const ask = () => served.ask('GET', path(id, '/verify'), { key: by });
  log.hold(organizationStream(id));
  const running = [ask(), ask()];
  await until(() => log.reading() === 1);
  const refused = await ask();
  expect([refused.status, refused.body.type]).toEqual([429, '/problems/too-many-at-once']);
  expect(log.reading()).toBe(1);
  log.release();
  const [first, second] = (await Promise.all(running)).map(({ status }) => status);
  expect(first).toBe(200);
  expect([200, 429]).toContain(second); // 429: the first verification did not end in time
});

it('a read of the past that begins with a cached state does not count as a read of a long history', async () => {
  expect((await then(key, long, 1_200)).status).toBe(200);
  log.hold(organizationStream(long));
  const past = await then(key, long, 1_210);
  expect([past.status, past.body.name]).toEqual([200, 'Name 9 of 8']);
});

it('the process stops reading a long history when its caller disconnects, and logs no error', async () => {
  const id = await longHistory();
  log.hold(organizationStream(id));
  const lines = served.lines.length;
  const { hostname, port } = new URL(served.url);
  const socket = connect(Number(port), hostname);
  const all = path(id, `?asOf=${EVENTS - 1}`);
  socket.write(`GET ${all} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  await until(() => log.reading() === 1);
  socket.destroy();
  await pause(50);
  log.release();
  await until(() => log.reading() === 0);
  expect(log.read()).toBe(HELD_AT + 1);
  expect(served.lines.slice(lines)).toEqual([]);
  expect((await then(key, id)).body).toMatchObject({ name: 'Name 148 of 9' });
});

const HELD_AT = 600;

/** An event log that pauses in the middle of a read of the stream that `hold` names. */
function slowLog() {
  let held: string | undefined;
  let open: Promise<void> = Promise.resolve();
  let release: () => void = () => undefined;
  let reading = 0;
  let read = 0;

  async function* slowly<Item>(items: AsyncIterable<Item>, eventsIn: (item: Item) => number): AsyncGenerator<Item> {
    reading += 1;
    read = 0;
    try {
      for await (const item of items) {
        if (read + eventsIn(item) > HELD_AT) await open;
        read += eventsIn(item);
        yield item;
      }
    } finally {
      reading -= 1;
    }
  }
  return {
    slow: (log: EventLog): EventLog =>
      withChangedStreamReads(log, (items, eventsIn, stream, { maxCount = Infinity }) =>
        stream === held && maxCount > 100 ? slowly(items, eventsIn) : items,
      ),
    hold: (stream: string) => {
      held = stream;
      open = new Promise((resolve) => (release = resolve));
    },
    release: () => {
      held = undefined;
      release();
    },
    reading: () => reading,
    read: () => read,
  };
}
