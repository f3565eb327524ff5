import { randomUUID } from 'node:crypto';
import { organizationStream } from '@charter/organization';
import { serviceForSpecs } from '../../support/requests/http-client';
import { done, founded, path } from '../../support/requests/organizations';
import { keyId, type Served, settled } from '../../support/serving';
import { tag } from '../../support/tags';

let served: Served;
let key: string;
const ask = serviceForSpecs((...begun) => ([served, key] = begun));

const now = () => new Date(served.clock.now()).toISOString();
const hours = (count: number) => served.clock.advance(count * 3_600_000);

/** Assigns a plan, or ends it (null), as a message of the payment provider does; takes effect at `effectiveAt`. */
const billed = (id: string, plan: string | null, effectiveAt: string) => {
  const [command, message] = [randomUUID(), randomUUID()];
  const data = { line: 'second', effectiveAt, subscription: 's-1' } as const;
  return served.charter.organizations.execute(
    organizationStream(id),
    plan === null ? { type: 'EndPlan', data } : { type: 'AssignPlan', data: { ...data, plan } },
    {
      actor: { kind: 'billing', id: 'stripe', powers: ['billing:write'] },
      ...{ at: now(), command, correlation: command, causation: command, message },
    },
  );
};

/**
 * An organization that gets the plan `solo` one hour after its founding. Six hours after the founding, a message of the
 * payment provider says that the plan has been `teams` since the second hour.
 */
async function corrected() {
  const id = await founded(served, { by: key });
  hours(1);
  await billed(id, 'solo', now());
  hours(1);
  const second = now();
  hours(2);
  const fourth = now();
  hours(2);
  await billed(id, 'teams', second);
  return { id, second, fourth };
}
const planAt = async (id: string, query: string) => {
  const { status, body } = await ask('GET', path(id, query));
  return [status, body.plans?.second?.plan];
};

describe('The state in force at a moment', () => {
  it('follows from all recorded events; with `asOf`, only from the events up to that revision or moment', async () => {
    const { id, second, fourth } = await corrected();
    expect(await planAt(id, `?asOf=${fourth}`)).toEqual([200, 'solo']);
    expect(await planAt(id, `?valid=${fourth}`)).toEqual([200, 'teams']);
    expect(await planAt(id, `?asOf=${fourth}&valid=${fourth}`)).toEqual([200, 'solo']);
    expect(await planAt(id, `?asOf=1&valid=${fourth}`)).toEqual([200, 'solo']);
    expect(await planAt(id, `?valid=${second}`)).toEqual([200, 'teams']); // `valid` is exactly `effectiveAt`
    const before = new Date(Date.parse(second) - 1).toISOString();
    expect(await planAt(id, `?valid=${before}`)).toEqual([200, 'solo']);
    expect(await planAt(id, '?valid=1999-01-01T00:00:00Z')).toEqual([404, undefined]);
    expect(await planAt(id, `?asOf=9&valid=${fourth}`)).toEqual([400, undefined]);
    expect(await planAt(id, '?valid=42')).toEqual([400, undefined]);
    const { body } = await ask('GET', path(id, `/entitlements/users?valid=${fourth}`));
    expect(body).toMatchObject({ revision: 2, limit: 5, because: [{ what: 'second/teams', event: 2 }, {}] });
    expect((await ask('GET', path(id, `/members?valid=${fourth}`))).status).toBe(200);
    expect((await ask('GET', path(id, `/notification-recipients?valid=${fourth}`))).status).toBe(200);
  });

  it('has an ETag that changes with the moment and with each event that is recorded later', async () => {
    const { id, fourth } = await corrected();
    const get = (moment: string, known = '') =>
      ask('GET', path(id, `?valid=${moment}`), { headers: { 'If-None-Match': known } });
    const { etag } = (await get(fourth)).headers;
    expect(etag).toBe(tag(2, `-v${Date.parse(fourth)}`));
    expect((await get(fourth, etag)).status).toBe(304);
    expect((await get(now(), etag)).status).toBe(200);
    expect((await ask('GET', path(id), { headers: { 'If-None-Match': etag! } })).status).toBe(200);
    await billed(id, null, fourth); // ends the plan with a second back-dated message
    const later = await get(fourth, etag);
    expect([later.status, later.headers.etag, later.body.plans.second]).toEqual([
      200,
      tag(3, `-v${Date.parse(fourth)}`),
      null,
    ]);
    expect((await ask('PATCH', path(id), { body: { name: 'Acme' }, headers: { 'If-Match': etag! } })).status).toBe(412);
  });

  it('contains a change only from its effective moment on, even if the event was recorded earlier', async () => {
    const id = await founded(served, { by: key });
    const soon = new Date(served.clock.now() + 240_000).toISOString();
    await billed(id, 'solo', soon);
    expect(await planAt(id, `?valid=${now()}`)).toEqual([200, undefined]);
    expect(await planAt(id, `?valid=${soon}`)).toEqual([200, 'solo']);
  });

  it('of a future moment includes each recorded change that takes effect until that moment', async () => {
    const id = await founded(served, { by: key });
    const ahead = (seconds: number) => new Date(served.clock.now() + seconds * 1_000).toISOString();
    const [overrideEnds, planBegins] = [ahead(120), ahead(240)];
    await done(served, key, id, ['PUT', '/limits/override', { reason: 'a favour', until: overrideEnds }]);
    await billed(id, 'solo', planBegins);
    const justBefore = (moment: string) => new Date(Date.parse(moment) - 1).toISOString();
    const stateAt = async (moment: string) => {
      const { status, body } = await ask('GET', path(id, `?valid=${moment}`));
      return [status, body.limits?.override, body.plans?.second?.plan];
    };
    expect(await stateAt(justBefore(overrideEnds))).toEqual([200, true, undefined]);
    expect(await stateAt(overrideEnds)).toEqual([200, false, undefined]);
    expect(await stateAt(justBefore(planBegins))).toEqual([200, false, undefined]);
    for (const moment of [planBegins, '9999-12-31T23:59:59.999Z'])
      expect(await stateAt(moment)).toEqual([200, false, 'solo']);
    expect((await ask('GET', path(id, '?valid=+010000-01-01T00:00:00Z'))).status).toBe(400);

    const { headers, body } = await ask('GET', path(id, `?valid=${planBegins}`));
    await billed(id, null, planBegins); // a later event changes the state of the future moment
    const again = await ask('GET', path(id, `?valid=${planBegins}`), { headers: { 'If-None-Match': headers.etag! } });
    expect([body.plans.second?.plan, again.status, again.body.plans.second]).toEqual(['solo', 200, null]);
    expect(await stateAt(planBegins)).toEqual([200, false, undefined]);
    const { body: recorded } = await ask('GET', path(id, `?asOf=2&valid=${planBegins}`));
    expect(recorded.plans.second.plan).toBe('solo');
  });
});

describe('I2: the difference between two moments', () => {
  it('marks a correction as back-dated, and names the event and the actor of the correction', async () => {
    const { id, second, fourth } = await corrected();
    const { status, body } = await ask('GET', path(id, `/diff?from=${fourth}`));
    expect(status).toBe(200);
    const cause = {
      revision: 2,
      type: 'PlanAssigned',
      actor: { kind: 'billing', id: 'stripe' },
      at: expect.any(String),
      effectiveAt: second,
      backDated: true,
    };
    expect(body.state).toEqual([
      {
        op: 'replace',
        path: '/plans/second',
        before: expect.objectContaining({ plan: 'solo' }),
        value: expect.objectContaining({ plan: 'teams', effectiveAt: second }),
        causes: [cause],
        causesInAll: 1,
      },
    ]);
    expect(body.state[0].causes[0].at > fourth).toBe(true);
    expect(body).toMatchObject({
      organization: id,
      from: { revision: 1, moment: fourth },
      to: { revision: 2 },
      events: 1,
    });
    expect(body.entitlements.limits.users).toMatchObject({
      before: { limit: 1 },
      after: { limit: 5 },
      causes: [cause],
    });
    expect(body.entitlements.features.matomoIntegration).toMatchObject({ before: false, after: true, causes: [cause] });

    const valid = await ask('GET', path(id, `/diff?from=${fourth}&to=2&valid=${fourth}`));
    expect(valid.body).toMatchObject({ valid: fourth, state: [{ path: '/plans/second', causes: [cause] }] });
    const before = new Date(Date.parse(second) - 1).toISOString();
    expect((await ask('GET', path(id, `/diff?from=1&to=2&valid=${before}`))).body).toMatchObject({
      state: [],
      events: 0,
    });
  });

  it('names the actor of each change, and leaves out changes that were undone', async () => {
    const id = await founded(served, { by: key, name: 'First' });
    const [user, gone] = [randomUUID(), randomUUID()];
    await done(
      ...([served, key, id, ['POST', '/members', { user, role: 'member' }]] as const),
      ['POST', '/members', { user: gone, role: 'member' }],
      ['PATCH', `/members/${user}`, { role: 'admin' }],
      ['DELETE', `/members/${gone}`],
      ['PATCH', '', { name: 'Second' }],
    );
    const { body } = await ask('GET', path(id, '/diff?from=0&to=5'));
    const actor = { kind: 'key', id: await keyId(served, key) };
    expect(body.state).toMatchObject([
      { op: 'replace', path: '/name', before: 'First', value: 'Second', causes: [{ revision: 5, actor }] },
      {
        op: 'add',
        path: `/members/${user}`,
        value: { role: 'admin', productUser: false },
        causes: [{ type: 'MemberAdded' }, { type: 'MemberRoleChanged', actor }],
      },
    ]);
    expect(body.entitlements.limits.users).toMatchObject({ before: { used: 0 }, after: { used: 1 }, causesInAll: 3 });
    const role = await ask('GET', path(id, '/diff?from=2&to=3'));
    expect(role.body.state[0]).toMatchObject({ path: `/members/${user}/role`, before: 'member', value: 'admin' });
  });

  it('names the planned end of a limit override as the cause of the changed limit', async () => {
    const id = await founded(served, { by: key });
    const until = new Date(served.clock.now() + 1_800_000).toISOString();
    await done(
      ...([served, key, id, ['PUT', '/plan', { line: 'second', plan: 'solo' }]] as const),
      ['POST', '/add-ons', { addOn: 'additionalUser', quantity: 3 }],
      ['PUT', '/limits/override', { reason: 'a favour', until }],
    );
    const { body } = await ask('GET', path(id, `/diff?from=3&to=${until}`));
    expect(body.entitlements.limits.users).toMatchObject({
      before: { limit: 4 },
      after: { limit: 2 },
      causes: [{ revision: 3, type: 'HardLimitsOverridden', actor: null, endedAt: until }],
    });
    expect(body).toMatchObject({ state: [], events: 0 });
  });

  it.each([
    ['', 'malformed'],
    ['?from=1&to=0', 'malformed'],
    ['?from=2999-01-01T00:00:00Z&to=0', 'malformed'],
    ['?from=0&to=9', 'unknown-revision'],
    ['?from=9', 'unknown-revision'],
    ['?from=0&valid=1', 'malformed'],
  ])('cannot be requested with the query %j', async (query, reason) => {
    const id = await founded(served, { by: key });
    const { status, body } = await ask('GET', path(id, `/diff${query}`));
    expect([status, body.type]).toEqual([400, `/problems/${reason}`]);
  });
});

describe('I5: verification', () => {
  it('checks the hash chain, compares the read model with a replay, and appends no event', async () => {
    const { id } = await corrected();
    hours(24); // so the next request is the first use of the API key on this day, and Charter records this use
    await ask('GET', path(id));
    await settled(served);
    await served.runtime.backgroundWork.settled();
    const before = await served.charter.log.head();
    const { status, body } = await ask('GET', path(id, '/verify'));
    await served.runtime.backgroundWork.settled();
    expect([status, body]).toEqual([
      200,
      {
        ok: true,
        events: 3,
        head: expect.stringMatching(/^[0-9a-f]{64}$/),
        signed: null,
        readModel: { ok: true, revision: 2 },
      },
    ]);
    expect(await served.charter.log.head()).toBe(before);
  });
});
