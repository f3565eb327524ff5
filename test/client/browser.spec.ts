import { Fatal, type FeatureName, type FlagTicket, type ResourceName } from '@charter/client';
import { oneTabLeads } from '../../libs/client/src/browser/one-tab-leads';
import type { StreamEvents } from '../../libs/client/src/connection';
import { done, path } from '../support/requests/organizations';
import { paused, resumed, type Served, serving, settled, until } from '../support/serving';
import { clientOf, organizationOnSolo } from './charter-client';
import { scriptedStream } from './scripted-server';

describe('A client with tickets', () => {
  let served: Served;
  beforeAll(async () => void (served = await serving()));
  afterAll(() => served.close());

  it('has the features and limits of the entitlements, with each reason as a sentence', async () => {
    const key = await served.key();
    const id = await organizationOnSolo(served, key);
    await settled(served);
    // the route evaluates for a key as it does for a ticket
    const ticket = async () => ({ ticket: key, expires: new Date(Date.now() + 3_600_000).toISOString() });
    const acme = clientOf({ url: served.url, ticket }).organization(id);
    await acme.ready();
    const { body } = await served.ask('GET', path(id, '/entitlements'), { key });
    for (const [feature, { on }] of Object.entries<{ on: boolean }>(body.features))
      expect([feature, acme.can(feature as FeatureName)]).toEqual([feature, on]);
    for (const [resource, { limit, used, remaining, unlimited }] of Object.entries<Record<string, unknown>>(
      body.limits,
    ))
      expect([resource, acme.limit(resource as ResourceName)]).toEqual([
        resource,
        { limit, used, remaining, unlimited },
      ]);
    expect(acme.why('users')).toEqual([{ kind: 'in-words', what: expect.stringMatching(/^plan second/), event: 1 }]);
    await done(served, key, id, ['DELETE', '/plan/second']);
    await until(() => !acme.can('feedback'));
  });

  it('requests another ticket after its ticket has ended, and still follows the changes', async () => {
    const key = await served.key();
    const id = await organizationOnSolo(served, key);
    let tickets = 0;
    const ticket = async () => {
      tickets += 1;
      return (await served.ask('POST', path(id, '/flag-tickets'), { key, body: { targetingKey: id } })).body;
    };
    const acme = clientOf({ url: served.url, ticket, intervals: { poll: 3_600_000 } }).organization(id);
    await until(() => acme.freshness.state === 'fresh');
    const first = tickets;
    served.clock.advance(61 * 60_000);
    await until(() => tickets > first, 15_000); // Charter ends the stream within a few seconds
    await until(() => acme.freshness.state === 'fresh');
    await done(served, key, id, ['DELETE', '/plan/second']);
    await until(() => !acme.can('feedback'));
  });

  it('has the limits without an override as soon as the override has ended, before an event records its end', async () => {
    const key = await served.key();
    const id = await organizationOnSolo(served, key);
    await done(served, key, id, ['POST', '/add-ons', { addOn: 'additionalUser', quantity: 3 }]);
    const end = new Date(served.clock.now() + 60_000).toISOString();
    await done(served, key, id, ['PUT', '/limits/override', { reason: 'a spec', until: end }]);
    await settled(served);
    const ticket = async () => ({ ticket: key, expires: new Date(Date.now() + 3_600_000).toISOString() });
    const acme = clientOf({ url: served.url, ticket, intervals: { poll: 3_600_000 } }).organization(id);
    await until(() => acme.freshness.state === 'fresh');
    await new Promise((resolve) => setTimeout(resolve, 300)); // the first poll
    expect(acme.limit('users').limit).toBe(4);
    await paused(served); // only a running projection records the end
    served.clock.advance(60_000);
    await until(() => acme.limit('users').limit === 2).finally(() => resumed(served));
  });
});

describe('A client whose first requests for tickets never settle', () => {
  it('requests another ticket, and then has values', async () => {
    const flag = { key: 'feedback', value: true };
    const send = async () => Response.json({ flags: [flag], metadata: { revision: 1 } });
    let asked = 0;
    const ticket = async () => {
      if ((asked += 1) <= 2) await new Promise(() => undefined); // the requests for the values and for the stream
      return { ticket: 'flt_x', expires: new Date(Date.now() + 3_600_000).toISOString() };
    };
    const intervals = { answer: 200 };
    const charter = clientOf({ url: 'http://127.0.0.1:9', ticket, fetch: send, intervals });
    const acme = charter.organization('7d3f6f3e-7f4b-4b53-8a53-0f6a1f2b7c90');
    await acme.ready({ timeoutMs: 5_000 });
    expect(acme.can('feedback')).toBe(true);
  });
});

describe('A client with tickets whose backend sometimes answers without a ticket', () => {
  it.each<[string, unknown]>([
    ['an error in JSON', { error: 'Charter does not answer' }],
    ['a ticket without a valid end', { ticket: 'flt_x', expires: 'soon' }],
  ])('keeps its values, and requests another ticket: %s', async (_what, wrong) => {
    const refused: string[] = [];
    const send = async (_input: string, { headers }: RequestInit) => {
      const credentials = new Headers(headers).get('Authorization')!;
      if (/^Bearer flt_[12]$/.test(credentials))
        return Response.json({ flags: [{ key: 'feedback', value: true }], metadata: { revision: 1 } });
      refused.push(credentials);
      return new Response(null, { status: 401 });
    };
    const ticketOf = (name: string, ms: number) => ({ ticket: name, expires: new Date(Date.now() + ms).toISOString() });
    const answers: unknown[] = [ticketOf('flt_1', 60_500), wrong, wrong, ticketOf('flt_2', 3_600_000)];
    const ticket = async () => (answers.length > 1 ? answers.shift() : answers[0]) as FlagTicket;
    const intervals = { answer: 300 };
    const options = { url: 'http://127.0.0.1:9', ticket, fetch: send as typeof fetch, intervals };
    const acme = clientOf(options).organization('7d3f6f3e-7f4b-4b53-8a53-0f6a1f2b7c93');
    await acme.ready();
    const states: string[] = [];
    acme.subscribe(() => states.push(acme.freshness.state));
    await until(() => answers.length === 1); // the client requests a new ticket a minute before the end of its ticket
    expect(await acme.ask('feedback')).toBe(true);
    expect([refused, states]).toEqual([[], expect.not.arrayContaining(['fatal'])]);
  });
});

describe('A closed client with tickets', () => {
  it('sends no request if the program uses an organization that the client has dropped', async () => {
    const send = jest.fn(async () =>
      Response.json({ flags: [{ key: 'feedback', value: true }], metadata: { revision: 1 } }),
    );
    const ticket = async () => ({ ticket: 'flt_x', expires: new Date(Date.now() + 3_600_000).toISOString() });
    const options = { url: 'http://127.0.0.1:9', ticket, fetch: send as typeof fetch, organizations: 1 };
    const charter = clientOf(options);
    const dropped = charter.organization('7d3f6f3e-7f4b-4b53-8a53-0f6a1f2b7c90');
    await dropped.ready();
    await charter.organization('7d3f6f3e-7f4b-4b53-8a53-0f6a1f2b7c91').ready();
    charter.close();
    const before = send.mock.calls.length;
    expect(dropped.can('feedback', false)).toBe(false);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(send.mock.calls.length).toBe(before);
  });
});

describe('A client with tickets that may not see its organization any more', () => {
  it('drops its values after one request, because OFREP answers 400', async () => {
    const failure = { errorCode: 'INVALID_CONTEXT', errorDetails: 'The targeting key names no organization.' };
    const problem = { ...failure, type: '/problems/malformed', title: 'The request is malformed' };
    const send = jest.fn(async () => Response.json(problem, { status: 400 }));
    const ticket = async () => ({ ticket: 'flt_x', expires: new Date(Date.now() + 3_600_000).toISOString() });
    const intervals = { poll: 3_600_000, reconnect: [60_000, 60_000] } as const;
    const charter = clientOf({ url: 'http://127.0.0.1:9', ticket, fetch: send as typeof fetch, intervals });
    const acme = charter.organization('7d3f6f3e-7f4b-4b53-8a53-0f6a1f2b7c90');
    await expect(acme.ready({ timeoutMs: 5_000 })).rejects.toThrow(Fatal);
    expect(acme.freshness).toMatchObject({ state: 'fatal', revision: undefined });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(send.mock.calls.length).toBeLessThanOrEqual(3); // the values, the stream, and one poll
  });
});

describe('A client with tickets that asks for a revision without a changed flag', () => {
  it('does not repeat its request, because the answer 304 includes the revision', async () => {
    const asked: string[] = [];
    const send = async (input: string, { headers }: RequestInit) => {
      asked.push(input);
      await new Promise((resolve) => setTimeout(resolve, 5));
      return new Headers(headers).has('If-None-Match')
        ? new Response(null, { status: 304 })
        : Response.json(
            { flags: [{ key: 'feedback', value: true }], metadata: { revision: 1 } },
            { headers: { ETag: '"a.1"' } },
          );
    };
    const ticket = async () => ({ ticket: 'flt_x', expires: new Date(Date.now() + 3_600_000).toISOString() });
    const intervals = { poll: 3_600_000, reconnect: [60_000, 60_000] } as const;
    const charter = clientOf({ url: 'http://127.0.0.1:9', ticket, fetch: send as typeof fetch, intervals });
    const acme = charter.organization('7d3f6f3e-7f4b-4b53-8a53-0f6a1f2b7c90');
    await acme.ready();
    expect(await acme.ask('feedback', { atLeast: 7 })).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(asked.filter((url) => url.includes('flagConfigEtag=r7')).length).toBeLessThanOrEqual(2); // one may be a poll
  });
});

describe('A tab that follows the stream of another tab', () => {
  it('opens its own stream with a new ticket when the other tab ends, because the old ticket may have ended', async () => {
    const [url, id] = ['http://127.0.0.1:9', '7d3f6f3e-7f4b-4b53-8a53-0f6a1f2b7c92'];
    let newest = 1;
    const opened: string[] = [];
    const send = async (input: string) => {
      const asked = new URL(input).searchParams.get('ticket');
      if (asked !== null) {
        opened.push(asked);
        return asked === String(newest) ? scriptedStream().answer : new Response(null, { status: 401 });
      }
      const eventStreams = [{ type: 'sse', url: `${url}/ofrep/v1/event-streams?ticket=${newest}` }];
      return Response.json({ flags: [{ key: 'feedback', value: true }], metadata: { revision: 1 }, eventStreams });
    };
    let end = () => {};
    const isOver = new Promise<void>((resolve) => (end = resolve));
    const on: StreamEvents = { opened: () => undefined, alive: () => undefined, notice: () => undefined };
    const other = oneTabLeads(`charter ${url} ${id}`, on, new AbortController().signal, async (toAll) => {
      toAll.opened(false);
      await isOver;
    });
    const ticket = async () => ({ ticket: 'flt_x', expires: new Date(Date.now() + 3_600_000).toISOString() });
    const acme = clientOf({ url, ticket, fetch: send as typeof fetch }).organization(id);
    await until(() => acme.freshness.state === 'fresh');
    const states: string[] = [];
    acme.subscribe(() => states.push(acme.freshness.state));
    newest = 2; // the first ticket has ended
    end();
    await other;
    await until(() => opened.length > 0);
    await until(() => acme.freshness.state === 'fresh');
    expect([opened, states]).toEqual([['2'], expect.not.arrayContaining(['fatal'])]);
  });
});

describe('A program with tickets on Node 20, which has no `navigator`', () => {
  it('follows its own stream', async () => {
    const navigator = Object.getOwnPropertyDescriptor(globalThis, 'navigator')!;
    Object.defineProperty(globalThis, 'navigator', { configurable: true, value: undefined });
    const on: StreamEvents = { opened: jest.fn(), alive: () => undefined, notice: () => undefined };
    try {
      await oneTabLeads('a spec', on, new AbortController().signal, async (own) => own.opened(false));
    } finally {
      Object.defineProperty(globalThis, 'navigator', navigator);
    }
    expect(on.opened).toHaveBeenCalled();
  });
});

describe('Two tabs of a browser', () => {
  const stops: AbortController[] = [];
  afterEach(() => stops.splice(0).forEach((stop) => stop.abort())); // a waiting tab would keep the process alive

  const tab = (name: string, isOver: Promise<void>, opensAtOnce = true) => {
    const seen: string[] = [];
    const on: StreamEvents = {
      opened: () => void seen.push('opened'),
      alive: () => undefined,
      notice: ({ revision }) => void seen.push(`notice ${revision}`),
    };
    let leader: StreamEvents | undefined;
    const stop = new AbortController();
    stops.push(stop);
    const ended = oneTabLeads(name, on, stop.signal, async (toAll) => {
      leader = toAll;
      if (opensAtOnce) toAll.opened(false);
      await isOver;
    });
    ended.catch(() => undefined); // a tab that ends while it waits for the lock
    return { seen, stop, ended, leads: () => leader };
  };

  it('share one stream, and the second tab follows the stream after the first has ended', async () => {
    let end = () => {};
    const isOver = new Promise<void>((resolve) => (end = resolve));
    const first = tab('a spec', isOver);
    await until(() => first.leads());
    const second = tab('a spec', new Promise(() => undefined));
    await until(() => second.seen.includes('opened'));
    first.leads()!.notice({ organization: 'acme', revision: 7 });
    await until(() => second.seen.includes('notice 7'));
    expect([first.seen, second.leads()]).toEqual([['opened', 'notice 7'], undefined]);
    end();
    await first.ended;
    await until(() => second.leads());
  });

  it('fetch again when another tab opens the next stream, because a change between two streams has no notice', async () => {
    let end = () => {};
    const isOver = new Promise<void>((resolve) => (end = resolve));
    const never = new Promise<void>(() => undefined);
    const first = tab('a spec', isOver);
    await until(() => first.leads());
    const second = tab('a spec', never);
    await until(() => second.seen.includes('opened'));
    const third = tab('a spec', never);
    await until(() => third.seen.includes('opened'));
    expect(second.seen).toEqual(['opened']); // the third tab has begun, but has opened no stream
    end();
    await until(() => second.leads());
    await until(() => third.seen.length > 1);
    expect([third.seen, third.leads()]).toEqual([['opened', 'opened'], undefined]);
  });

  it('do not count a stream as open while the tab that opens the next stream still waits for its answer', async () => {
    let end = () => {};
    const isOver = new Promise<void>((resolve) => (end = resolve));
    const first = tab('a spec', isOver);
    await until(() => first.leads());
    const waits = new Promise<void>(() => undefined);
    const second = tab('a spec', waits, false);
    await until(() => second.seen.includes('opened'));
    end();
    await until(() => second.leads());
    const third = tab('a spec', waits);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(third.seen).toEqual([]);
    second.leads()!.opened(false);
    await until(() => third.seen.includes('opened'));
  });

  it('replace a stream that hangs: if its tab stops, the other tab opens a new stream', async () => {
    const never = new Promise<void>(() => undefined); // for example a program whose backend never sends the ticket
    const first = tab('a spec', never);
    await until(() => first.leads());
    const second = tab('a spec', never);
    first.stop.abort();
    await first.ended;
    await until(() => second.leads());
  });
});
