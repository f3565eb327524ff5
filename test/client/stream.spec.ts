import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CharterOrganization, Fatal } from '@charter/client';
import { chanceFrom } from '../history/files/tampering';
import { seed } from '../projections/seed';
import { type TcpProxy, tcpProxy } from '../support/network/tcp-proxy';
import { done, path } from '../support/requests/organizations';
import { keyId, type Served, serving, until } from '../support/serving';
import { clientOf, organizationOnSolo } from './charter-client';
import { expectEqualAfterStep } from './random-steps';
import { entitlementsAnswer, scriptedStream, organizationIn } from './scripted-server';

/** No poll interferes: only the stream brings changes. */
const withoutPolls = { poll: 3_600_000 };

let served: Served;
let all: string; // an API key with every scope
let proxy: TcpProxy;
beforeAll(async () => {
  served = await serving();
  all = await served.key();
  proxy = await tcpProxy(Number(new URL(served.url).port));
});
afterEach(() => proxy.mend());
afterAll(async () => {
  await proxy.close();
  await served.close();
});

const readerKey = () => served.key({ scopes: ['flags:read', 'organizations:read'] });
const throughProxy = () => `http://127.0.0.1:${proxy.port}`;

const solo = () => organizationOnSolo(served, all);

describe('The stream of a client', () => {
  it('SD4: brings each acknowledged change within a few seconds, even on a busy machine', async () => {
    const id = await solo();
    const acme = clientOf({ url: served.url, key: await readerKey(), intervals: withoutPolls }).organization(id);
    await acme.ready();
    await until(() => acme.freshness.state === 'fresh');
    const delays: number[] = [];
    for (let index = 0; index < 30; index += 1) {
      const on = index % 2 === 0;
      await done(served, all, id, on ? ['DELETE', '/plan/second'] : ['PUT', '/plan', { line: 'second', plan: 'solo' }]);
      const acknowledged = performance.now();
      await until(() => acme.can('feedback') !== on);
      delays.push(performance.now() - acknowledged);
    }
    const sorted = delays.sort((one, other) => one - other);
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(3_000);
  });

  it('serves all organizations of the client, and the client fetches only the organizations that it holds', async () => {
    const ids = await Promise.all([solo(), solo(), solo(), solo()]);
    const requests: string[] = [];
    const counting: typeof fetch = (input, init) => {
      requests.push((input as string).slice(served.url.length).replace(/\?.*/, ''));
      return fetch(input, init);
    };
    const charter = clientOf({ url: served.url, key: await readerKey(), fetch: counting, intervals: withoutPolls });
    const held = ids.slice(0, 2).map((id) => charter.organization(id));
    await Promise.all(held.map((each) => each.ready()));
    await until(() => held.every(({ freshness }) => freshness.state === 'fresh'));
    const streams = () => requests.filter((request) => request === '/api/v1/entitlement-changes').length;
    expect(streams()).toBe(1);
    requests.length = 0;
    for (const id of [...ids].reverse()) await done(served, all, id, ['DELETE', '/plan/second']);
    await until(() => held.every((each) => !each.can('feedback')));
    await new Promise((resolve) => setTimeout(resolve, 500)); // a request for another organization would follow soon
    expect(requests.sort()).toEqual(held.map(({ id }) => path(id, '/entitlements')).sort());
  });

  it.each<[string, () => unknown]>([
    ['cut', () => proxy.cut()],
    ['refused for a while', () => proxy.refuse()],
  ])('leads to the right values after it was %s', async (_how, fail) => {
    const id = await solo();
    const acme = clientOf({ url: throughProxy(), key: await readerKey(), intervals: withoutPolls }).organization(id);
    await acme.ready();
    await until(() => acme.freshness.state === 'fresh');
    const states: string[] = [];
    acme.subscribe(() => states.push(acme.freshness.state));
    await fail();
    await until(() => states.includes('stale'));
    expect(acme.can('feedback')).toBe(true);
    await done(served, all, id, ['DELETE', '/plan/second']);
    await proxy.mend();
    await until(() => acme.freshness.state === 'fresh' && !acme.can('feedback'));
  });

  it('SD5: counts as dead if no byte arrives', async () => {
    const id = await solo();
    const intervals = { ...withoutPolls, deadAfter: 1_500, answer: 1_000 };
    const acme = clientOf({ url: throughProxy(), key: await readerKey(), intervals }).organization(id);
    await acme.ready();
    await until(() => acme.freshness.state === 'fresh');
    proxy.swallow();
    await done(served, all, id, ['DELETE', '/plan/second']);
    await until(() => acme.freshness.state === 'stale');
    expect(acme.can('feedback')).toBe(true);
    await proxy.mend();
    await until(() => acme.freshness.state === 'fresh' && !acme.can('feedback'), 20_000);
  }, 40_000);

  it('leads to polls if a proxy forwards only the headers of each stream', async () => {
    const id = await solo();
    let isSwallowing = false;
    const throughBuffer: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      if (!isSwallowing || !(input as string).endsWith('/entitlement-changes')) return answer;
      return new Response(new ReadableStream(), { headers: answer.headers });
    };
    const intervals = { deadAfter: 1_000, answer: 500, poll: 500, reconnect: [40, 200] } as const;
    const options = { url: throughProxy(), key: await readerKey(), fetch: throughBuffer, intervals };
    const acme = clientOf(options).organization(id);
    await acme.ready();
    await until(() => acme.freshness.state === 'fresh');
    const changed = async (on: boolean) => {
      await done(served, all, id, on ? ['PUT', '/plan', { line: 'second', plan: 'solo' }] : ['DELETE', '/plan/second']);
      await until(() => acme.can('feedback') === on);
    };
    await changed(false); // the stream now has a cursor, so the next stream continues after it
    isSwallowing = true;
    proxy.cut();
    for (const on of [true, false, true]) await changed(on);
  }, 20_000);

  it('continues after a subscriber has thrown, and each error becomes an uncaught error of the program', async () => {
    const thrown: unknown[] = [];
    const originalQueue = queueMicrotask; // Node's own code calls this function too, so tasks must still run later
    const recordErrors = (task: () => void) =>
      originalQueue(() => {
        try {
          task();
        } catch (error) {
          thrown.push(error);
        }
      });
    jest.spyOn(globalThis, 'queueMicrotask').mockImplementation(recordErrors);
    const id = await solo();
    const acme = clientOf({ url: throughProxy(), key: await readerKey(), intervals: withoutPolls }).organization(id);
    await acme.ready();
    await until(() => acme.freshness.state === 'fresh');
    const error = new Error('the subscriber fails');
    const unsubscribe = acme.subscribe(() => {
      throw error;
    });
    const states: string[] = [];
    acme.subscribe(() => states.push(acme.freshness.state));
    proxy.cut();
    await until(() => states.includes('stale'));
    await proxy.mend();
    await until(() => acme.freshness.state === 'fresh');
    await done(served, all, id, ['DELETE', '/plan/second']);
    await until(() => !acme.can('feedback'));
    expect(new Set(thrown)).toEqual(new Set([error]));
    unsubscribe();
    jest.restoreAllMocks();
  });

  it('ends with the key, and the client then drops its values', async () => {
    const key = await readerKey();
    const acme = clientOf({ url: served.url, key, intervals: withoutPolls }).organization(await solo());
    await acme.ready();
    await until(() => acme.freshness.state === 'fresh');
    await served.charter.database.keys.revoke(await keyId(served, key), served.clock.now());
    await until(() => acme.freshness.state === 'fatal', 15_000);
    expect(() => acme.can('feedback')).toThrow(Fatal);
  });

  it('SD10: gives the same values as the entitlements after each event of random histories', async () => {
    const ids = await Promise.all([solo(), solo(), solo()]);
    const charter = clientOf({ url: served.url, key: await readerKey(), intervals: withoutPolls });
    const organizations = ids.map((id) => charter.organization(id));
    await Promise.all(organizations.map((each) => each.ready({ timeoutMs: 30_000 })));
    await until(() => organizations.every(({ freshness }) => freshness.state === 'fresh'));
    const chance = chanceFrom(seed);
    for (let step = 0; step < 40; step += 1) await expectEqualAfterStep(served, all, organizations[chance(3)]!, chance);
  }, 60_000);
});

describe('A server that answers wrongly', () => {
  let wrong: Server;
  let mode: (url: string) => readonly [status: number, type: string, body: string] | 'hang';
  let url: string;
  beforeAll(async () => {
    wrong = createServer(({ url: asked = '' }, response) => {
      const answer = mode(asked);
      if (answer === 'hang') return;
      const [status, type, body] = answer;
      response.writeHead(status, { 'Content-Type': type }).end(body);
    });
    await new Promise<void>((resolve) => wrong.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(wrong.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    wrong.closeAllConnections();
    wrong.close();
  });

  it.each([
    ['a page instead of JSON', () => [200, 'text/html', '<html>welcome</html>'] as const],
    ['half an answer', () => [200, 'application/json', '{"organization":"7d'] as const],
    ['another object', () => [200, 'application/json', '{"organization":null,"revision":1}'] as const],
    ["a proxy's 502", () => [502, 'text/html', 'Bad Gateway'] as const],
    ['nothing', () => 'hang' as const],
  ])('gives no values and no unhandled rejection: %s', async (_what, answer) => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    mode = answer;
    const acme = clientOf({ url, key: 'chk_none', intervals: { answer: 300 } }).organization(randomUUID());
    await expect(acme.ready({ timeoutMs: 800 })).rejects.toThrow('There are no entitlements');
    expect(acme.freshness.state).toBe('stale');
    expect(acme.can('feedback', true)).toBe(true);
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });

  it('keeps the values that it gave before', async () => {
    const id = await solo();
    const { text } = await served.ask('GET', path(id, '/entitlements'), { key: all });
    mode = (asked) => (asked.includes('/entitlements') ? [200, 'application/json', text] : [404, 'text/plain', '']);
    const acme = clientOf({ url, key: 'chk_none' }).organization(id);
    await acme.ready();
    mode = () => [500, 'application/json', '{}'];
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect([acme.freshness.state, acme.limit('users').limit]).toEqual(['stale', 1]);
  });
});

describe('A client of a scripted server', () => {
  const url = 'http://127.0.0.1:9';
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const scripted = (answer: (url: string, init: RequestInit) => Promise<Response>) => answer as typeof fetch;

  const noticeOf = (organization: string, cursor: string, revision: number) =>
    `id: ${cursor}\nevent: change\ndata: ${JSON.stringify({ organization, revision, keys: [] })}\n\n`;

  it('does not repeat a failed request for an organization that it has dropped meanwhile', async () => {
    const [first, second] = [randomUUID(), randomUUID()];
    const stream = scriptedStream();
    const failing = Promise.withResolvers<Response>();
    const asked: string[] = [];
    const send = scripted(async (input) => {
      const id = organizationIn(input);
      if (id === undefined) return stream.answer;
      asked.push(id);
      return id === first && asked.length === 1 ? failing.promise : entitlementsAnswer(id);
    });
    const charter = clientOf({ url, key: 'chk_x', organizations: 1, fetch: send, intervals: withoutPolls });
    charter.organization(first);
    await until(() => asked.includes(first));
    await charter.organization(second).ready();
    failing.resolve(new Response('', { status: 500 }));
    for (let chunk = 0; chunk < 4; chunk += 1) {
      await pause(50);
      stream.send(': still here\n\n');
    }
    await pause(50);
    // the client may already have queued a second request when it dropped the organization
    expect(asked.filter((id) => id === first).length).toBeLessThanOrEqual(2);
  });

  it('recovers after a refusal, even while the program uses more and more organizations', async () => {
    let isRefused = true;
    const answered = new Set<string>();
    const send = scripted(async (input, { signal }) => {
      if (isRefused) return new Response('', { status: 401 });
      const id = organizationIn(input);
      if (id !== undefined) {
        answered.add(id);
        return entitlementsAnswer(id);
      }
      await pause(100);
      signal!.throwIfAborted();
      return scriptedStream().answer;
    });
    const charter = clientOf({ url, key: 'chk_x', fetch: send, intervals: withoutPolls });
    const acme = charter.organization(randomUUID());
    await until(() => acme.freshness.state === 'fatal');
    isRefused = false;
    const busy = setInterval(() => charter.organization(randomUUID()), 20);
    await until(() => acme.freshness.state === 'fresh').finally(() => clearInterval(busy));
    expect(acme.can('feedback')).toBe(true);
  });

  it('leaves no timer after `close`', async () => {
    const timers = new Set<unknown>();
    const [begin, end] = [setTimeout, clearTimeout];
    jest.spyOn(globalThis, 'setTimeout').mockImplementation(((act: () => void, ms: number) => {
      const timer = begin(act, ms);
      if (ms > 1_000_000) timers.add(timer);
      return timer;
    }) as typeof setTimeout);
    jest.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
      timers.delete(timer);
      end(timer);
    });
    const send = scripted(async (input) => {
      const id = organizationIn(input);
      return id === undefined ? scriptedStream().answer : entitlementsAnswer(id);
    });
    const maxStale = { ms: 3_600_000, then: 'closed' } as const;
    const charter = clientOf({ url, key: 'chk_x', fetch: send, maxStale, intervals: { poll: 100 } });
    const acme = charter.organization(randomUUID());
    await acme.ready();
    await until(() => acme.freshness.state === 'fresh');
    charter.close();
    await pause(50);
    jest.restoreAllMocks();
    const left = timers.size;
    for (const timer of timers) end(timer as NodeJS.Timeout);
    expect(left).toBe(0);
  });

  it('resumes after the last notice that it handled, even if a stream that it has given up sends more notices', async () => {
    const id = randomUUID();
    const streams: ReturnType<typeof scriptedStream>[] = [];
    const cursors: (string | null)[] = [];
    const send = scripted(async (input, { headers }) => {
      if (organizationIn(input) !== undefined) return entitlementsAnswer(id);
      cursors.push(new Headers(headers).get('Last-Event-ID'));
      streams.push(scriptedStream());
      return streams.at(-1)!.answer;
    });
    const intervals = { ...withoutPolls, deadAfter: 200, reconnect: [400, 400] } as const;
    const acme = clientOf({ url, key: 'chk_x', fetch: send, intervals }).organization(id);
    await until(() => streams.length === 1);
    streams[0]!.send(noticeOf(id, 'first', 1));
    await until(() => acme.freshness.state === 'fresh');
    await until(() => acme.freshness.state === 'stale');
    streams[0]!.send(noticeOf(id, 'second', 2)); // the client has given up this stream
    await until(() => streams.length === 2);
    expect(cursors).toEqual([null, 'first']);
  });

  it('does not call values fresh if it could not fetch their change before the stream resumed', async () => {
    const id = randomUUID();
    const streams: ReturnType<typeof scriptedStream>[] = [];
    let answer = async () => entitlementsAnswer(id);
    const send = scripted(async (input) => {
      if (organizationIn(input) !== undefined) return answer();
      streams.push(scriptedStream());
      return streams.at(-1)!.answer;
    });
    const intervals = { ...withoutPolls, answer: 100, reconnect: [400, 400] } as const;
    const acme = clientOf({ url, key: 'chk_x', fetch: send, intervals }).organization(id);
    await until(() => streams.length === 1);
    streams[0]!.send(noticeOf(id, 'first', 1));
    await until(() => acme.freshness.state === 'fresh');
    await pause(150); // the client does not poll after a stream that lasted this long
    answer = () => new Promise(() => undefined);
    streams[0]!.send(noticeOf(id, 'second', 2));
    await pause(20);
    streams[0]!.end();
    await until(() => acme.freshness.state === 'stale');
    await until(() => streams.length === 2);
    await pause(50);
    expect(acme.freshness).toMatchObject({ state: 'stale', revision: 1 });
    answer = async () => entitlementsAnswer(id, 2);
    await pause(150); // until the client has given up its last request
    streams[1]!.send(': still here\n\n');
    await until(() => acme.freshness.state === 'fresh');
    expect(acme.freshness.revision).toBe(2);
  });

  describe('that was restored from a backup, whose stream resumes after a notice that the backup contains,', () => {
    /** Revision 1 has a notice and is in the backup. The client then fetches revision 2, which the backup lacks. */
    const restoredServer = async (fetchLost: (acme: CharterOrganization, end: () => void) => unknown) => {
      const id = randomUUID();
      const streams: ReturnType<typeof scriptedStream>[] = [];
      let [revision, isOn, isUp] = [1, false, true];
      const send = scripted(async (input, { headers }) => {
        if (organizationIn(input) === undefined) {
          if (!isUp) throw new TypeError('fetch failed');
          streams.push(scriptedStream());
          return streams.at(-1)!.answer;
        }
        const etag = `"${revision}"`;
        if (new Headers(headers).get('If-None-Match') === etag) return new Response(null, { status: 304 });
        return entitlementsAnswer(id, revision, { isOn, etag });
      });
      const intervals = { poll: 100, reconnect: [100, 100] } as const;
      const acme = clientOf({ url, key: 'chk_x', fetch: send, intervals }).organization(id);
      await until(() => streams.length === 1);
      streams[0]!.send(noticeOf(id, 'first', 1));
      await until(() => acme.freshness.state === 'fresh');
      revision = 2;
      const end = () => {
        isUp = false;
        streams[0]!.end();
      };
      await fetchLost(acme, end);
      expect(acme.freshness.revision).toBe(2);
      const restore = async (command: () => void) => {
        revision = 1;
        command();
        isUp = true;
        await until(() => streams.length === 2);
        await until(() => acme.freshness.state === 'fresh');
      };
      const change = () => {
        [revision, isOn] = [2, true];
      };
      const notify = () => streams[1]!.send(noticeOf(id, 'second', 2));
      return { acme, restore, change, notify };
    };

    it('has the values of a new event at a revision that the client already knows', async () => {
      const { acme, restore, change, notify } = await restoredServer(async (before, end) => {
        await before.ask('feedback', { atLeast: 2 });
        end();
      });
      await restore(change);
      notify();
      await until(() => acme.can('feedback'));
    });

    it('does not call values fresh that the client fetched without a stream', async () => {
      const { acme, restore } = await restoredServer(async (before, end) => {
        end();
        await until(() => before.freshness.revision === 2);
      });
      await restore(() => undefined);
      expect(acme.freshness.revision).toBe(1);
    });
  });

  describe('after the clock of the machine was set back,', () => {
    const setBack = () => {
      const now = Date.now.bind(Date);
      jest.spyOn(Date, 'now').mockImplementation(() => now() - 3_600_000);
    };
    afterEach(() => jest.restoreAllMocks());

    it('polls at the same interval as before', async () => {
      const id = randomUUID();
      let polls = 0;
      const send = scripted(async (input) => {
        if (organizationIn(input) === undefined) throw new TypeError('fetch failed');
        polls += 1;
        return entitlementsAnswer(id);
      });
      clientOf({ url, key: 'chk_x', fetch: send }).organization(id);
      await until(() => polls > 2);
      setBack();
      const before = polls;
      await pause(1_000);
      expect(polls).toBeGreaterThan(before);
    });

    it('repeats failed requests as before', async () => {
      const id = randomUUID();
      const stream = scriptedStream();
      let [requests, isFailing] = [0, true];
      const send = scripted(async (input) => {
        if (organizationIn(input) === undefined) return stream.answer;
        requests += 1;
        return isFailing ? new Response('', { status: 500 }) : entitlementsAnswer(id);
      });
      const acme = clientOf({ url, key: 'chk_x', fetch: send, intervals: withoutPolls }).organization(id);
      const heartbeats = setInterval(() => stream.send(': still here\n\n'), 50);
      await until(() => requests > 2);
      setBack();
      isFailing = false;
      await pause(500);
      clearInterval(heartbeats);
      expect(acme.freshness.state).toBe('fresh');
    });
  });
});
