import { randomBytes, randomUUID } from 'node:crypto';
import { type Account, type LinkPurpose, newLink, newSession } from '@charter/identity';
import { PASSWORD, person } from '../sign-in/people';
import { done, founded } from './organizations';
import type { Route } from './routes';
import type { Served } from '../serving';
import type { RouteRequest } from './full-organization';

const OTHER = 'another long phrase of mine';
const random = { bytes: (count: number) => randomBytes(count), uuid: () => randomUUID() };

/** Stores a link for this account, and resolves with the link's token. */
async function tokenFor({ charter, clock }: Served, { id, email }: Account, purpose: LinkPurpose): Promise<string> {
  const to = purpose === 'email' ? `new-${id}@people.example` : email;
  const { token, link } = newLink(purpose, id, to, random, clock.now());
  await charter.database.people.links.replace(link);
  return token;
}

async function sessionOf({ charter, clock }: Served, { id }: Account): Promise<string> {
  const { session } = newSession(id, 'password', 'another browser', random, clock.now());
  await charter.database.people.sessions.insert(session);
  return session.id;
}

/** Makes a valid API key and returns its id. */
async function keyOf(served: Served): Promise<string> {
  const key = await served.key();
  return (await served.charter.database.keys.find(key.slice(0, 'chk_'.length + 12)))!.id;
}

/** Adds a mail that could not be sent and returns its id. */
async function givenUp({ charter: { database }, clock }: Served): Promise<string> {
  const mailed = { id: randomUUID(), kind: 'password-changed', account: null, to: 'a@people.example', language: 'en' };
  const expires = new Date(clock.now() + 3_600_000).toISOString();
  await database.mails.enqueue({ ...mailed, sealed: null, expires }, clock.now());
  await database.mails.failed(mailed.id, { error: 'ECONNECTION', next: 'never' }, clock.now());
  return mailed.id;
}

/** Puts a message of a payment provider about an unknown customer into quarantine. Returns the id of the message. */
async function quarantined({ charter: { database }, clock }: Served): Promise<string> {
  const [provider, id, type] = ['stripe', `evt_${randomUUID()}`, 'customer.subscription.updated'];
  const [time, head] = [new Date(clock.now()).toISOString(), { provider, id, type }];
  const fact = { ...head, time, customer: 'cus_unknown', subscription: `sub_${randomUUID()}`, isWhole: true };
  const about = { organization: null, customer: fact.customer, subscription: fact.subscription };
  const message = { ...head, time, ...about, fact: { ...fact, holds: [], ends: [], unknown: [] }, raw: null };
  await database.inbox.receive(message, clock.now());
  await database.inbox.settle(message, { state: 'quarantined', reason: 'unmapped-customer' }, clock.now());
  return id;
}

/** Founds an organization with this account as a member, and returns the organization's id. */
async function joined(served: Served, { id: user }: Account): Promise<string> {
  const key = await served.key();
  const id = await founded(served, { by: key });
  await done(served, key, id, ['POST', '/members', { user, role: 'member' }]);
  return id;
}

type Act = (served: Served, by: Account) => Promise<RouteRequest>;
const newPersonId = async (served: Served) => (await person(served)).id;
const onAccount =
  (rest: string, body?: object): Act =>
  async (served) => ({ path: `/api/v1/accounts/${await newPersonId(served)}${rest}`, ...(body && { body }) });

/**
 * Covers each route that can change data, except the webhook and the routes in `rightRequests`, `buyerRequests` and
 * `domainRequests`.
 * Creates the data that the route needs, and returns a request that the service accepts. `by` is a signed-in operator
 * with the password of `people.ts`.
 */
export const acts: Readonly<Record<Route, Act>> = {
  'POST /api/v1/billing/quarantine/:id/replay': async (served) => ({
    path: `/api/v1/billing/quarantine/${await quarantined(served)}/replay`,
  }),
  'POST /api/v1/billing/quarantine/:id/dismiss': async (served) => ({
    path: `/api/v1/billing/quarantine/${await quarantined(served)}/dismiss`,
    body: { reason: 'a test' },
  }),
  'POST /login': async (served) => ({
    path: '/login',
    body: { username: (await person(served)).email, password: PASSWORD },
  }),
  'POST /forgot': async (_, { email }) => ({ path: '/forgot', body: { email } }),
  'POST /reset': async (served) => ({
    path: '/reset',
    body: { token: await tokenFor(served, await person(served), 'reset'), password: OTHER },
  }),
  'POST /invitation': async (served) => {
    const account = await person(served, { state: 'invited' });
    await founded(served, { by: await served.key(), owner: account.id });
    return { path: '/invitation', body: { token: await tokenFor(served, account, 'invitation') } };
  },
  'POST /logout': async () => ({ path: '/logout' }),
  'POST /email/confirm': async (served) => ({
    path: '/email/confirm',
    body: { token: await tokenFor(served, await person(served), 'email') },
  }),
  'POST /api/v1/catalogue/check': async () => ({ path: '/api/v1/catalogue/check', body: { text: '{}' } }),
  'PATCH /api/v1/me': async () => ({ path: '/api/v1/me', body: { name: 'Ada' } }),
  'POST /api/v1/me/email/confirm': async (served, by) => ({
    path: '/api/v1/me/email/confirm',
    body: { token: await tokenFor(served, by, 'email') },
  }),
  'PUT /api/v1/me/password': async () => ({
    path: '/api/v1/me/password',
    body: { current: PASSWORD, password: OTHER },
  }),
  'DELETE /api/v1/me/sessions/:id': async (served, by) => ({
    path: `/api/v1/me/sessions/${await sessionOf(served, by)}`,
  }),
  'POST /api/v1/me/sessions/end-others': async () => ({
    path: '/api/v1/me/sessions/end-others',
    body: { password: PASSWORD },
  }),
  'POST /api/v1/me/organizations/:id/accept': async (served, by) => ({
    path: `/api/v1/me/organizations/${await joined(served, by)}/accept`,
  }),
  'POST /api/v1/me/close': async () => ({ path: '/api/v1/me/close', body: { password: PASSWORD } }),
  'POST /api/v1/keys': async () => ({
    path: '/api/v1/keys',
    body: { name: 'ci', scopes: ['flags:read'], password: PASSWORD },
  }),
  'DELETE /api/v1/keys/:id': async (served) => ({ path: `/api/v1/keys/${await keyOf(served)}` }),
  'POST /api/v1/accounts/:id/disable': onAccount('/disable'),
  'POST /api/v1/accounts/:id/enable': async (served) => ({
    path: `/api/v1/accounts/${(await person(served, { state: 'disabled' })).id}/enable`,
  }),
  'PUT /api/v1/accounts/:id/role': onAccount('/role', { role: 'auditor', password: PASSWORD }),
  'DELETE /api/v1/accounts/:id/sessions': onAccount('/sessions'),
  'POST /api/v1/accounts/:id/erase': onAccount('/erase', { password: PASSWORD }),
  'POST /api/v1/mails/:id/retry': async (served) => ({ path: `/api/v1/mails/${await givenUp(served)}/retry` }),
};
