import { DatabaseUnavailable } from '@charter/database';
import { founded, path } from '../support/requests/organizations';
import { accountEventsOf, browser, type Browser, person, SESSION, signedIn } from '../support/sign-in/people';
import { type Served, serving, settled, type Stores } from '../support/serving';

/** The function of the session store that fails at present. */
let broken: 'find' | 'stamp' | 'insert' | 'end' | undefined;
const between = (stores: Stores): Stores => {
  const { people } = stores.database;
  const { sessions } = people;
  const find: typeof sessions.find = (hash) =>
    broken === 'find' ? Promise.reject(new DatabaseUnavailable('silent')) : sessions.find(hash);
  const stamp = () => {
    if (broken === 'stamp') throw new DatabaseUnavailable('silent');
    return sessions.stamp!();
  };
  const insert: typeof sessions.insert = (...of) =>
    broken === 'insert' ? Promise.reject(new DatabaseUnavailable('silent')) : sessions.insert(...of);
  const end: typeof sessions.end = (...of) =>
    broken === 'end' ? Promise.reject(new DatabaseUnavailable('silent')) : sessions.end(...of);
  const faulty = { ...people, sessions: { ...sessions, find, stamp, insert, end } };
  return { ...stores, database: { ...stores.database, people: faulty } };
};

let served: Served;
let ada: Browser;
let organization: string;
beforeAll(async () => {
  served = await serving({ between });
  const account = await person(served, { name: 'Ada Lovelace', role: 'auditor' });
  organization = await founded(served, { name: 'Acme Museums' });
  ada = await signedIn(served, account);
  await settled(served);
});
afterEach(() => (broken = undefined));
afterAll(() => served.close());

/** A new account, and a browser with the only session of this account. */
const signedInAlone = async () => {
  const account = await person(served);
  return [account, await signedIn(served, account)] as const;
};

/** Logs in while this function of the session store fails. Checks that the answer is 503 with Retry-After. */
async function expectRefusedSignIn(page: Browser, email: string, failing: typeof broken): Promise<void> {
  broken = failing;
  const { status, headers, body } = await page.logIn(email);
  broken = undefined;
  expect([status, headers['retry-after'], body.type]).toEqual([503, '1', '/problems/unavailable']);
}

/** The names of the person and of the organization. A random token cannot match, because it contains no space. */
const names = /Ada Lovelace|Acme Museums/;

/** Checks that the answer is 503 with Retry-After, and contains no cached data of the session. */
async function expectUnavailable(at: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
  const { status, headers: answered, text } = await ada.get(at, { headers });
  expect([at, status, answered['content-type'], answered['retry-after']]).toEqual([
    at,
    503,
    'application/problem+json; charset=utf-8',
    '1',
  ]);
  expect(text).not.toMatch(names);
}

describe('C11: Service that cannot look up sessions', () => {
  it.each([['find'], ['stamp']] as const)('answers 503 to every request with a session (%s fails)', async (what) => {
    for (const known of [false, true]) {
      // A new account and its session change the stamp of the session store, which empties the cache of sessions.
      await signedIn(served, await person(served));
      if (known)
        expect(await ada.get('/api/v1/me')).toMatchObject({
          status: 200,
          text: expect.stringMatching(names) as string,
        });
      if (known && what === 'find') continue; // a cached session needs no call of `find`
      broken = what;
      for (const at of ['/api/v1/me', '/api/v1/organizations', path(organization, '/entitlements/users')])
        await expectUnavailable(at);
      for (const at of ['/', '/org/1', '/anything']) await expectUnavailable(at, { Accept: 'text/html' });
      broken = undefined;
    }
  });

  it.each([['find'], ['stamp']] as const)('still shows the sign-in pages (%s fails)', async (what) => {
    await signedIn(served, await person(served));
    broken = what;
    for (const at of ['/login', '/login?error=google', '/forgot', '/reset/some-token', '/email/confirm/some-token']) {
      const { status, headers, text } = await ada.get(at, { headers: { Accept: 'text/html' } });
      expect([at, status, headers['content-type']]).toEqual([at, 200, 'text/html; charset=utf-8']);
      expect(text).not.toMatch(names);
    }
  });

  it.each([
    ['a new browser', () => browser(served)],
    [
      'a browser whose session has ended',
      async () => {
        const [account, here] = await signedInAlone();
        const { sessions } = served.charter.database.people;
        for (const { id } of await sessions.listOf(account.id, '')) await sessions.end(id, account.id);
        return here;
      },
    ],
    ['a browser with a session of another account', async () => (await signedInAlone())[1]],
  ])('begins no session, and records no sign-in: %s', async (_, open) => {
    const here = await open();
    const account = await person(served);
    const cookie = here.cookies.get(SESSION);
    const wasIn = (await here.get('/api/v1/me')).status;
    await signedIn(served, await person(served)); // the new session changes the stamp, which empties the cache
    await expectRefusedSignIn(here, account.email!, 'find');
    expect(here.cookies.get(SESSION)).toBe(cookie);
    expect((await here.get('/api/v1/me')).status).toBe(wasIn);
    expect(await served.charter.database.people.sessions.listOf(account.id, '')).toEqual([]);
    expect(await accountEventsOf(served, account)).toEqual([]);
    expect((await here.logIn(account.email!)).status).toBeLessThan(500);
  });

  it.each([
    ['begin', 'insert'],
    ['end', 'end'],
  ] as const)('records no sign-in while sessions cannot %s, and keeps the former session', async (_, what) => {
    const [former, here] = await signedInAlone();
    const account = await person(served);
    const cookie = here.cookies.get(SESSION);
    await expectRefusedSignIn(here, account.email!, what);
    expect(here.cookies.get(SESSION)).toBe(cookie);
    expect((await here.get('/api/v1/me')).body.id).toBe(former.id);
    expect(await accountEventsOf(served, account)).toEqual([]);
    expect((await here.logIn(account.email!)).status).toBe(204);
    expect((await accountEventsOf(served, account)).map(({ type }) => type)).toEqual(['SignedIn']);
    expect(await served.charter.database.people.sessions.listOf(former.id, '')).toEqual([]);
  });

  it('still serves requests without a session and requests with an API key', async () => {
    broken = 'find';
    const html = { headers: { Accept: 'text/html' } };
    expect((await served.ask('GET', '/', html)).status).toBe(200);
    expect((await served.ask('GET', '/api/v1/me')).status).toBe(401);
    expect((await served.ask('GET', path(organization), { key: await served.key() })).status).toBe(200);
  });
});
