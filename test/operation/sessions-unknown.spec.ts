import { founded, path } from '../support/requests/organizations';
import { type Browser, person, signedIn } from '../support/sign-in/people';
import { type Served, serving, settled, type Stores } from '../support/serving';

/** What of the sessions' store fails now. */
let broken: 'find' | 'stamp' | undefined;
const between = (stores: Stores): Stores => {
  const { people } = stores.documents;
  const { sessions } = people;
  const find: typeof sessions.find = (hash) =>
    broken === 'find' ? Promise.reject(new Error('silent')) : sessions.find(hash);
  const stamp = () => {
    if (broken === 'stamp') throw new Error('silent');
    return sessions.stamp!();
  };
  const faulty = { ...people, sessions: { ...sessions, find, stamp } };
  return { ...stores, documents: { ...stores.documents, people: faulty } };
};

let served: Served;
let ada: Browser;
let organization: string;
beforeAll(async () => {
  served = await serving({ between });
  const account = await person(served, { name: 'Ada', role: 'auditor' });
  organization = await founded(served);
  ada = await signedIn(served, account);
  await settled(served);
});
afterEach(() => (broken = undefined));
afterAll(() => served.close());

/** Nobody is somebody, and what was known before is shown to nobody. */
async function expectToldToWait(at: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
  const { status, headers: answered, text } = await ada.get(at, { headers });
  expect([at, status, answered['content-type'], answered['retry-after']]).toEqual([
    at,
    503,
    'application/problem+json; charset=utf-8',
    '1',
  ]);
  expect(text).not.toMatch(/Ada|Acme/);
}

describe('C11: while sessions cannot be looked up', () => {
  it.each([['find'], ['stamp']] as const)('for %s fails: everyone who shows one is told to wait', async (what) => {
    for (const known of [false, true]) {
      // A new stamp makes the service forget what it knew, and an answer makes it know again.
      await signedIn(served, await person(served));
      if (known) expect((await ada.get('/api/v1/me')).status).toBe(200);
      if (known && what === 'find') continue; // then nothing is looked up
      broken = what;
      for (const at of ['/api/v1/me', '/api/v1/organizations', path(organization, '/entitlements/users')])
        await expectToldToWait(at);
      for (const at of ['/', '/org/1', '/anything']) await expectToldToWait(at, { Accept: 'text/html' });
      broken = undefined;
    }
  });

  it.each([['find'], ['stamp']] as const)('for %s fails: the pages to sign in are there', async (what) => {
    await signedIn(served, await person(served));
    broken = what;
    for (const at of ['/login', '/login?error=google', '/forgot', '/reset/some-token', '/email/confirm/some-token']) {
      const { status, headers, text } = await ada.get(at, { headers: { Accept: 'text/html' } });
      expect([at, status, headers['content-type']]).toEqual([at, 200, 'text/html; charset=utf-8']);
      expect(text).not.toMatch(/Ada|Acme/);
    }
  });

  it('whoever shows none is served as ever, and so is a key', async () => {
    broken = 'find';
    const html = { headers: { Accept: 'text/html' } };
    expect((await served.ask('GET', '/', html)).status).toBe(200);
    expect((await served.ask('GET', '/api/v1/me')).status).toBe(401);
    expect((await served.ask('GET', path(organization), { key: await served.key() })).status).toBe(200);
  });
});
