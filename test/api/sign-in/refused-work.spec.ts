import { randomUUID } from 'node:crypto';
import type { EventLog } from '@charter/event-log';
import { NO_ACCOUNT } from '@charter/identity';
import type * as threads from '../../../libs/application/src/accounts/hashing-threads';
import type { HashingThreads } from '../../../libs/application/src/accounts/hashing-threads';
import { accountEventsOf, browser, PASSWORD, person } from '../../support/sign-in/people';
import { withFaults } from '../../support/stores/faults';
import { eventsOf, type Served, serving, type Stores, until } from '../../support/serving';

// The real threads; the spec counts the jobs that the process gives to them.
const mockCounted = { verified: 0, hashed: 0 };
jest.mock('../../../libs/application/src/accounts/hashing-threads', () => {
  const real = jest.requireActual<typeof threads>('../../../libs/application/src/accounts/hashing-threads');
  return {
    hashingThreads: (count: number): HashingThreads => {
      const { hash, verify, close } = real.hashingThreads(count);
      return {
        hash: (...given) => ((mockCounted.hashed += 1), hash(...given)),
        verify: (...given) => ((mockCounted.verified += 1), verify(...given)),
        close,
      };
    },
  };
});
const hashing = () => ({ ...mockCounted });
/**
 * Sends a sign-in that is refused. Returns how often argon2 verified and hashed, and which functions of the stores were
 * called.
 */
async function workOf(body: object) {
  const before = hashing();
  const { during, after } = await callsOf('/login', body, 401);
  const now = hashing();
  return { verified: now.verified - before.verified, hashed: now.hashed - before.hashed, calls: [...during, ...after] };
}

/** The calls of the stores, in order. */
const calls: string[] = [];
/** Wraps the object; adds each call of the named functions to `calls`. */
function noted<Thing extends object>(thing: Thing, name: string, functions: readonly string[]): Thing {
  return new Proxy(thing, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]): unknown => {
        if (functions.includes(String(key))) calls.push(`${name}.${String(key)}`);
        return (value as (...given: unknown[]) => unknown).apply(target, given);
      };
    },
  });
}
const fails = { append: false };
/** The milliseconds by which the spec has moved the clock of the service. */
let moved = 0;
const between = ({ catalogue, log, database }: Stores): Stores => {
  const append: EventLog['append'] = (...given) =>
    fails.append && given[0].startsWith('account-')
      ? Promise.reject(new Error('The disk is full.'))
      : log.append(...given);
  const { people, attempts, mails, deferred } = database;
  return {
    catalogue,
    log: noted(withFaults(log, { append }), 'log', ['append']),
    database: {
      ...database,
      // PostgreSQL has a clock of its own, which `served.clock` does not move.
      ...(database.now && { now: async () => (await database.now!()) + moved }),
      attempts: noted(attempts, 'attempts', ['count', 'takeBack']),
      mails: noted(mails, 'mails', ['enqueue']),
      deferred: noted(deferred, 'deferred', ['add']),
      people: {
        ...people,
        accounts: noted(people.accounts, 'accounts', ['byEmail', 'byUsername', 'byId']),
        links: noted(people.links, 'links', ['replace']),
      },
    },
  };
};

let served: Served;
beforeAll(async () => {
  served = await serving({ between, environment: { TRUST_PROXY: '127.0.0.1' } });
});
afterAll(() => served.close());

let next = 0;
/**
 * Sends a request, and returns the calls of the stores that it causes. `during`: the calls until the background work
 * is stored, or all calls if there is none; `after`: the calls of the background work.
 */
async function callsOf(path: '/login' | '/forgot', body: object, status: number) {
  const here = await browser(served, `198.51.100.${(next += 1)}`);
  await served.runtime.backgroundWork.settled();
  calls.length = 0;
  expect((await here.send('POST', path, body)).status).toBe(status);
  await served.runtime.backgroundWork.settled();
  const all = calls.splice(0);
  const stored = all.includes('deferred.add') ? all.indexOf('deferred.add') + 1 : all.length;
  return { during: all.slice(0, stored), after: all.slice(stored) };
}

const WRONG = 'not the password at all';
/** The cases of A1 whose body has a text as username, which could name an account. */
async function branches(): Promise<Readonly<Record<string, { username: string; password: string }>>> {
  const known = await person(served, { username: `known-${randomUUID().slice(0, 8)}` });
  const [disabled, invited, google, erased] = [
    await person(served, { state: 'disabled' }),
    await person(served, { state: 'invited', password: null }),
    await person(served, { password: null }),
    await person(served),
  ];
  await served.charter.database.people.accounts.erase(erased.id, served.clock.now());
  return {
    'unknown address': { username: `${randomUUID()}@people.example`, password: WRONG },
    'unknown username': { username: `unknown-${randomUUID().slice(0, 8)}`, password: WRONG },
    'wrong password by address': { username: known.email!, password: WRONG },
    'wrong password by username': { username: known.username!, password: WRONG },
    disabled: { username: disabled.email!, password: PASSWORD },
    invited: { username: invited.email!, password: PASSWORD },
    'Google only': { username: google.email!, password: PASSWORD },
    erased: { username: erased.email!, password: PASSWORD },
    'empty password': { username: known.email!, password: '' },
    'over-long password': { username: known.email!, password: 'x'.repeat(129) },
    'malformed address': { username: '@@people..example', password: WRONG },
  };
}

describe('A3: A refused sign-in', () => {
  it('verifies exactly one hash and makes no new hash in each of eleven cases of A1', async () => {
    const bodies = await branches();
    // the first sign-in in a process also computes the hash for the passwords of unknown accounts
    await callsOf('/login', bodies['unknown address']!, 401);
    for (const [branch, body] of Object.entries(bodies))
      expect([branch, await workOf(body)]).toMatchObject([branch, { verified: 1, hashed: 0 }]);
  });

  it('verifies no hash and reads no account if the username or the password is not a text', async () => {
    const username = (await person(served)).email!;
    for (const body of [
      { username: [username], password: PASSWORD },
      { username, password: [PASSWORD] },
    ])
      expect(await workOf(body)).toEqual({ verified: 0, hashed: 0, calls: [] });
  });
});

describe('A19: Work of a refused request', () => {
  it('at `POST /login` is the same for known and unknown names, before and after the answer', async () => {
    const bodies = Object.entries(await branches());
    const byUsername = (name: string) => name.replace('accounts.byUsername', 'accounts.byEmail');
    const works = new Map<string, object>();
    for (const [branch, body] of bodies) {
      const { during, after } = await callsOf('/login', body, 401);
      works.set(branch, { during: during.map(byUsername), after });
    }
    const first = works.get('unknown address');
    expect(first).toMatchObject({ after: ['log.append'] });
    for (const [branch, work] of works) expect([branch, work]).toEqual([branch, first]);
  });

  it('is the same for throttled requests with known and with unknown names', async () => {
    const throttled = async (username: string) => {
      for (let round = 0; round < 10; round += 1) await callsOf('/login', { username, password: WRONG }, 401);
      return [
        await callsOf('/login', { username, password: WRONG }, 429),
        await callsOf('/login', { username, password: WRONG }, 429),
      ];
    };
    const known = await throttled((await person(served)).email!);
    expect(await throttled('unknown@a19.example')).toEqual(known);
    // the throttling is recorded once in 15 minutes
    expect(known.map(({ after }) => after)).toEqual([['log.append'], []]);
  });

  it('contains the same calls of the stores at POST /forgot for an unknown address as for a known address', async () => {
    const writes = (all: readonly string[]) => all.filter((call) => !/links|mails|attempts/.test(call));
    const counted = ({ during, after }: Awaited<ReturnType<typeof callsOf>>) => [
      during,
      writes(after),
      after.filter((call) => /links|mails|attempts/.test(call)).length,
    ];
    const known = counted(await callsOf('/forgot', { email: (await person(served)).email }, 204));
    const disabled = await person(served, { state: 'disabled' });
    for (const email of ['unknown@a19.example', disabled.email, 'no address'])
      expect([email, counted(await callsOf('/forgot', { email }, 204))]).toEqual([email, known]);
    expect(known[0]).toEqual(['attempts.count', 'deferred.add']);
  });

  it('includes a record of each sign-in with an unknown name: the events together count all attempts', async () => {
    await served.runtime.backgroundWork.settled();
    const stream = `account-${NO_ACCOUNT}`;
    const before = (await eventsOf(served, stream)).length;
    const pages = await Promise.all(Array.from({ length: 5 }, (_, n) => browser(served, `198.51.101.${n}`)));
    await Promise.all(pages.map((page) => page.logIn(`${randomUUID()}@a19.example`, WRONG)));
    await served.runtime.backgroundWork.settled();
    const events = (await eventsOf(served, stream)).slice(before);
    const attempts = events.map(({ data }) => (data as { attempts: number }).attempts);
    expect(attempts.reduce((sum, count) => sum + count, 0)).toBe(5);
    expect(events[0]).toMatchObject({ type: 'SignInFailed', data: { method: 'password', reason: 'unknown' } });
  });

  it('includes an audit entry, which is stored while the event log fails, and recorded later', async () => {
    const ada = await person(served);
    fails.append = true;
    const here = await browser(served, '198.51.102.1');
    expect((await here.logIn(ada.email!, WRONG)).status).toBe(401);
    await served.runtime.deferred.settled();
    fails.append = false;
    expect(await served.charter.database.deferred.waiting()).toBe(1);
    moved = 31_000;
    served.clock.advance(moved);
    await until(async () => (await accountEventsOf(served, ada)).length === 1);
  });
});
