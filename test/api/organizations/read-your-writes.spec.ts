import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { organizationStream } from '@charter/organization';
import { inTime } from '../../support/in-time';
import { founded, path } from '../../support/requests/organizations';
import { paused, resumed, type Served, serving, settled, until } from '../../support/serving';
import { onTables } from '../../support/stores/tables';
import { tag } from '../../support/tags';

let served: Served;
let key: string;
const ask: Served['ask'] = (method, at, sent = {}) => served.ask(method, at, { key, ...sent });
beforeAll(async () => {
  served = await serving();
  key = await served.key();
});
afterAll(() => served.close());

const add = (id: string, user: string = randomUUID()) =>
  ask('POST', path(id, '/members'), { body: { user, role: 'member' } });

describe('Process that acknowledged a write', () => {
  afterEach(() => resumed(served));

  it('shows the write in its answers, on the fast path and the Nest route, while the projection is paused', async () => {
    const id = await founded(served, { by: key });
    await settled(served);
    for (const rest of ['/entitlements/users', '/entitlements/users?']) await ask('GET', path(id, rest)); // cached

    await paused(served);
    for (let count = 1; count <= 5; count += 1) {
      const { revision } = (await add(id)).body;
      const document = await ask('GET', path(id));
      expect([document.headers.etag, document.body.members.length]).toEqual([tag(revision), count]);
      for (const rest of ['/entitlements/users', '/entitlements/users?', `/entitlements/users?atLeast=${revision}`]) {
        const { headers, body } = await ask('GET', path(id, rest));
        expect([rest, headers.etag, body.used]).toEqual([rest, tag(revision), count]);
      }
      expect((await ask('GET', path(id, '/entitlements'))).body.limits.users.used).toBe(count);
      expect((await ask('GET', path(id, '/notification-recipients'))).body.revision).toBe(revision);
    }
    // the read model has processed none of these writes
    expect((await served.charter.view.get(organizationStream(id)))!.revision).toBe(0);

    await resumed(served);
    await settled(served);
    expect((await served.charter.view.get(organizationStream(id)))!.revision).toBe(5);
    expect((await ask('GET', path(id, '/entitlements/users'))).body.used).toBe(5);
  });

  it('shows an organization that was founded just now', async () => {
    await paused(served);
    const id = await founded(served, { by: key, name: 'Brand new' });
    expect((await ask('GET', path(id))).body.name).toBe('Brand new');
    expect((await ask('GET', path(id, '/entitlements/users'))).body.revision).toBe(0);
  });
});

describe('Read with `atLeast`', () => {
  afterEach(() => resumed(served));

  it('M10: gets an answer that includes the last write within a second', async () => {
    const id = await founded(served, { by: key });
    for (let count = 1; count <= 20; count += 1) {
      const { revision } = (await add(id)).body;
      const { body } = await inTime(1_000, ask('GET', path(id, `/entitlements?atLeast=${revision}`)));
      expect(body.revision).toBeGreaterThanOrEqual(revision);
    }
  });

  it('M10: waits for the revision on another process, and gets "not yet" if the revision does not arrive within two seconds', async () => {
    const id = await founded(served, { by: key });
    await settled(served);
    const other = await serving({ folder: served.folder, role: 'beside' });
    await paused(served);
    const { revision } = (await add(id)).body;

    expect((await other.ask('GET', path(id, '/entitlements'), { key })).body.revision).toBe(0);
    const read = (least: number) => other.ask('GET', path(id, `/entitlements/users?atLeast=${least}`), { key });
    const begun = performance.now();
    const late = await inTime(4_000, read(revision));
    expect([late.status, late.body.type, late.headers['retry-after']]).toEqual([503, '/problems/not-yet', '1']);
    expect(performance.now() - begun).toBeGreaterThan(1_900);

    // On a busy machine the projector can need more than two seconds. The read then rightly gets "not yet" again.
    await until(async () => {
      await paused(served);
      const { revision: next } = (await add(id)).body;
      const waiting = read(next);
      await resumed(served);
      const { status, body } = await waiting;
      expect(body).toMatchObject(status === 503 ? { type: '/problems/not-yet' } : { revision: next, used: next });
      return status === 200;
    }, 20_000);
    await other.stop();
  });

  it('gets "not yet" for a revision after the last event', async () => {
    const id = await founded(served, { by: key });
    const { status, body } = await ask('GET', path(id, '?atLeast=9'));
    expect([status, body.type]).toEqual([503, '/problems/not-yet']);
  });

  it('gets 429 if 64 reads of the same caller already wait; another caller still waits', async () => {
    const id = await founded(served, { by: key });
    await settled(served);
    const another = await served.key();
    const read = (by: string) => ask('GET', path(id, '?atLeast=9'), { key: by });
    const answers = await Promise.all([...Array.from({ length: 66 }, () => read(key)), read(another)]);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.map(({ body, headers }) => [body.type, headers['retry-after']])).toEqual(
      Array(2).fill(['/problems/too-many-at-once', '2']),
    );
    expect(answers.filter(({ body }) => body.type === '/problems/not-yet')).toHaveLength(65);
    expect(answers.at(-1)!.status).toBe(503);
  });

  it('ends when its client disconnects', async () => {
    const id = await founded(served, { by: key });
    await settled(served);
    const leaving = new AbortController();
    const options = { headers: { Authorization: `Bearer ${key}` }, signal: leaving.signal };
    const reads = Array.from({ length: 65 }, () => fetch(`${served.url}${path(id, '?atLeast=9')}`, options));
    expect((await Promise.race(reads)).status).toBe(429); // the other 64 wait
    leaving.abort();
    await Promise.allSettled(reads);
    await pause(200); // until the process has noticed that the connections are closed
    expect((await ask('GET', path(id, '?atLeast=9'))).status).toBe(503);
  });

  it('gets 404 at once for an organization that is missing, or that the caller may not read', async () => {
    expect((await inTime(1_000, ask('GET', path(randomUUID(), '?atLeast=9')))).status).toBe(404);
    const stranger = await served.key({ organization: randomUUID() });
    const id = await founded(served, { by: key });
    expect((await inTime(1_000, ask('GET', path(id, '?atLeast=9'), { key: stranger }))).status).toBe(404);
  });
});

describe('A query about an organization whose stream the projector has parked', () => {
  it('is answered from the events instead of the read model, on the fast path and on the Nest route', async () => {
    const id = await founded(served, { by: key });
    await add(id);
    await settled(served);
    await ask('GET', path(id, '/entitlements/users')); // cached
    await onTables(
      served,
      `insert into parked (view, edition, stream, revision, error, attempts, since, released)
       select view, edition, stream, 1, 'a spec', 4, at, 0 from documents where stream = 'organization-${id}'`,
    );
    await onTables(
      served,
      `update documents set state = replace(state, '"name":"Acme"', '"name":"Old"') where stream = 'organization-${id}'`,
    );
    await onTables(served, 'update editions set commits = commits + 1'); // as each commit of the projector does
    expect((await ask('GET', path(id))).body).toMatchObject({ name: 'Acme', members: [{ role: 'member' }] });
    for (const rest of ['/entitlements/users', '/entitlements/users?'])
      expect((await ask('GET', path(id, rest))).body).toMatchObject({ revision: 1, used: 1 });
    expect((await ask('GET', path(id, '/standing'))).body).toMatchObject({ organization: id, parked: true });
    await onTables(served, `delete from parked where stream = 'organization-${id}'`);
    expect((await ask('GET', path(id, '/standing'))).body).not.toHaveProperty('parked');
  });
});

describe('P7: Unreadable event in the stream of an organization', () => {
  it('blocks only that organization; its earlier revisions stay readable, and operators can see the event', async () => {
    const poisoned = await serving();
    const by = await poisoned.key();
    const at = (method: string, where: string, body?: object) => poisoned.ask(method, where, { key: by, body });
    const [sick, well] = [await founded(poisoned, { by, name: 'Sick' }), await founded(poisoned, { by, name: 'Well' })];
    await settled(poisoned);
    // caches the organization for the fast path
    for (const id of [sick, well]) await at('GET', path(id, '/entitlements/users'));
    const bogus = { id: randomUUID(), type: 'Bogus', data: { chk_: 'secret words' }, metadata: {} };
    await poisoned.charter.log.append(organizationStream(sick), [bogus], { expected: 0n });
    await settled(poisoned);

    const member = { user: randomUUID(), role: 'member' };
    const commands = [
      await at('POST', path(sick, '/members'), member),
      await at('PATCH', path(sick), { name: 'Better' }),
      await at('POST', path(sick, '/preview'), { commands: [{ type: 'EnableProduct' }] }),
    ];
    const questions = [];
    for (const rest of ['', '/entitlements', '/entitlements/users', '/entitlements/users?', '?asOf=1'])
      questions.push(await at('GET', path(sick, rest)));
    for (const { status, body, headers, text } of [...commands, ...questions]) {
      expect([status, body.type, body.revision]).toEqual([500, '/problems/unreadable-history', 1]);
      expect(body.instance).toBe(headers['request-id']);
      expect(text).not.toMatch(/secret|Bogus|at .*\.ts/);
      expect(poisoned.entries().filter(({ request }) => request === body.instance)).toHaveLength(1);
    }
    expect((await at('GET', path(sick, '?asOf=0'))).body.name).toBe('Sick');
    expect((await at('POST', path(well, '/members'), member)).status).toBe(201);
    expect((await at('GET', path(well, '/entitlements/users'))).body.used).toBe(1);
    expect((await at('GET', '/api/v1/organizations')).body.organizations).toHaveLength(2);

    poisoned.clock.advance(10_000); // after this time, the projector does not retry any more
    for (let tries = 0; tries < 3; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 250));
      poisoned.clock.advance(10_000);
    }
    expect((await at('GET', '/health/ready')).body).toMatchObject({
      status: 'ready',
      checks: { projection: { parked: 1, parkedAt: [{ type: 'Bogus', revision: 1, position: expect.any(String) }] } },
    });
    const metrics = (await at('GET', '/metrics')).text;
    expect(metrics).toMatch(/^charter_parked_streams 1$/m);
    expect(metrics).toMatch(/^charter_parked_total\{view="organizations"\} 1$/m);
    const alarms = poisoned.entries().filter(({ msg }) => msg === 'a stream was parked');
    expect(alarms).toMatchObject([
      { level: 50, type: 'Bogus', stream: organizationStream(sick), revision: '1', position: expect.any(String) },
    ]);
    await poisoned.close();
  });
});
