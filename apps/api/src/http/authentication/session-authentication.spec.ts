import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Account, Session } from '@charter/identity';
import { sessionAuthenticator } from './session-authentication';

const BEGAN = Date.parse('2026-11-25T10:00:00.000Z');
const MINUTE = 60_000;
const account = { id: 'a-1', role: null, state: 'active' } as Account;
const session = {
  id: 's-1',
  used: new Date(BEGAN).toISOString(),
  began: new Date(BEGAN).toISOString(),
  organization: null,
} as Session;

/** Creates an authenticator for a database with one session. `store` counts the lookups, and `clock` sets the time. */
function authenticating(sessionIdle = 30_000) {
  const clock = { now: BEGAN };
  const store = {
    lookups: 0,
    stamp: 1,
    found: { session, account } as { session: Session; account: Account } | undefined,
  };
  const sessions = {
    stamp: () => store.stamp,
    touch: (_id: string, at: number) => {
      store.found = { session: { ...session, used: new Date(at).toISOString() }, account };
      return Promise.resolve();
    },
    find: () => {
      store.lookups += 1;
      return Promise.resolve(store.found);
    },
  };
  const authenticator = sessionAuthenticator(
    { people: { sessions } } as never,
    { sessionIdle, sessionMax: 60 * MINUTE },
    { sessionHashOf: () => 'hash' },
    () => clock.now,
  );
  return { authenticator, clock, store };
}
const withCookie = (cookie: string) => Object.assign(new IncomingMessage(new Socket()), { headers: { cookie } });
const untilNextTick = () => new Promise((resolve) => setImmediate(resolve));

describe('A session', () => {
  it('is looked up once for requests with the same cookies, and once more after a change of the stamp', async () => {
    const { authenticator, store } = authenticating();
    const request = withCookie('charter=1; theme=dark');
    const caller = await authenticator.identify(request);
    expect([authenticator.recall(request), await authenticator.identify(request)]).toEqual([caller, caller]);
    expect(store.lookups).toBe(1);
    store.stamp = 2;
    store.found = undefined;
    await untilNextTick();
    expect(authenticator.recall(request)).toBeUndefined();
    await expect(authenticator.identify(request)).rejects.toMatchObject({ status: 401 });
  });

  it('ends on time although it is cached', async () => {
    const { authenticator, clock } = authenticating();
    const request = withCookie('charter=1');
    await authenticator.identify(request);
    clock.now = BEGAN + 29_999;
    expect(authenticator.recall(request)).toBeDefined();
    clock.now = BEGAN + 30_000;
    expect(authenticator.recall(request)).toBeUndefined();
    await expect(authenticator.identify(request)).rejects.toMatchObject({ status: 401 });
  });

  it('stays open after a use, even if the previous lookup came too early to store a new last use', async () => {
    const { authenticator, clock } = authenticating(2 * MINUTE);
    const request = withCookie('charter=1');
    clock.now = BEGAN + 59_000;
    await authenticator.identify(request);
    clock.now = BEGAN + 115_000;
    if (!authenticator.recall(request)) await authenticator.identify(request);
    clock.now = BEGAN + 175_000;
    await expect(authenticator.identify(request)).resolves.toMatchObject({ actor: { id: 'a-1' } });
  });

  it('is not cached for a header of more than 1,000 characters, so that headers cannot fill the memory', async () => {
    const { authenticator, store } = authenticating();
    const request = withCookie(`charter=1; more=${'x'.repeat(1_000)}`);
    await authenticator.identify(request);
    await authenticator.identify(request);
    expect([store.lookups, authenticator.recall(request)]).toEqual([2, undefined]);
  });
});
