import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { isCharterProblem, UnexpectedAnswer } from '@charter/client';
import { eventsIn, type Served, serving } from '../support/serving';
import { clientOf } from './charter-client';

let served: Served;
let key: string;
beforeAll(async () => {
  served = await serving();
  key = await served.key();
});
afterAll(() => served.close());

const founded = async (charter = clientOf({ url: served.url, key })) => {
  const { body } = await charter.call('POST /api/v1/organizations', { body: { name: 'Acme' } });
  return { charter, id: (body as { id: string }).id };
};

const proxies: Server[] = [];
afterEach(() => proxies.splice(0).forEach((proxy) => proxy.close()));

/** Starts a proxy in front of Charter, which cuts the connection in the middle of its first answer. */
async function cuttingProxy(hasLength: boolean) {
  const keys: (string | null)[] = [];
  const forward = async (request: IncomingMessage, response: ServerResponse) => {
    const headers = new Headers();
    for (const name of ['authorization', 'content-type', 'idempotency-key'])
      if (request.headers[name]) headers.set(name, request.headers[name] as string);
    const body = await text(request);
    const answer = await fetch(`${served.url}${request.url}`, {
      ...{ method: request.method!, headers },
      ...(body && { body }),
    });
    const whole = await answer.text();
    keys.push(headers.get('Idempotency-Key'));
    response.removeHeader('Transfer-Encoding'); // so the end of the connection ends a body without a length
    response.writeHead(answer.status, {
      'Content-Type': 'application/json',
      ...(hasLength && { 'Content-Length': Buffer.byteLength(whole) }),
    });
    response.write(keys.length > 1 ? whole : whole.slice(0, whole.length / 2), () => response.destroy());
  };
  const proxy = createServer((request, response) => void forward(request, response)).listen(0, '127.0.0.1');
  proxies.push(proxy);
  await once(proxy, 'listening');
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, keys };
}

describe('A call', () => {
  it('sends the same `Idempotency-Key` again after a lost answer, so that Charter writes once', async () => {
    const keys: (string | null)[] = [];
    let lose = 1;
    const losing: typeof fetch = async (input, init) => {
      keys.push(new Headers(init?.headers).get('Idempotency-Key'));
      const answer = await fetch(input, init);
      if (lose-- > 0) throw new TypeError('fetch failed');
      return answer;
    };
    const before = await eventsIn(served);
    await founded(clientOf({ url: served.url, key, fetch: losing }));
    expect(await eventsIn(served)).toBe(before + 1);
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  });

  it.each([
    ['with `Content-Length`', true],
    ['without `Content-Length`', false],
  ])('is repeated with the same `Idempotency-Key` if its answer breaks off, %s', async (_how, hasLength) => {
    const { id } = await founded();
    const write = await cuttingProxy(hasLength);
    const before = await eventsIn(served);
    const { body } = await clientOf({ url: write.url, key }).call('POST /api/v1/organizations/{id}/members', {
      path: { id },
      body: { user: randomUUID(), role: 'member' },
    });
    expect([body.revision, await eventsIn(served)]).toEqual([1, before + 1]);
    expect([write.keys.length, new Set(write.keys).size]).toEqual([2, 1]);

    const read = await cuttingProxy(hasLength);
    const members = await clientOf({ url: read.url, key }).call('GET /api/v1/organizations/{id}/members', {
      path: { id },
    });
    expect([members.body.members.length, read.keys.length]).toEqual([1, 2]);
  });

  it('fails with the reason of the problem, whose facts TypeScript knows', async () => {
    const { charter, id } = await founded();
    const add = (role: 'owner' | 'member') =>
      charter.call('POST /api/v1/organizations/{id}/members', { path: { id }, body: { user: randomUUID(), role } });
    const plan = { line: 'second', plan: 'solo' } as const;
    await charter.call('PUT /api/v1/organizations/{id}/plan', { path: { id }, body: plan });
    await add('owner');
    const error: unknown = await add('member').catch((thrown: unknown) => thrown);
    if (!isCharterProblem(error) || error.reason !== 'limit-exceeded') throw error;
    const { limit, used, because }: { limit: string; used: number; because: unknown } = error.problem;
    expect([error.status, limit, used]).toEqual([409, 'users', 1]);
    expect(because).toHaveLength(2);
  });

  it('fails with 412 if the organization has changed since `ifMatch`', async () => {
    const { charter, id } = await founded();
    const rename = (name: string, ifMatch: number) =>
      charter.call('PATCH /api/v1/organizations/{id}', { path: { id }, body: { name }, ifMatch });
    const { body, etag } = await rename('Acme Ltd', 0);
    expect([body.revision, etag]).toEqual([1, expect.stringMatching(/^"1/)]);
    await expect(rename('Acme GmbH', 0)).rejects.toMatchObject({ status: 412 });
  });

  it.each(['.', '..', ''])(
    'refuses the path parameter "%s", because the request would go to another path',
    async (purchase) => {
      const send = jest.fn<ReturnType<typeof fetch>, Parameters<typeof fetch>>();
      const charter = clientOf({ url: served.url, key, fetch: send });
      const cancelled = charter.call('DELETE /api/v1/organizations/{id}/add-ons/{purchase}', {
        path: { id: randomUUID(), purchase },
      });
      await expect(cancelled).rejects.toThrow(TypeError);
      expect(send).not.toHaveBeenCalled();
    },
  );

  it('fails if a proxy answers with a page of its own, even with status 200', async () => {
    const portal = async () =>
      new Response('<title>Log in to the network</title>', { headers: { 'Content-Type': 'text/html' } });
    const charter = clientOf({ url: served.url, key, fetch: portal });
    const deleted = charter.call('DELETE /api/v1/keys/{id}', { path: { id: randomUUID() } });
    await expect(deleted).rejects.toThrow('The answer with status 200 is not an answer of Charter.');
    await expect(founded(charter)).rejects.toThrow(UnexpectedAnswer);
  });

  it('returns a text if Charter answers with a text', async () => {
    const { charter } = await founded();
    const { body } = await charter.call('GET /.well-known/charter-checkpoint-key', {});
    expect(body).toMatch(/^\S+\+[0-9a-f]{8}\+/);
  });

  it('waits as long as `Retry-After` says', async () => {
    const times: number[] = [];
    const busy: typeof fetch = async (input, init) => {
      times.push(performance.now());
      if (times.length > 1) return fetch(input, init);
      return new Response('{"type":"/problems/busy"}', { status: 503, headers: { 'Retry-After': '1' } });
    };
    await founded(clientOf({ url: served.url, key, fetch: busy }));
    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(990);
  });

  it('does not repeat a write without an idempotency key on the server', async () => {
    let calls = 0;
    const losing: typeof fetch = async () => {
      calls += 1;
      throw new TypeError('fetch failed');
    };
    const charter = clientOf({ url: served.url, key, fetch: losing });
    await expect(charter.call('DELETE /api/v1/keys/{id}', { path: { id: randomUUID() } })).rejects.toThrow();
    expect(calls).toBe(1);
  });
});

describe('A list', () => {
  it('goes through all pages', async () => {
    const { charter, id } = await founded();
    const commands = [1, 2].map((number) => ({
      type: 'AddSite' as const,
      data: { site: randomUUID(), hostname: `site${number}.example` },
    }));
    await charter.call('PUT /api/v1/organizations/{id}/plan', {
      path: { id },
      body: { line: 'second', plan: 'teams' },
    });
    await charter.call('POST /api/v1/organizations/{id}/commands', { path: { id }, body: { commands } });
    const pages: number[] = [];
    const list = charter.pages('GET /api/v1/organizations/{id}/sites', { path: { id }, query: { limit: '1' } });
    for await (const { sites } of list) pages.push(sites.length);
    expect(pages).toEqual([1, 1]);
  });

  it('of events arrives line by line', async () => {
    const { charter, id } = await founded();
    const types: string[] = [];
    const events = charter.lines<{ type: string }>('GET /api/v1/organizations/{id}/events', { path: { id } });
    for await (const { type } of events) types.push(type);
    expect(types).toEqual(['OrganizationFounded']);
  });
});
