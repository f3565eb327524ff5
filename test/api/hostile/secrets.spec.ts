import { randomUUID } from 'node:crypto';
import { withFaults } from '../../support/stores/faults';
import type { Answer } from '../../support/requests/http';
import { path } from '../../support/requests/organizations';
import { routesOf } from '../../support/requests/routes';
import { keyId, type Served, serving, settled, type Stores } from '../../support/serving';
import { rightRequests, type FullOrganization, fullOrganization } from '../../support/requests/full-organization';
import { everythingIn } from '../../support/stores/tables';

/** While `on` is true, the event log fails with an error whose message must stay inside the service. */
const fault = { on: false };
const breakable = ({ log, ...stores }: Stores): Stores => ({
  ...stores,
  log: withFaults(log, {
    append: (...given) => (fault.on ? Promise.reject(new Error(`${inside} ${key}`)) : log.append(...given)),
  }),
});
const inside = 'SELECT secret FROM keys -- /srv/charter/events.db';

let served: Served;
let key: string;
let here: FullOrganization;
const answers: Answer[] = [];
const canary = {
  once: `once-${randomUUID()}`,
  email: 'canary@private.example',
  person: 'Canary Personson',
  card: '4111111111111111',
};

beforeAll(async () => {
  served = await serving({ between: breakable });
  key = await served.key();
  here = await fullOrganization(served, key);
  await throughEverything();
  await settled(served);
  answers.push(await served.ask('GET', '/metrics'));
});
afterAll(() => served.close());

/**
 * Sends requests of four kinds: accepted, malformed, refused, and failing because of a fault inside the service. The
 * requests contain secrets in the query, the headers and the body.
 */
async function throughEverything(): Promise<void> {
  const revoked = await served.key();
  await served.charter.database.keys.revoke(await keyId(served, revoked), served.clock.now());
  const headers = {
    'Idempotency-Key': canary.once,
    'User-Agent': canary.person,
    Cookie: `charter=${canary.card}; key=${key}`,
    Referer: `https://x.example/?key=${key}`,
  };
  for (const [route, request] of Object.entries(rightRequests)) {
    const { path: at, body } = request(here);
    const [method] = route.split(' ') as [string];
    const query = `${at.includes('?') ? '&' : '?'}key=${key}`;
    answers.push(await served.ask(method, at, { key, body, headers: { ...headers, 'Idempotency-Key': randomUUID() } }));
    answers.push(await served.ask(method, at + query, { key, body, headers }));
    answers.push(await served.ask(method, at, { key: revoked, body, headers }));
    const private_ = { ...body, email: canary.email, password: canary.card, name: `${canary.person}\0`, key };
    answers.push(await served.ask(method, at, { key, body: method === 'GET' ? undefined : private_, headers }));
  }
  fault.on = true;
  answers.push(await served.ask('PATCH', path(here.id), { key, body: { name: 'Unlucky' }, headers }));
  answers.push(
    await served.ask('POST', path(here.id, '/members'), { key, body: { user: randomUUID(), role: 'member' } }),
  );
  fault.on = false;
}

describe('T1, J6: Secrets', () => {
  const secrets = () => [key, key.slice(17), canary.once, canary.card, canary.email, canary.person];

  it('were sent in requests that succeeded, were refused, or met a fault inside the service', () => {
    const statuses = new Set(answers.map(({ status }) => status));
    for (const status of [200, 201, 400, 401, 409, 500]) expect([...statuses]).toContain(status);
  });

  it('are in no line of the log, except in the message of the simulated fault', () => {
    expect(served.lines.length).toBeGreaterThan(20);
    for (const secret of secrets())
      expect(served.lines.filter((line) => line.includes(secret) && !isFault(line))).toEqual([]);
  });

  it('are in no answer, metric or error', () => {
    for (const secret of secrets())
      for (const { text, headers } of answers) expect(text + JSON.stringify(headers)).not.toContain(secret);
  });

  it('are in no event', async () => {
    const events = [];
    for await (const event of served.charter.log.readAll()) events.push(JSON.stringify({ ...event, revision: 0 }));
    expect(events.length).toBeGreaterThan(10);
    for (const secret of secrets()) expect(events.filter((event) => event.includes(secret))).toEqual([]);
  });

  it('are in no file, neither plain nor in hexadecimal or base64 (J1, B5)', async () => {
    const files = await everythingIn(served);
    // proves that the search of the files finds plain values
    expect(files.some((bytes) => bytes.includes(here.id))).toBe(true);
    for (const secret of secrets()) {
      const bytes = Buffer.from(secret);
      const raw = Buffer.from(key.slice(17), 'base64url');
      for (const form of [
        bytes,
        bytes.toString('hex'),
        bytes.toString('base64').slice(0, -4),
        raw,
        raw.toString('hex'),
      ])
        expect(files.some((file) => file.includes(form))).toBe(false);
    }
  });
});

/**
 * A log line may contain the error message of a database driver. This spec puts an API key into such a message; a real
 * driver does not.
 */
const isFault = (line: string) => line.includes(inside);

describe('J7: API key', () => {
  it('cannot make, list or revoke API keys, change a password, or read accounts and sessions', async () => {
    for (const [method, at] of [
      ['POST', '/api/v1/keys'],
      ['GET', '/api/v1/keys'],
      ['DELETE', `/api/v1/keys/${randomUUID()}`],
      ['PUT', '/api/v1/me/password'],
      ['GET', '/api/v1/me'],
      ['GET', '/api/v1/me/sessions'],
      ['GET', '/api/v1/accounts'],
    ] as const) {
      const { status } = await served.ask(method, at, {
        key,
        ...(method !== 'GET' && { body: { name: 'mine', scopes: ['organizations:read'] } }),
      });
      expect([method, at, [403, 404].includes(status)]).toEqual([method, at, true]);
    }
  });

  it('J1: is stored and listed without its secret part', async () => {
    const listed = await served.charter.database.keys.list();
    expect(listed.some(({ prefix }) => key.startsWith(prefix))).toBe(true);
    expect(JSON.stringify(listed)).not.toContain(key.slice(17));
    expect(new Set(listed.map(({ hash }) => hash)).size).toBe(listed.length);
  });
});

describe('T7: Metrics', () => {
  const metrics = () => answers.at(-1)!;

  it('have fewer than 2,000 series, which contain no ids, names or API keys', () => {
    const series = metrics()
      .text.split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(series.length).toBeGreaterThan(50);
    expect(series.length).toBeLessThan(2_000);
    expect(metrics().text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-|chk_|@|Acme/);
  });

  it('have fewer than 2,000 series, even if each route has answered with each class of status', async () => {
    const classes = [200, 304, 404, 503];
    for (const route of await routesOf(served.runtime))
      for (const status of classes) served.runtime.counts.answered(route, status, 0.1);
    const series = (await served.ask('GET', '/metrics')).text.split('\n').filter((line) => /^[^#]/.test(line));
    expect(series.length).toBeLessThan(2_000);
  });

  it('count a HEAD request as a GET request', async () => {
    const count = async () => {
      const { text } = await served.ask('GET', '/metrics');
      expect(text).not.toContain('HEAD');
      return Number(/^charter_requests_total\{route="GET \/health\/live",status="2xx"\} (\d+)$/m.exec(text)?.[1] ?? 0);
    };
    const earlier = await count();
    expect((await served.ask('HEAD', '/health/live')).status).toBe(200);
    expect(await count()).toBe(earlier + 1);
  });

  it('gain no series from unknown paths and ids in requests', async () => {
    // without the metrics of Node itself, which gain a series for each new kind of garbage collection
    const series = async () => {
      const lines = (await served.ask('GET', '/metrics')).text.split('\n').filter((line) => /^charter_/.test(line));
      return lines.filter((line) => !/^charter_(nodejs|process)_/.test(line)).map((line) => line.replace(/ \S*$/, ''));
    };
    const askUnknown = async () => {
      await served.ask('GET', `/invented/${randomUUID()}`, { key });
      await served.ask('GET', path(randomUUID(), '/entitlements/users'), { key });
    };
    await askUnknown();
    await series();
    const before = new Set(await series());
    for (let index = 0; index < 50; index += 1) await askUnknown();
    expect((await series()).filter((name) => !before.has(name))).toEqual([]);
  });

  it('are served to a direct caller on this machine, but not through a proxy on this machine', async () => {
    expect(metrics().status).toBe(200);
    const forwarded = ['X-Forwarded-For', 'X-Forwarded-Host', 'X-Real-IP', 'Forwarded', 'Via'].flatMap((name) =>
      ['203.0.113.7', '127.0.0.1', '', '::1'].map((value) => ({ [name]: value })),
    );
    for (const headers of forwarded)
      expect([headers, (await served.ask('GET', '/metrics', { headers })).status]).toEqual([headers, 404]);
  });

  it('are served only if the Host header names this machine, so that a page of another site cannot read them', async () => {
    const statusOf = async (host: string) => (await served.ask('GET', '/metrics', { headers: { Host: host } })).status;
    for (const host of ['evil.example', 'evil.example:3000', 'localhost.evil.example', '127.0.0.1.evil.example', '@'])
      expect([host, await statusOf(host)]).toEqual([host, 404]);
    for (const host of ['localhost:3000', '127.0.0.1', '[::1]:3000', 'LOCALHOST'])
      expect([host, await statusOf(host)]).toEqual([host, 200]);
  });
});
