import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { EventLog } from '@charter/event-log';
import { serviceForSpecs } from '../../support/requests/http-client';
import { done, founded, path } from '../../support/requests/organizations';
import { withFaults } from '../../support/stores/faults';
import { paused, resumed, type Served, serving, settled, until } from '../../support/serving';
import { tag } from '../../support/tags';

let served: Served;
let key: string;
const ask = serviceForSpecs((...begun) => ([served, key] = begun));

const reads = ['', '/entitlements', '/entitlements/users', '/notification-recipients'];

describe('Read with `asOf`', () => {
  it('shows the state at a revision', async () => {
    const id = await founded(served, { by: key, name: 'First' });
    await done(served, key, id, ['PATCH', '', { name: 'Second' }], ['PUT', '/plan', { line: 'second', plan: 'solo' }]);
    const names = [];
    for (const revision of [0, 1, 2]) names.push((await ask('GET', path(id, `?asOf=${revision}`))).body.name);
    expect(names).toEqual(['First', 'Second', 'Second']);
    expect((await ask('GET', path(id, '/entitlements?asOf=1'))).body).toMatchObject({
      revision: 1,
      limits: { users: { limit: null } },
    });
    expect((await ask('GET', path(id, '/entitlements/users?asOf=2'))).body).toMatchObject({ revision: 2, limit: 1 });
  });

  it('shows the state at a moment, to the millisecond', async () => {
    const id = await founded(served, { by: key, name: 'First' });
    served.clock.advance(60_000);
    await done(served, key, id, ['PATCH', '', { name: 'Second' }]);
    const renamed = (await ask('GET', path(id, '/entitlements'))).body.at as string;
    const just = new Date(Date.parse(renamed) - 1).toISOString();
    expect((await ask('GET', path(id, `?asOf=${renamed}`))).body.name).toBe('Second');
    expect((await ask('GET', path(id, `?asOf=${just}`))).body.name).toBe('First');
    expect((await ask('GET', path(id, `?asOf=${just.replace('Z', '%2B00:00')}`))).body.name).toBe('First');
    expect((await ask('GET', path(id, '?asOf=2999-01-01T00:00:00Z'))).body.name).toBe('Second');
  });

  it.each(reads)(
    'at the path %j gets 404 for a moment before the founding, and 400 for a revision after the last one',
    async (rest) => {
      const id = await founded(served, { by: key });
      const before = await ask('GET', path(id, `${rest}?asOf=1999-01-01T00:00:00Z`));
      expect([before.status, before.body.type]).toEqual([404, '/problems/no-such-organization']);
      const { at } = (await ask('GET', path(id, '/entitlements'))).body as { at: string };
      expect(before.body.detail).toBe(`The organization was founded at ${at}. It did not exist before.`);
      const beyond = await ask('GET', path(id, `${rest}?asOf=1`));
      expect([beyond.status, beyond.body.type, beyond.body.last]).toEqual([400, '/problems/unknown-revision', 0]);
      expect((await ask('GET', path(randomUUID(), `${rest}?asOf=0`))).status).toBe(404);
    },
  );

  it('of a moment before the founding gets 404 with the time of the founding, also for a difference and for the single sign-on settings', async () => {
    const id = await founded(served, { by: key });
    const { at } = (await ask('GET', path(id, '/entitlements'))).body as { at: string };
    const moment = '1999-01-01T00:00:00Z';
    for (const rest of [
      `/diff?from=${moment}&to=${moment}`,
      `/diff?from=${moment}&valid=${moment}`,
      `/single-sign-on?asOf=${moment}`,
      `/single-sign-on?valid=${moment}`,
    ]) {
      const { status, body } = await ask('GET', path(id, rest));
      expect([rest, status, body.type, body.detail]).toEqual([
        rest,
        404,
        '/problems/no-such-organization',
        `The organization was founded at ${at}. It did not exist before.`,
      ]);
    }
    for (const rest of [`/diff?from=${moment}&to=${moment}`, `/single-sign-on?asOf=${moment}`]) {
      const { body } = await ask('GET', path(randomUUID(), rest));
      expect(body.detail).toBe('There is no such organization, or you have no access to it.');
    }
  });

  it.each(['-1', '1.5', '', 'yesterday', '2026-11-21', '2026-13-01T00:00:00Z', '1&asOf=2', '99999999999999999999'])(
    'with the value %j is refused',
    async (asOf) => {
      const id = await founded(served, { by: key });
      const { status, body } = await ask('GET', path(id, `?asOf=${asOf}`));
      expect([status, body.type]).toEqual([400, '/problems/malformed']);
      expect(body.errors[0].path).toBe('asOf');
    },
  );

  it('returns the answer that the service gave at an earlier revision, if the query names this revision or its moment', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 14 }), async (steps) => {
        const id = await founded(served, { by: key, owner: people[0]! });
        const then = new Map<number, string[]>();
        for (const [method, rest, body] of steps) {
          served.clock.advance(1_000);
          await ask(method, path(id, rest), { body }); // the service may refuse this random change
          const answers = [];
          for (const read of reads) answers.push(await ask('GET', path(id, read)));
          then.set(
            answers[1]!.body.revision,
            answers.map(({ text }) => text),
          );
        }
        for (const [revision, texts] of then) {
          const at = JSON.parse(texts[1]!).at as string;
          for (const [index, read] of reads.entries()) {
            expect((await ask('GET', path(id, `${read}?asOf=${revision}`))).text).toBe(texts[index]);
            expect((await ask('GET', path(id, `${read}?asOf=${at}`))).text).toBe(texts[index]);
          }
        }
      }),
      { numRuns: 12, ...(process.env['SEED'] && { seed: Number(process.env['SEED']) }) },
    );
  });
});

describe('Override with an end', () => {
  it('ends on time; the ETag ends with "-e" until the process records the event HardLimitsRestored', async () => {
    const id = await founded(served, { by: key });
    const soon = new Date(served.clock.now() + 3_600_000).toISOString();
    await done(
      served,
      key,
      id,
      ['PUT', '/plan', { line: 'second', plan: 'solo' }],
      ['POST', '/add-ons', { addOn: 'additionalUser', quantity: 3 }],
      ['PUT', '/limits/override', { reason: 'a favour', until: soon }],
    );
    await settled(served);
    const users = () => ask('GET', path(id, '/entitlements/users'));
    expect((await users()).body).toMatchObject({ limit: 4, hard: 2, overridden: true });
    expect((await users()).headers.etag).toBe(tag(3));

    await paused(served); // while the projection is paused, the process does not record the end of the override
    served.clock.advance(3_600_001);
    for (const read of reads)
      expect([read, (await ask('GET', path(id, read))).headers.etag]).toEqual([read, tag(3, '-e')]);
    expect((await users()).body).toMatchObject({ limit: 2, hard: 2, overridden: false, revision: 3 });
    expect((await ask('GET', path(id, '/entitlements/users'), { headers: { 'If-None-Match': tag(3) } })).status).toBe(
      200,
    );
    // at revision 3 the override was in force
    expect((await ask('GET', path(id, '?asOf=3'))).body.limits.override).toBe(true);

    await resumed(served);
    await until(async () => (await users()).body.revision === 4, 20_000);
    expect((await users()).headers.etag).toBe(tag(4));
    expect((await users()).body).toMatchObject({ limit: 2, overridden: false });
    const restored = [];
    for await (const event of served.charter.log.readStream(`organization-${id}`, { from: 4n })) restored.push(event);
    expect(restored).toMatchObject([
      { type: 'HardLimitsRestored', data: { reason: expect.any(String) }, metadata: { actor: { kind: 'system' } } },
    ]);
    // a second event, which would be wrong, would come within this time
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect((await users()).body.revision).toBe(4);
  });

  it('no longer applies after its end, so the next addition meets the limit of the plan again', async () => {
    const id = await founded(served, { by: key });
    const soon = new Date(served.clock.now() + 60_000).toISOString();
    await done(
      served,
      key,
      id,
      ['PUT', '/plan', { line: 'second', plan: 'light' }],
      ['PUT', '/limits', { users: 5 }],
      ['PUT', '/limits/override', { reason: 'a favour', until: soon }],
      ['POST', '/members', { user: randomUUID(), role: 'member' }],
      ['POST', '/members', { user: randomUUID(), role: 'member' }],
      ['POST', '/members', { user: randomUUID(), role: 'member' }],
    );
    served.clock.advance(60_001);
    const { status, body } = await ask('POST', path(id, '/members'), { body: { user: randomUUID(), role: 'member' } });
    expect([status, body.type, body.allowed, body.used]).toEqual([409, '/problems/limit-exceeded', 2, 3]);
  });
});

const people = Array.from({ length: 4 }, () => randomUUID());
const person = fc.constantFrom(...people);
const role = fc.constantFrom('owner', 'admin', 'member');
type Step = readonly [method: string, rest: string, body?: object];
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(person, role).map(([user, role]): Step => ['POST', '/members', { user, role }]),
  fc.tuple(person, role).map(([user, role]): Step => ['PATCH', `/members/${user}`, { role }]),
  person.map((user): Step => ['DELETE', `/members/${user}`]),
  fc
    .constantFrom(['first', 'essential'], ['first', 'enterprise'], ['second', 'solo'], ['second', 'teams'])
    .map(([line, plan]): Step => ['PUT', '/plan', { line, plan }]),
  fc.constantFrom('first', 'second').map((line): Step => ['DELETE', `/plan/${line}`]),
  fc
    .constantFrom('additionalUser', 'qualityAssurance', 'feedback')
    .map((addOn): Step => ['POST', '/add-ons', { addOn }]),
  fc.constantFrom('a.example', 'b.example').map((hostname): Step => ['POST', '/sites', { hostname }]),
  fc.boolean().map((enabled): Step => ['PUT', '/product', { enabled }]),
  fc.constantFrom(true, false, null).map((parallelUse): Step => ['PUT', '/parallel-use', { parallelUse }]),
  fc.integer({ min: 0, max: 9 }).map((users): Step => ['PUT', '/limits', { users }]),
  fc.constant<Step>(['PUT', '/limits/override', { reason: 'a favour' }]),
  fc.constant<Step>(['DELETE', '/limits/override']),
  fc.integer({ min: 0, max: 200_000 }).map((views): Step => ['POST', '/traffic', { month: '2026-01', views }]),
  fc.constant<Step>(['POST', '/close', { reason: 'moved' }]),
  fc.constant<Step>(['POST', '/reopen', { reason: 'back' }]),
);

describe('Many parallel reads of the past', () => {
  it.each(['?asOf=0', '/steps?from=0'])(
    'at %j begin in separate turns of the event loop, so that other requests can run between them',
    async (rest) => {
      let turn = 0;
      const turns: number[] = [];
      const noted = (log: EventLog) =>
        withFaults(log, {
          readStream: (...given) => {
            turns.push(turn);
            return log.readStream(...given);
          },
        });
      const to = await serving({ between: (stores) => ({ ...stores, log: noted(stores.log) }) });
      const by = await to.key();
      const id = await founded(to, { by });
      const all = (at: string) => Promise.all(Array.from({ length: 30 }, () => to.ask('GET', at, { key: by })));
      await all('/health/live'); // opens the connections before the measured requests
      turns.length = 0;
      const count = () => {
        turn += 1;
        counting = setImmediate(count);
      };
      let counting = setImmediate(count);
      const answers = await all(path(id, rest));
      clearImmediate(counting);
      expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
      expect(new Set(turns).size).toBeGreaterThanOrEqual(29); // the first request may share the turn of the second
      await to.close();
    },
  );
});
