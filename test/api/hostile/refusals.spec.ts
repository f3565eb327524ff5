import { randomUUID } from 'node:crypto';
import { freePort } from '../../support/network/free-port.mjs';
import type { Sent } from '../../support/requests/http';
import { sendRaw } from '../../support/requests/http';
import { founded, path } from '../../support/requests/organizations';
import { expectProblem } from '../../support/requests/refusals';
import { eventsIn, keyId, type Served, serving, settled, type Stores } from '../../support/serving';
import { onTables } from '../../support/stores/tables';

const wrong = (index: number) => `chk_${index.toString(16).padStart(12, '0')}_${'A'.repeat(43)}`;

describe('T3: A request', () => {
  let served: Served;
  let weak: string;
  let id: string;
  beforeAll(async () => {
    served = await serving();
    weak = await served.key({ scopes: ['organizations:read'] });
    id = await founded(served, { by: await served.key() });
    await served.ask('GET', path(id), { key: weak });
  });
  afterAll(() => served.close());
  /** The log entries of requests. On a busy machine the process may log other entries, too. */
  const requestEntries = () => served.entries().filter(({ request }) => request !== undefined);

  it.each([
    ['no key', 401, () => served.ask('GET', path(id))],
    ['a wrong key', 401, () => served.ask('GET', path(id), { key: wrong(1) })],
    ['no permission', 403, () => served.ask('PATCH', path(id), { key: weak, body: { name: 'X' } })],
    ['no permission, on the fast path', 403, () => addMember({})],
    ['no permission, on the Nest route', 403, () => addMember({ 'Idempotency-Key': 'k' })],
    ['no permission to read the history', 403, () => served.ask('GET', path(id, '?asOf=0'), { key: weak })],
  ])(
    'that is refused leaves one complete log entry with the same request id as the answer: %s',
    async (_, status, ask) => {
      const before = requestEntries().length;
      const answer = await ask();
      expect(answer.status).toBe(status);
      expect(requestEntries().slice(before)).toMatchObject([
        {
          time: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/),
          request: answer.body.instance,
          address: '127.0.0.1',
          organization: id,
          status,
          result: answer.body.type,
          ...(status === 403 && { actor: { kind: 'key', id: await keyId(served, weak) } }),
        },
      ]);
      expect(answer.headers['request-id']).toBe(answer.body.instance);
    },
  );

  it('leaves no log entry if it succeeds, or if the organization id in its path is unknown or malformed', async () => {
    const before = requestEntries().length;
    await served.ask('GET', path(id), { key: weak });
    await served.ask('GET', path(randomUUID()), { key: weak });
    await served.ask('GET', path('x'), { key: weak });
    expect(requestEntries()).toHaveLength(before);
  });

  it('T2: that is refused leaves one short log line, even if its path contains line breaks or control characters', async () => {
    const odd = ['\u001b[31mred', 'x'.repeat(7_000), 'é\u0085\u2028', '{"level":60}\r\n{"level":60}'];
    for (const text of odd) {
      const before = served.lines.length;
      const answer = await served.ask('GET', path(encodeURIComponent(text)), {
        headers: { 'User-Agent': printable(text) },
      });
      expect(answer.status).toBe(401);
      const lines = served.lines.slice(before);
      expect(lines).toHaveLength(1);
      expect(lines[0]).not.toMatch(/[^\P{Cc}\n]|\n.|[\u2028\u2029]/u);
      expect(lines[0]!.length).toBeLessThan(600);
      expect(JSON.parse(lines[0]!)).toMatchObject({ status: 401 });
    }
  });

  const addMember = (headers: Sent['headers']) =>
    served.ask('POST', path(id, '/members'), {
      key: weak,
      headers: headers ?? {},
      body: { user: randomUUID(), role: 'member' },
    });
});

describe('J9: Wrong API keys', () => {
  const tries = async (
    served: Served,
    count: number,
    headers: (index: number) => Record<string, string> = () => ({}),
  ) => {
    const statuses = [];
    for (let index = 0; index < count; index += 1)
      statuses.push(
        (await served.ask('GET', '/api/v1/organizations', { key: wrong(index), headers: headers(index) })).status,
      );
    return statuses;
  };
  const sixty = Array<number>(60).fill(401);

  it('are throttled after 60 attempts in a minute, while a right key still works', async () => {
    const served = await serving();
    const key = await served.key();
    expect(await tries(served, 61)).toEqual([...sixty, 429]);
    const throttled = await served.ask('GET', '/api/v1/organizations', { key: wrong(99) });
    expectProblem(throttled);
    expect(Number(throttled.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(throttled.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(throttled.body.detail).toContain(`Wait ${throttled.headers['retry-after']} seconds,`);
    expect(served.entries().filter(({ request }) => request === throttled.body.instance)).toMatchObject([
      { status: 429, address: '127.0.0.1' },
    ]);
    expect((await served.ask('GET', '/api/v1/organizations', { key })).status).toBe(200);
    expect((await served.ask('GET', '/api/v1/organizations', { key: await served.key() })).status).toBe(200);

    served.clock.advance(61_000);
    expect(await tries(served, 1)).toEqual([401]);
    await served.close();
  });

  it.each(['revoked', 'expired'])('do not include keys that are %s', async (state) => {
    const served = await serving();
    const key = await served.key({ expires: new Date(served.clock.now() + 60_000).toISOString() });
    if (state === 'revoked') await served.charter.database.keys.revoke(await keyId(served, key), served.clock.now());
    else served.clock.advance(60_000);
    const statuses = new Set<number>();
    for (let index = 0; index < 61; index += 1)
      statuses.add((await served.ask('GET', '/api/v1/organizations', { key })).status);
    expect([...statuses]).toEqual([401]);
    await served.close();
  });

  it('are counted together for one client address, even if forwarding headers name other addresses', async () => {
    const served = await serving();
    const claims = (index: number) => ({
      'X-Forwarded-For': `203.0.113.${index}`,
      Forwarded: `for=203.0.113.${index}`,
      'X-Real-IP': `203.0.113.${index}`,
    });
    const all = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        served.ask('GET', '/api/v1/organizations', { key: wrong(index), headers: claims(index) }),
      ),
    );
    expect(all.filter(({ status }) => status === 401)).toHaveLength(60);
    expect(all.filter(({ status }) => status === 429)).toHaveLength(40);
    await served.close();
  });

  it.each([
    ['one address', (index: number) => `203.0.113.9, ${index % 2 ? '' : '::ffff:'}198.51.100.1`],
    ['one IPv6 network of 64 bits', (index: number) => `2001:db8:0:7:${index.toString(16)}::${index.toString(16)}`],
    ['one client behind two proxies', (index: number) => `10.9.9.${index}, 198.51.100.7, 127.0.0.1`],
  ])('that come through a trusted proxy are counted together for %s', async (_, forwarded) => {
    const served = await serving({ environment: { TRUST_PROXY: '127.0.0.1' } });
    const headers = (index: number) => ({ 'X-Forwarded-For': forwarded(index) });
    expect(await tries(served, 61, headers)).toEqual([...sixty, 429]);
    const elsewhere = () => ({ 'X-Forwarded-For': '2001:db8:0:8::1' });
    expect(await tries(served, 1, elsewhere)).toEqual([401]);
    expect(await tries(served, 1, () => ({ 'X-Forwarded-For': '::ffff:192.0.2.1' }))).toEqual([401]);
    await served.close();
  });
});

describe('T4: Failure inside the service', () => {
  const inside = 'SELECT * FROM keys WHERE /srv/charter/events.db v1.2.3';
  const fail = (name: string) => {
    if (!/^(\w+Sync|stamp|readStream)$/.test(name)) return Promise.reject(new Error(inside));
    throw new Error(inside);
  };
  let broken = '';
  /** A stand-in for a store. The function that `broken` names fails; all other functions work. */
  const breakable = <Thing extends object>(thing: Thing, part: string): Thing =>
    new Proxy(thing, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]): unknown =>
          broken === `${part}.${String(name)}` ? fail(String(name)) : Reflect.apply(value, target, given);
      },
    });
  const between = ({ catalogue, log, database }: Stores): Stores => ({
    catalogue,
    log: breakable(log, 'log'),
    database: {
      ...database,
      view: (shape) => breakable(database.view(shape), 'view'),
      keys: breakable(database.keys, 'keys'),
      receipts: breakable(database.receipts, 'receipts'),
      attempts: breakable(database.attempts, 'attempts'),
      marks: breakable(database.marks, 'marks'),
    },
  });

  it('is answered with a problem without details, logged with details, and does not disturb the next request', async () => {
    const served = await serving({ between });
    const key = await served.key();
    const id = await founded(served, { by: key });
    await settled(served);
    const member = () => ({ user: randomUUID(), role: 'member' });
    const all: readonly (readonly [string, () => ReturnType<Served['ask']>])[] = [
      ['log.append', () => served.ask('PATCH', path(id), { key, body: { name: 'X' } })],
      ['log.append', () => served.ask('POST', path(id, '/members'), { key, body: member() })],
      [
        'log.append',
        () => served.ask('POST', path(id, '/members'), { key, body: member(), headers: { 'Idempotency-Key': 'a' } }),
      ],
      ['log.append', () => served.ask('POST', '/api/v1/organizations', { key, body: { name: 'X' } })],
      ['log.readStream', () => served.ask('GET', path(id, '?asOf=0'), { key })],
      ['log.readStream', () => served.ask('PATCH', path(randomUUID()), { key, body: { name: 'X' } })],
      ['view.get', () => served.ask('GET', path(id, '?'), { key })],
      ['view.get', () => served.ask('GET', path(id, '/entitlements/feedback'), { key })],
      ['view.revisionSync', () => served.ask('GET', path(id, '/entitlements/feedback'), { key })],
      ['view.list', () => served.ask('GET', '/api/v1/organizations', { key })],
      ['keys.find', () => served.ask('GET', path(id), { key: wrong(7) })],
      ['keys.stamp', () => served.ask('GET', path(id), { key })],
      ['keys.stamp', () => served.ask('POST', path(id, '/members'), { key, body: member() })],
      [
        'receipts.claim',
        () =>
          served.ask('POST', path(id, '/close'), { key, body: { reason: 'x' }, headers: { 'Idempotency-Key': 'b' } }),
      ],
      ['attempts.count', () => served.ask('GET', path(id), { key: wrong(8) })],
    ];
    // With PostgreSQL, a process has no synchronous queries.
    const isInFile = served.charter.view.revisionSync !== undefined;
    const places = all.filter(([place]) => isInFile || place !== 'view.revisionSync');
    const before = await eventsIn(served);
    for (const [place, ask] of places) {
      broken = place;
      const seen = served.lines.length;
      const answer = await ask();
      broken = '';
      if (place.endsWith('Sync'))
        expect([place, answer.status]).toEqual([place, 200]); // the request still succeeds on the Nest route
      else {
        expect([place, answer.status]).toEqual([place, 500]);
        expectProblem(answer);
        expect(answer.body).toMatchObject({ type: '/problems/internal', instance: answer.headers['request-id'] });
        const entries = served.entries().slice(seen);
        expect(entries).toMatchObject([{ level: 50, request: answer.body.instance, err: { type: 'Error' } }]);
        expect((entries[0]!['err'] as { stack: string }).stack).toMatch(/^at /);
      }
      expect(answer.text + JSON.stringify(answer.headers)).not.toMatch(
        /SELECT|srv|\.db|v1\.2|node_modules|\.ts\b|Error:/,
      );
      expect([place, (await served.ask('GET', path(id), { key })).status]).toEqual([place, 200]);
    }
    expect(await eventsIn(served)).toBe(before);
    for (const part of ['log.head', 'marks.get']) {
      broken = part;
      const { status, body } = await served.ask('GET', '/health/ready');
      expect([part, status, body.status]).toEqual([part, 503, 'not-ready']);
    }
    broken = '';
    expect((await served.ask('GET', '/health/ready')).status).toBe(200);
    await served.close();
  });

  it('because of a damaged document of the read model affects only its organization, which gets 500 on the fast path and on the Nest route', async () => {
    const served = await serving();
    const key = await served.key();
    const [sick, well] = [await founded(served, { by: key }), await founded(served, { by: key })];
    await settled(served);
    await served.ask('GET', path(sick, '/entitlements/users'), { key });
    await onTables(served, `update documents set state = '{', revision = 7 where stream = 'organization-${sick}'`);
    await onTables(served, 'update editions set commits = commits + 1'); // as each commit of the projector does
    for (const rest of ['/entitlements/users', '/entitlements/users?', '']) {
      const answer = await served.ask('GET', path(sick, rest), { key });
      expect([rest, answer.status, answer.body.type]).toEqual([rest, 500, '/problems/internal']);
    }
    expect((await served.ask('GET', path(well, '/entitlements/users'), { key })).status).toBe(200);
    await served.close();
  });
});

describe('METRICS_PORT', () => {
  const SECURE = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

  it('moves the metrics from the port of the API to its own port', async () => {
    const port = await freePort();
    const served = await serving({ environment: { METRICS_PORT: String(port) } });
    expect((await served.ask('GET', '/metrics')).status).toBe(404);
    const { text, headers } = await metricsFrom(port, 'localhost');
    expect(text).toContain('charter_projection_lag_seconds');
    expect(headers).toMatchObject(SECURE);
    await served.close();
  });

  it('on loopback answers only if the Host header names loopback, so that a page of another site cannot read the metrics', async () => {
    const [port, open] = [await freePort(), await freePort()];
    const served = await serving({ environment: { METRICS_PORT: String(port) } });
    for (const host of ['127.0.0.1', 'localhost', '[::1]', `localhost:${port}`])
      expect([host, (await metricsFrom(port, host)).status]).toEqual([host, 200]);
    for (const host of ['evil.example', `evil.example:${port}`, 'localhost.evil.example', 'x@y', '']) {
      const { status, text, headers } = await metricsFrom(port, host);
      expect([host, status, text.includes('charter_')]).toEqual([host, 404, false]);
      expect(headers).toMatchObject(SECURE);
    }
    await served.close();

    const network = await serving({ environment: { HOST: '0.0.0.0', METRICS_PORT: String(open) } });
    expect((await metricsFrom(open, 'charter-1.internal')).status).toBe(200);
    await network.close();
  });
});

const metricsFrom = (port: number, host: string) =>
  sendRaw(`http://127.0.0.1:${port}`, `GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);

/** The text with `?` instead of each character that is not printable ASCII. */
const printable = (text: string) => text.replaceAll(/[^\x20-\x7e]/g, '?');
