import { setTimeout as pause } from 'node:timers/promises';
import type { Answer } from '../support/requests/http';
import { done, founded, path, newId } from '../support/requests/organizations';
import { person, signedIn } from '../support/sign-in/people';
import { type Served, settled, until } from '../support/serving';
import { expectClearOutcomes, type BehindProxy, serviceBehindProxy } from './broken-store';

let setup: BehindProxy;
beforeAll(async () => void (setup = await serviceBehindProxy()), 60_000);
afterEach(() => setup.proxy.mend());
afterAll(() => setup.close());

const unknown = (operations: readonly { outcome: string }[]) =>
  operations.filter(({ outcome }) => outcome === 'unknown').length;
const accepted = (operations: readonly { outcome: string }[]) =>
  operations.filter(({ outcome }) => outcome === 'acknowledged').length;

/**
 * The maximum time of an answer in milliseconds. It is higher than the five seconds of the nightly specs, because other
 * specs run in parallel.
 */
const IN_TIME_MS = 15_000;

describe('R3: Event store', () => {
  it.each<[string, (setup: BehindProxy) => unknown, number]>([
    ['that refuses connections', ({ proxy }) => proxy.refuse(), 1_000],
    ['that accepts connections and never answers', ({ proxy }) => proxy.swallow(), 6_000],
  ])(
    '%s delays no answer by more than 15 seconds, and the service recovers within 10 seconds',
    async (_, trouble, ms) => {
      const { proxy, during, recovered, settle } = setup;
      const operations = await during(async () => {
        await recovered();
        await pause(700);
        await trouble(setup);
        await pause(ms);
      });
      expectClearOutcomes(operations, IN_TIME_MS);
      expect(accepted(operations)).toBeGreaterThan(0);
      expect(unknown(operations)).toBeGreaterThan(10);
      await proxy.mend();
      expect(await recovered()).toBeLessThan(10_000);
      await settle();
    },
    60_000,
  );

  it('that often loses its connections still lets requests succeed; no command is lost or executed twice', async () => {
    const { proxy, during, settle } = setup;
    proxy.reset(0.01);
    const operations = await during(() => pause(1_500));
    await proxy.mend();
    expectClearOutcomes(operations, IN_TIME_MS);
    expect(accepted(operations)).toBeGreaterThan(10);
    await settle();
  }, 60_000);
});

describe('Service while the event store does not answer', () => {
  it('answers reads with an API key from the read model, with its age, and refuses writes, previews and reads of members', async () => {
    const { served, proxy } = setup;
    const { key, id, member } = await limitedOrganization(served);
    const ask = () => served.ask('GET', path(id, '/entitlements/users'), { key });
    const before = await ask();
    expect(Number(before.headers['charter-lag'])).toBeLessThan(1);

    await proxy.refuse();
    await until(async () => Number((await ask()).headers['charter-lag']) > 3, 10_000);
    const answer = await ask();
    expect([answer.status, answer.body]).toEqual([200, before.body]);
    const later = Number((await ask()).headers['charter-lag']);
    expect(later).toBeGreaterThan(Number(answer.headers['charter-lag']) - 0.001);

    const refused = [
      await served.ask('POST', path(id, '/members'), { key, body: { user: newId(), role: 'member' } }),
      await served.ask('POST', path(id, '/preview'), { key, body: { commands: [{ type: 'DisableProduct' }] } }),
      // the process reads the role from the person's stream, because the read model may still contain an ended role
      await member.get(path(id, '/entitlements/users')),
    ];
    expect(refused.map(({ status }) => status)).toEqual([503, 503, 503]);
    expect(refused.every(({ headers }) => headers['retry-after'] !== undefined)).toBe(true);

    await proxy.mend();
    await until(async () => Number((await ask()).headers['charter-lag']) < 1, 15_000);
  }, 60_000);
});

describe('Evaluation of flags while the event store does not answer', () => {
  it('returns the last values with their age to an API key; a session gets 503, and without a valid read model every caller gets 503', async () => {
    const { served, proxy } = setup;
    const { key, id, member } = await limitedOrganization(served);
    const body = { context: { targetingKey: id } };
    const routes = ['/ofrep/v1/evaluate/flags', '/ofrep/v1/evaluate/flags/limit.users'];
    const byKey = (at: string) => served.ask('POST', at, { key, body });
    const bySession = (at: string) => member.send('POST', at, body);
    const flagsIn = (answer: Answer) => (answer.body.flags as unknown) ?? answer.body; // the list also has a ticket
    const before = await Promise.all(routes.map(byKey));
    expect(before.map(({ status }) => status)).toEqual([200, 200]);

    await proxy.refuse();
    await until(async () => Number((await byKey(routes[0]!)).headers['charter-lag']) > 3, 10_000);
    for (const [at, route] of routes.entries()) {
      const answer = await byKey(route);
      expect([answer.status, flagsIn(answer)]).toEqual([200, flagsIn(before[at]!)]);
      expect(Number(answer.headers['charter-lag'])).toBeGreaterThan(3);
    }
    const refused = await Promise.all(routes.map(bySession));
    const now = served.runtime.projection.now();
    const untrusted = jest.spyOn(served.runtime.projection, 'now').mockReturnValue({ ...now, phase: 'rebuild-needed' });
    refused.push(...(await Promise.all(routes.flatMap((route) => [byKey(route), bySession(route)]))));
    untrusted.mockRestore();
    expect(refused.map(({ status, headers }) => [status, headers['retry-after'] !== undefined])).toEqual(
      refused.map(() => [503, true]),
    );
    expect(refused.map((answer) => typeof (answer.body as { errorCode?: unknown }).errorCode)).toEqual(
      refused.map(() => 'string'),
    );

    await proxy.mend();
    await until(async () => Number((await byKey(routes[0]!)).headers['charter-lag']) < 1, 15_000);
  }, 60_000);
});

/** An organization with a limit of seven users, an API key for it, and the browser of a member. */
async function limitedOrganization(served: Served) {
  const key = await served.key();
  const id = await founded(served, { by: key });
  await done(served, key, id, ['PUT', '/limits', { users: 7 }]);
  const member = await signedIn(served, await memberOf(served, id, key));
  await settled(served);
  return { key, id, member };
}

/** Creates a person with a password, and adds the person to the organization as a member. */
async function memberOf(served: Served, id: string, key: string) {
  const one = await person(served);
  await done(served, key, id, ['POST', '/members', { user: one.id, role: 'member' }]);
  return one;
}

describe('R4, L3: Connection to the event store that is cut between the commit and the answer', () => {
  it('costs the caller at most one retry (ten cases)', async () => {
    const { facade, during, settle } = setup;
    const operations = await during(async () => {
      for (let time = 0; time < 10; time += 1) {
        await facade.order('order', 'cut');
        await until(async () => (await facade.order('taken', 'cut')) === time + 1, 10_000);
        await pause(100);
      }
    });
    expectClearOutcomes(operations, IN_TIME_MS);
    expect(accepted(operations)).toBeGreaterThan(10);
    await settle();
  }, 60_000);
});

describe('P1, P7: Event that is not JSON, written by another program,', () => {
  it('blocks only the organization of its stream', async () => {
    const { served, facade } = setup;
    const key = await served.key();
    const [spoilt, well] = [await founded(served, { by: key }), await founded(served, { by: key })];
    const add = (id: string) =>
      served.ask('POST', path(id, '/members'), { key, body: { user: newId(), role: 'member' } });
    await facade.order('garble', `organization-${spoilt}`, '1');
    const { log } = served.charter;
    const strange = { id: newId(), type: 'MemberAdded', data: {} };
    await log.append(`organization-${spoilt}`, [strange], { expected: 0n });
    expect((await add(well)).status).toBe(201);

    await until(async () => Number((await served.ask('GET', '/health/ready')).body.checks.projection.parked) === 1);
    await served.runtime.projection.whenProcessed(await log.head(), { timeout: 10_000 });
    const answer = await served.ask('GET', path(well, '/entitlements/users'), { key });
    expect([answer.status, answer.body.used]).toEqual([200, 1]);
    expect(await add(spoilt)).toMatchObject({
      status: 500,
      body: { type: '/problems/unreadable-history', revision: 1 },
    });
    expect(served.lines.join('')).toMatch(new RegExp(`Revision 1 of organization-${spoilt} cannot be read`));
  }, 30_000);
});
