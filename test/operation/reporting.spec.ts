import { globSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createReporting } from '../../apps/api/src/process/observability/reporting';
import { withFaults } from '../support/stores/faults';
import { founded, path } from '../support/requests/organizations';
import { type Served, serving, type Stores, until } from '../support/serving';

/** A stand-in for Sentry at the address `dsn`. It stores every report, and answers after `slowMs` milliseconds. */
async function collector(
  slowMs = 0,
): Promise<{ dsn: string; texts: string[]; events: () => Event[]; close: () => void }> {
  const texts: string[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    const take = () => {
      texts.push(`${String(request.url)} ${JSON.stringify(request.headers)}\n${Buffer.concat(chunks).toString()}`);
      response.setHeader('Content-Type', 'application/json').end('{}');
    };
    request.on('end', () => setTimeout(take, slowMs));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const events = () =>
    texts.flatMap((text) => {
      const [, , head = '{}', body = '{}'] = text.split('\n');
      return (JSON.parse(head) as { type?: string }).type === 'event' ? [JSON.parse(body) as Event] : [];
    });
  const { port } = server.address() as AddressInfo;
  return {
    dsn: `http://publickey@127.0.0.1:${port}/1`,
    texts,
    events,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
type Event = Readonly<Record<string, unknown>> &
  Readonly<{
    tags: Record<string, string>;
    exception: { values: { type: string; value: string; stacktrace: { frames: { filename: string }[] } }[] };
  }>;

const canary = {
  email: 'canary@private.example',
  person: 'Canary Personson',
  card: '4111111111111111',
  token: 'tok_canary_0123456789',
};

describe('Reporting with SENTRY_DSN', () => {
  let sentry: Awaited<ReturnType<typeof collector>>;
  let served: Served;
  let key: string;
  const fault: { with: unknown } = { with: undefined };
  const breakable = ({ log, ...stores }: Stores): Stores => ({
    ...stores,
    log: withFaults(log, {
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- foreign code can throw any value
      append: (...given) => (fault.with === undefined ? log.append(...given) : Promise.reject(fault.with)),
    }),
  });
  beforeAll(async () => {
    sentry = await collector();
    served = await serving({ between: breakable, environment: { SENTRY_DSN: sentry.dsn, RELEASE: 'r-42' } });
    key = await served.key();
  });
  afterAll(async () => {
    await served.close();
    sentry.close();
  });

  /** Sends a request with secrets in its URL, body and headers. The request fails with this error. */
  async function failing(thrown: unknown): Promise<string> {
    const id = await founded(served, { by: key });
    fault.with = thrown;
    const { status, body } = await served.ask('PATCH', `${path(id)}?token=${canary.token}`, {
      key,
      body: { name: canary.person },
      headers: { Cookie: `charter=${canary.card}`, 'User-Agent': canary.person, Referer: `https://x/${canary.token}` },
    });
    fault.with = undefined;
    expect(status).toBe(500);
    return body.instance as string;
  }
  const eventOf = async (request: string) => {
    await until(() => sentry.events().some(({ tags }) => tags['request'] === request));
    return sentry.events().find(({ tags }) => tags['request'] === request)!;
  };

  it('sends the type and the stack of the error, the release, and the route and the id of the request', async () => {
    const request = await failing(Object.assign(new RangeError('too far'), { code: 'ERR_TOO_FAR' }));
    const event = await eventOf(request);
    expect(event).toMatchObject({ release: 'r-42', platform: 'node' });
    expect(event.tags).toEqual({
      kind: 'request',
      request,
      route: 'PATCH /api/v1/organizations/:id',
      code: 'ERR_TOO_FAR',
    });
    const [{ type, stacktrace }] = event.exception.values as [Event['exception']['values'][0]];
    expect(type).toBe('RangeError');
    expect(stacktrace.frames.length).toBeGreaterThan(2);
    for (const { filename } of stacktrace.frames) expect(filename).not.toContain(process.cwd());
  });

  it('sends and logs nothing personal or secret, for different kinds of thrown values (T1)', async () => {
    const quoting = `UNIQUE failed for ${canary.email} ${canary.token}`;
    const cause = Object.assign(new Error(quoting), { code: canary.email, user: canary });
    const thrown: unknown[] = [
      new Error(quoting, { cause }),
      Object.assign(cause, { name: canary.person }),
      quoting,
      { message: quoting, ...canary },
      null,
      new AggregateError([cause], quoting),
      new Error(`${quoting}\n    at ${canary.email} (main.js:1:1)`),
      Object.assign(new Error(quoting), { detail: `Key (email)=(${canary.email}) exists.`, ...canary }),
    ];
    for (const each of thrown) {
      const event = await eventOf(await failing(each));
      expect(Object.keys(event).sort()).toEqual(expect.arrayContaining(['event_id', 'tags', 'timestamp']));
      for (const field of Object.keys(event)) expect(known).toContain(field);
    }
    expect(sentry.texts.length).toBeGreaterThanOrEqual(thrown.length);
    for (const secret of [...Object.values(canary), key, key.slice(17)])
      for (const text of [...sentry.texts, ...served.lines]) expect(text).not.toContain(secret);
  });

  it('leaves the type, the code and the stack of the error and of its cause in the log', async () => {
    const cause = Object.assign(new TypeError('inside'), { code: 'ERR_INSIDE' });
    const fields = { code: '23505', constraint: 'accounts_email', errstr: 'constraint failed' };
    const request = await failing(Object.assign(new RangeError('outside', { cause }), fields));
    await eventOf(request);
    const place = expect.stringMatching(/^at .*reporting\.spec\.ts:\d+:\d+/) as string;
    expect(served.entries().filter((entry) => entry['request'] === request)).toMatchObject([
      {
        msg: 'a request failed',
        err: {
          ...{ type: 'RangeError', ...fields, stack: place },
          cause: { type: 'TypeError', code: 'ERR_INSIDE', stack: place },
        },
      },
    ]);
  });

  it('sends no report for a refused request', async () => {
    const before = sentry.events().length;
    await served.ask('GET', path(randomUUID()), { key });
    await served.ask('GET', path(randomUUID()));
    await served.ask('POST', '/api/v1/organizations', { key, body: { nonsense: true } });
    await eventOf(await failing(new Error('the last one')));
    expect(sentry.events()).toHaveLength(before + 1);
  });

  it('sends its waiting reports before the process stops', async () => {
    const slow = await collector(1_000);
    const other = await serving({ environment: { SENTRY_DSN: slow.dsn } });
    other.runtime.reporting.report(new Error('lost'), { kind: 'rejection' });
    await other.close();
    slow.close();
    expect(slow.events()).toMatchObject([{ tags: { kind: 'rejection' } }]);
  });

  it('to an address that refuses connections delays neither a request nor the stop of the process', async () => {
    const closed = await collector();
    closed.close();
    const other = await serving({ environment: { SENTRY_DSN: closed.dsn } });
    other.runtime.reporting.report(new Error('lost'), { kind: 'exception' });
    expect((await other.ask('GET', '/health/live')).status).toBe(200);
    const began = performance.now();
    await other.close();
    expect(performance.now() - began).toBeLessThan(4_000);
  });
});

const known = ['event_id', 'timestamp', 'level', 'platform', 'release', 'environment', 'exception', 'tags', 'sdk'];

describe('Reporting without SENTRY_DSN', () => {
  it('accepts reports, and can be closed', async () => {
    const { report, close } = await createReporting({ sentryDsn: undefined, release: 'r' });
    expect(() => report(new Error('kept'), { kind: 'request' })).not.toThrow();
    await expect(close()).resolves.toBeUndefined();
  });

  it('does not load the library for reports: only one file imports the library, and only as a type or dynamically', () => {
    const root = join(__dirname, '../..');
    const sources = globSync('{apps,libs}/**/*.ts', { cwd: root }).map((name) =>
      readFileSync(join(root, name), 'utf8'),
    );
    const naming = sources.filter((source) => source.includes("'@sentry/node'"));
    expect(naming).toHaveLength(1);
    const lines = naming[0]!.split('\n').filter((line) => line.includes("'@sentry/node'"));
    for (const line of lines) expect(line).toMatch(/^import type |await import\(/);
  });
});
