import { verifyChain } from '@charter/integrity';
import { done, founded, path, newId } from '../support/requests/organizations';
import { browser, mailsOf, person, signedIn } from '../support/sign-in/people';
import { eventsOf, paused, resumed, type Served, serving, settled, until } from '../support/serving';

const HOUR = 3_600_000;

let served: Served;
let key: string;
let id: string;
beforeEach(async () => {
  served = await serving();
  key = await served.key();
  id = await founded(served, { by: key });
});
afterEach(() => served.close());

const ask = (method: string, rest: string, body?: object) => served.ask(method, path(id, rest), { key, body });
const recorded = async () =>
  (await eventsOf(served, `organization-${id}`)).map(({ metadata }) => (metadata as { at: string }).at);

describe('N8: Clock that jumps', () => {
  it.each([
    ['an hour ahead', [HOUR]],
    ['an hour back', [-HOUR]],
    ['back and ahead, and by a second', [-HOUR, 2 * HOUR, -HOUR, 1_000, -1_000]],
  ])(
    '%s does not change the order of events: their moments still ascend, and the hash chain is intact',
    async (_, jumps) => {
      await done(served, key, id, ['POST', '/members', { user: newId(), role: 'member' }]);
      for (const jump of jumps) {
        served.clock.advance(jump);
        await done(served, key, id, ['POST', '/members', { user: newId(), role: 'member' }]);
      }
      const moments = await recorded();
      expect(moments).toEqual(moments.toSorted());
      expect(moments).toHaveLength(2 + jumps.length);
      expect((await verifyChain(await eventsOf(served, `organization-${id}`))).ok).toBe(true);
      const { body } = await ask('GET', `/entitlements/users?atLeast=${moments.length - 1}`);
      expect(body).toMatchObject({ used: 1 + jumps.length, revision: moments.length - 1 });
      const past = await ask('GET', `/entitlements/users?asOf=${encodeURIComponent(moments.at(-1)!)}`);
      expect(past.body).toMatchObject({ used: 1 + jumps.length });
    },
  );

  it.each([-HOUR, HOUR])(
    'by %i ms causes no negative lag and no negative metric, and the service stays ready',
    async (jump) => {
      await settled(served);
      served.clock.advance(jump);
      await done(served, key, id, ['POST', '/members', { user: newId(), role: 'member' }]);
      await settled(served);
      const { headers } = await ask('GET', '/entitlements/users');
      expect(Number(headers['charter-lag'])).toBeGreaterThanOrEqual(0);
      expect(Number(headers['charter-lag'])).toBeLessThan(60);
      expect((await served.ask('GET', '/health/ready')).status).toBe(200);
      const { text } = await served.ask('GET', '/metrics');
      expect([...text.matchAll(/^charter_\S+ (-[\d.]+)$/gm)].map(([line]) => line)).toEqual([]);
    },
  );

  it('set back by an hour delays neither a pause nor a resumption of the projection', async () => {
    await settled(served);
    served.clock.advance(-HOUR);
    await paused(served);
    await resumed(served);
  });

  it('set back by an hour does not hide the lag of a read model that makes no progress', async () => {
    await settled(served);
    await paused(served);
    served.clock.advance(-HOUR);
    await done(served, key, id, ['POST', '/members', { user: newId(), role: 'member' }]);
    await until(() => served.runtime.projection.now().lagSeconds > 1);
    await resumed(served);
  });

  it('executes a change as its preview has shown it, although the last event is later than the clock', async () => {
    served.clock.advance(HOUR);
    await done(served, key, id, ['PUT', '/plan', { line: 'second', plan: 'solo' }]);
    served.clock.advance(-HOUR);
    const commands = [{ type: 'EndPlan', data: { line: 'second' } }];
    const { status, body } = await ask('POST', '/preview', { commands });
    expect(status).toBe(200);
    expect((await ask('POST', '/commands', { commands, shown: body.shown })).status).toBe(200);
  });

  it('ends no session at once; a session ends when it reaches its limits according to the new time', async () => {
    const ada = await person(served);
    await done(served, key, id, ['POST', '/members', { user: ada.id, role: 'member' }]);
    const hers = await signedIn(served, ada);
    const isIn = async () => (await hers.get(path(id, '/entitlements/users'))).status === 200;
    served.clock.advance(-HOUR);
    expect(await isIn()).toBe(true);
    served.clock.advance(2 * HOUR);
    expect(await isIn()).toBe(true);
    served.clock.advance(25 * HOUR); // longer than the idle time of a session
    expect(await isIn()).toBe(false);
    served.clock.advance(-25 * HOUR);
    const back = await signedIn(served, ada);
    expect((await back.get(path(id, '/entitlements/users'))).status).toBe(200);
  });

  it('locks out no person for longer than the limits of attempts, even if the clock was set back', async () => {
    const ada = await person(served);
    const here = await browser(served);
    served.clock.advance(24 * HOUR);
    for (let round = 0; round < 11; round += 1) await here.logIn(ada.email!, 'wrong');
    for (let round = 0; round < 21; round += 1) await here.send('POST', '/forgot', { email: ada.email });
    expect((await here.logIn(ada.email!)).status).toBe(429);
    await served.runtime.backgroundWork.settled();
    served.clock.advance(-24 * HOUR);
    expect((await here.logIn(ada.email!)).status).toBe(204);
    await here.send('POST', '/forgot', { email: ada.email });
    expect((await mailsOf(served, ada)).filter(({ kind }) => kind === 'reset')).toHaveLength(4);
  });
});
