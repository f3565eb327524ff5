import { randomBytes, randomUUID } from 'node:crypto';
import { type Account, newSession, xsrfToken } from '@charter/identity';
import { path } from '../../support/requests/organizations';
import { type Browser, browser, person, SESSION, signedIn } from '../../support/sign-in/people';
import { everyRightRequest } from '../../support/requests/right-requests';
import { type Route, routesOf } from '../../support/requests/routes';
import { everyEventIn, eventsOf, type Served, serving, settled } from '../../support/serving';
import { rightRequests, type FullOrganization, fullOrganization } from '../../support/requests/full-organization';

/**
 * The test people of `acceptance.md` 2 who are members of organization A, with their roles. Carl belongs to
 * organization B.
 */
const roles = { olga: 'owner', alice: 'admin', bob: 'member', gina: 'member', dora: 'member', lena: 'member' } as const;
const others = ['carl', 'nora', 'aud', 'op'] as const;
const names = [...(Object.keys(roles) as (keyof typeof roles)[]), ...others];
type Name = (typeof names)[number];

let served: Served;
let all: string;
let here: FullOrganization;
let routes: readonly Route[];
const accounts = new Map<Name, Account>();
const browsers = new Map<Name, Browser>();
beforeAll(async () => {
  served = await serving();
  all = await served.key();
  here = await fullOrganization(served, all);
  routes = await routesOf(served.runtime);
  for (const name of names) {
    const role = name === 'op' ? 'operator' : name === 'aud' ? 'auditor' : null;
    const account = await person(served, { role, name, ...(name === 'gina' && { password: null }) });
    accounts.set(name, account);
    browsers.set(name, name === 'gina' ? await throughGoogle(account) : await signedIn(served, account));
  }
  for (const [name, role] of Object.entries(roles)) await joined(here.id, name as Name, role);
  await joined((await fullOrganization(served, all)).id, 'carl', 'owner');
  await lock(accounts.get('lena')!);
  await served.runtime.accounts.disable(accounts.get('dora')!.id, bySpec());
  await settled(served);
});
afterAll(() => served.close());

const random = { bytes: (count: number) => randomBytes(count), uuid: () => randomUUID() };
const bySpec = () => ({
  actor: { kind: 'system', id: 'spec', powers: [] } as const,
  at: new Date(served.clock.now()).toISOString(),
  correlation: randomUUID(),
});

async function joined(organization: string, name: Name, role: string): Promise<void> {
  const body = { user: accounts.get(name)!.id, role };
  const { status, text } = await served.ask('POST', path(organization, '/members'), { key: all, body });
  if (status !== 201) throw new Error(text);
}

/** Begins a session for an account that has no password, as a sign-in with Google does. */
async function throughGoogle({ id }: Account): Promise<Browser> {
  const by = await browser(served);
  const { cookie, session } = newSession(id, 'google', '', random, served.clock.now());
  await served.charter.database.people.sessions.insert(session);
  by.cookies.set(SESSION, cookie);
  by.cookies.set('XSRF-TOKEN', xsrfToken(served.charter.keyFor('xsrf'), session.hash, random));
  return by;
}

/** Sends wrong passwords until the service also refuses the right password. */
async function lock({ email }: Account): Promise<void> {
  const stranger = await browser(served);
  for (let tries = 0; tries < 11; tries += 1) await stranger.logIn(email!, 'not the password');
  if ((await stranger.logIn(email!)).status !== 429) throw new Error('This account is not locked.');
}

const placeOf = (route: Route): string => {
  const pattern = route.slice(route.indexOf(' ') + 1);
  const filled = pattern.replace('{/*token}', '/x').replace(/\{\/[*:]\w+\}|\*\w+/g, '');
  return everyRightRequest[route]?.(here).path ?? filled.replace(/:\w+/g, () => randomUUID());
};

const READS = ['HistoryRead', 'HistoryExported', 'ChangesRead', 'DataExported'];

/**
 * The number of events that record a read of a history or an export of a person's data. A GET, HEAD or OPTIONS request
 * may add only events of these types.
 */
const recordedReads = async () => (await eventsOf(served, '')).filter(({ type }) => READS.includes(type)).length;

describe('D7: A GET, HEAD or OPTIONS request', () => {
  it.each([...names, 'a stranger', 'a key'] as const)('of %s adds only events that record a read', async (name) => {
    const anonymous = await browser(served);
    const by = name === 'a key' || name === 'a stranger' ? anonymous : browsers.get(name)!;
    const cookies = [...by.cookies];
    const [before, recorded] = [await everyEventIn(served), await recordedReads()];
    const places = [...new Set(routes.map(placeOf)), '/logout', '/login?username=a&password=b'];
    for (const at of places)
      for (const method of ['GET', 'HEAD', 'OPTIONS']) {
        const sent = name === 'a key' ? { key: all } : { headers: { Cookie: by.cookieHeader() } };
        const { status } = await served.ask(method, at, sent);
        expect([method, at, status >= 500]).toEqual([method, at, false]);
      }
    expect(places.length).toBeGreaterThan(60);
    expect(before).toBeGreaterThan(names.length); // each sign-in of a test person has written an event
    expect((await everyEventIn(served)) - (await recordedReads())).toBe(before - recorded);
    expect([...by.cookies]).toEqual(cookies);
    if (!['a stranger', 'a key', 'dora'].includes(name)) expect((await by.get('/api/v1/me')).status).toBe(200);
  });
});

describe('H1: Accounts without a password, disabled accounts and locked accounts', () => {
  it.each(Object.keys(rightRequests) as Route[])(
    'get the same status as a member, except that disabled accounts get 401: %s',
    async (route) => {
      const statusOf = async (name: Name) => {
        const { path: at, body } = rightRequests[route]!(here);
        return (await browsers.get(name)!.send(route.split(' ')[0]!, at, body)).status;
      };
      const before = await everyEventIn(served);
      const bob = await statusOf('bob');
      expect([200, 403, ...(route.endsWith('/flag-tickets') ? [201] : [])]).toContain(bob);
      // A13: a lock refuses only new sign-ins; existing sessions stay signed in
      expect([await statusOf('gina'), await statusOf('lena')]).toEqual([bob, bob]);
      expect(await statusOf('dora')).toBe(401);
      expect(await everyEventIn(served)).toBe(before);
    },
  );

  it('cannot sign in: the right passwords of dora (disabled) and lena (locked) are refused, and gina has no password', async () => {
    const statuses = [];
    for (const name of ['dora', 'gina', 'lena'] as const)
      statuses.push((await (await browser(served)).logIn(accounts.get(name)!.email!)).status);
    expect(statuses).toEqual([401, 401, 429]);
  });
});
