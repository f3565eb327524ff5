import { randomUUID } from 'node:crypto';
import { organizationStream } from '@charter/organization';
import type { Account, Scope } from '@charter/identity';
import type { Answer } from '../../support/requests/http';
import { path } from '../../support/requests/organizations';
import {
  type Browser,
  browser,
  comparable,
  mailsOf,
  PASSWORD,
  person,
  SESSION,
  signedIn,
  tokenIn,
} from '../../support/sign-in/people';
import { row, table } from '../../support/requests/permission-table';
import { ownAccountRequests, operatorRequests, supervisorRequests } from '../../support/requests/right-requests';
import type { Route } from '../../support/requests/routes';
import { advanceToMidnight, everyEventIn, paused, resumed, type Served, serving, settled } from '../../support/serving';
import { rightRequests, type FullOrganization, fullOrganization } from '../../support/requests/full-organization';

/**
 * The people who may call the routes of each row in the table of `decisions.md`, section "Who may do what". Most rows
 * have the name of the scope that an API key needs for these routes.
 */
const may: Readonly<Record<string, readonly Name[]>> = {
  [row.read]: ['bob', 'alice', 'olga', 'aud', 'op'],
  [row.write]: ['alice', 'olga', 'op'],
  [row.operate]: ['op'],
  [row.billing]: ['op'],
  reconciliation: ['alice', 'olga', 'op'], // the scope is that of the row for billing
  [row.audit]: ['alice', 'olga', 'aud', 'op'],
  [row.flags]: ['bob', 'alice', 'olga', 'op'],
  owners: ['olga', 'op'],
  'owners, auditors and operators, and no key': ['olga', 'aud', 'op'],
};
const names = ['bob', 'alice', 'olga', 'aud', 'carl', 'op', 'nora'] as const;
type Name = (typeof names)[number];
const roles = { bob: 'member', alice: 'admin', olga: 'owner' } as const;
const strangers: readonly Name[] = ['carl', 'nora'];

let served: Served;
let all: string;
const ids = new Map<Name, string>();
const browsers = new Map<Name, Browser>();
let anonymous: Browser;
let carls: FullOrganization;
beforeAll(async () => {
  served = await serving({ environment: { RATE_LIMITS: 'off' } });
  advanceToMidnight(served.clock);
  all = await served.key();
  for (const name of names) {
    const role = name === 'op' ? 'operator' : name === 'aud' ? 'auditor' : null;
    const account = await person(served, { role, name });
    ids.set(name, account.id);
    browsers.set(name, await signedIn(served, account));
  }
  anonymous = await browser(served);
  carls = await fullOrganization(served, all);
  await member(carls, 'carl', 'owner');
});
afterAll(() => served.close());

const member = async ({ id }: Pick<FullOrganization, 'id'>, name: Name, role: string) => {
  const body = { user: ids.get(name), role };
  const { status, text } = await served.ask('POST', path(id, '/members'), { key: all, body });
  if (status >= 300) throw new Error(text);
};

/** A new organization A with all of its members. */
async function organizationA(): Promise<FullOrganization> {
  const here = await fullOrganization(served, all);
  for (const [name, role] of Object.entries(roles)) await member(here, name as Name, role);
  return here;
}

type Caller = Pick<Browser, 'get' | 'send'>;
const send = (by: Caller, route: Route, here: FullOrganization, query = '') => {
  const { path: at, body } = requests[route]!(here);
  return by.send(route.split(' ')[0]!, at + query, body);
};
/** A caller with this API key. */
const withKey = (key: string): Caller => ({
  get: (at) => served.ask('GET', at, { key }),
  send: (method, at, body) => served.ask(method, at, { key, body }),
});
/** The comparable parts of an answer, without this id. */
const without = (id: string, answer: Answer) => JSON.stringify(comparable(answer)).replaceAll(id, 'ID');
const ask = async (...request: Parameters<typeof send>) => {
  const { status, body } = await send(...request);
  return { status, type: body?.type as string | undefined };
};

type Way = readonly [name: string, route: Route, who: readonly Name[], query: string];
const rowOf = (route: Route): readonly Name[] => {
  if (route.endsWith('/single-sign-on')) return may['owners']!;
  if (route.endsWith('/reconciliation')) return may['reconciliation']!;
  const allowed = table[route] === 'each command by its own row' ? row.write : (table[route] as Scope);
  return may[allowed]!;
};
const requests = { ...rightRequests, ...supervisorRequests };
const routes = Object.keys(requests) as Route[];
/** The routes that also accept `asOf` or `valid`, and then answer with a past state. */
const past = routes.filter(
  (route) =>
    /^(GET .*\/:id|POST .*\/search$)/.test(route) &&
    !/\/(standing|readers|billing\/.*)$/.test(route) &&
    table[route] !== row.audit,
);
const ways: readonly Way[] = [
  ...routes.map((route): Way => [route, route, rowOf(route), '']),
  ...['asOf', 'valid'].flatMap((name) =>
    past.map((route): Way => [`${route}?${name}=…`, route, may[row.audit]!, `?${name}=2999-01-01T00:00:00Z`]),
  ),
];
const list = async (name: Name, more = '') =>
  (await browsers.get(name)!.get(`/api/v1/organizations?limit=100${more}`)).body as {
    organizations: { id: string }[];
    next: string | null;
  };
/** The ids of the organizations on all pages of the list. */
const idsOf = async (name: Name): Promise<readonly string[]> => {
  const ids: string[] = [];
  for (let page = await list(name); ; page = await list(name, `&cursor=${page.next}`)) {
    ids.push(...page.organizations.map(({ id }) => id));
    if (page.next === null) return ids;
  }
};
/** The routes that every signed-in person may call. */
const openToAll: readonly Route[] = ['GET /api/v1/organizations', 'GET /api/v1/catalogue'];
/** The routes without an organization in their path that show a person the organizations of this person. */
const feeds: readonly Route[] = ['GET /api/v1/events', 'GET /api/v1/entitlement-changes'];
/**
 * Routes without an organization in their path. A caller without the right gets 403 and never 404, whichever
 * organization the body names.
 */
const elsewhere: readonly Route[] = ['POST /api/v1/organizations', 'POST /api/v1/billing/events'];
const refusal = { status: 403, type: '/problems/not-allowed' };
const nothing = { status: 404, type: '/problems/no-such-organization' };

describe('H1: Route of an organization', () => {
  it.each(ways)(
    'accepts the people whom the permission table names, and refuses the others: %s',
    async (_name, route, who, query) => {
      const standing = await organizationA();
      for (const name of names) {
        const here = who.includes(name) ? await organizationA() : standing;
        const answer = await ask(browsers.get(name)!, route, here, query);
        const isStranger = strangers.includes(name);
        if (openToAll.includes(route)) expect([name, answer.status]).toEqual([name, 200]);
        else if (feeds.includes(route) && isStranger)
          expect([name, answer]).toEqual([name, name === 'carl' ? { status: 200, type: undefined } : refusal]);
        else if (who.includes(name)) expect([name, Math.floor(answer.status / 100)]).toEqual([name, 2]);
        else if (elsewhere.includes(route)) expect([name, answer]).toEqual([name, refusal]);
        else expect([name, answer]).toEqual([name, isStranger ? nothing : refusal]);
      }
      expect(await ask(anonymous, route, standing, query)).toEqual({ status: 401, type: '/problems/unauthenticated' });
    },
  );

  it('H2: gives a stranger the same answer for an existing organization and for one that does not exist', async () => {
    const theirs = await organizationA();
    const by = browsers.get('carl')!;
    await settled(served); // the fast path answers only after the read model has every event
    const before = await everyEventIn(served);
    for (const route of routes.filter((one) => one.includes('/:id'))) {
      const [foreign, missing] = [
        await send(by, route, theirs),
        await send(by, route, { ...theirs, id: randomUUID() }),
      ];
      expect([route, foreign.status, foreign.body.type]).toEqual([route, nothing.status, nothing.type]);
      expect([route, comparable(foreign)]).toEqual([route, comparable(missing)]);
    }
    expect(await everyEventIn(served)).toBe(before);
  });

  it("H2: gives the same answer for another organization's id and for an unknown id under the own organization", async () => {
    const [home, foreign] = [await organizationA(), await fullOrganization(served, all)];
    const alice = browsers.get('alice')!;
    const callers = [alice, withKey(await served.key({ organization: home.id }))];
    // the log records the first use of the key
    for (const by of callers) expect((await by.get(path(home.id))).status).toBe(200);
    const before = await everyEventIn(served);
    const tried = new Set<string>();
    for (const field of ['member', 'site', 'qualityAssuranceDomain', 'webAnalyticsDomain', 'purchase'] as const)
      for (const route of routes.filter((one) => requests[one]!(home).path.includes(home[field])))
        for (const by of callers) {
          const theirs = await send(by, route, { ...home, [field]: foreign[field] });
          const unknown = randomUUID();
          const missing = await send(by, route, { ...home, [field]: unknown });
          const expected = by === alice && !rowOf(route).includes('alice') ? 403 : 404;
          expect([route, theirs.status]).toEqual([route, expected]);
          expect([route, without(foreign[field], theirs)]).toEqual([route, without(unknown, missing)]);
          tried.add(/:\w+$/.exec(route)![0]);
        }
    expect([...tried].sort()).toEqual([':domain', ':purchase', ':site', ':user']);
    expect(await everyEventIn(served)).toBe(before);
  });

  it('H4: lists only the organizations that the caller may see', async () => {
    const here = await organizationA();
    await served.runtime.projection.whenProcessed(await served.charter.log.head(), { timeout: 5_000 });
    expect(await idsOf('bob')).toContain(here.id);
    expect(await idsOf('carl')).toHaveLength(1);
    expect(await idsOf('carl')).not.toContain(here.id);
    expect(await list('nora')).toEqual({ organizations: [], next: null });
  });

  it('H4: shows no foreign organization in searches, pages, feeds and exports, or in answers about flags and limits', async () => {
    const here = await organizationA();
    const account = await person(served);
    const admin = { user: account.id, role: 'admin' };
    expect((await served.ask('POST', path(here.id, '/members'), { key: all, body: admin })).status).toBe(201);
    await settled(served);
    const lists = '/api/v1/organizations?limit=100';
    const { next } = (await served.ask('GET', '/api/v1/organizations?limit=1', { key: all })).body;
    for (const [by, own, foreign] of [
      [await signedIn(served, account), here.id, carls.id],
      [browsers.get('carl')!, carls.id, here.id],
      [withKey(await served.key({ organization: here.id })), here.id, carls.id],
    ] as const) {
      for (const query of ['', '&q=acme', '&plan=second/enterprise']) {
        const { organizations, next: more } = (await by.get(lists + query)).body;
        expect([query, organizations.map(({ id }: { id: string }) => id), more]).toEqual([query, [own], null]);
      }
      const pages = [`${lists}&cursor=${next}`, '/api/v1/events', '/api/v1/entitlement-changes', path(own, '/export')];
      for (const page of pages) {
        const { status, text } = await by.get(page);
        expect([page, status, text.includes(foreign)]).toEqual([page, 200, false]);
      }
      const questions: readonly ((id: string) => Promise<Answer>)[] = [
        (id) => by.get(path(id, '/export')),
        (id) => by.get(path(id, '/entitlements/users')),
        (id) => by.send('POST', '/ofrep/v1/evaluate/flags', { context: { targetingKey: id } }),
        (id) => by.send('POST', '/ofrep/v1/evaluate/flags/limit.users', { context: { targetingKey: id } }),
      ];
      for (const question of questions) {
        const unknown = randomUUID();
        const answer = await question(foreign);
        expect(answer.status).toBeGreaterThanOrEqual(400);
        expect(without(foreign, answer)).toBe(without(unknown, await question(unknown)));
      }
    }
  });

  it.each(['a removal', 'a demotion'])(
    'H5, H6: applies %s of a member at the next request, although the read model is paused',
    async (what) => {
      const here = await organizationA();
      await served.runtime.projection.whenProcessed(await served.charter.log.head(), { timeout: 5_000 });
      await paused(served);
      const at = path(here.id, `/members/${ids.get('alice')}`);
      const sent =
        what === 'a removal' ? (['DELETE', {}] as const) : (['PATCH', { body: { role: 'member' } }] as const);
      expect((await served.ask(sent[0], at, { key: all, ...sent[1] })).status).toBe(200);
      const answer = await ask(browsers.get('alice')!, 'PATCH /api/v1/organizations/:id', here);
      expect(answer).toEqual(what === 'a removal' ? nothing : refusal);
      expect((await idsOf('alice')).includes(here.id)).toBe(what === 'a demotion');
      await resumed(served);
    },
  );

  it('H5: refuses a person who has lost a platform role, at the next request', async () => {
    const account = await person(served, { role: 'operator' });
    const by = await signedIn(served, account);
    const here = await organizationA();
    expect((await ask(by, 'GET /api/v1/organizations/:id', here)).status).toBe(200);
    await served.charter.database.people.accounts.change(account.id, 0, { role: null });
    expect(await ask(by, 'GET /api/v1/organizations/:id', here)).toEqual(nothing);
  });

  it('H8: refuses a body with extra fields, and writes no event', async () => {
    const here = await organizationA();
    const planted = { orgId: randomUUID(), isOperator: true, limits: { users: 9 }, version: 7, createdAt: 'now' };
    const before = await everyEventIn(served);
    for (const route of routes.filter((one) => requests[one]!(here).body)) {
      const { path: at, body } = requests[route]!(here);
      const { status } = await browsers.get('op')!.send(route.split(' ')[0]!, at, { ...body, ...planted });
      expect([route, status]).toEqual([route, 400]);
    }
    expect(await everyEventIn(served)).toBe(before);
  });

  it("H11: records the operator's id and reason", async () => {
    const here = await organizationA();
    await browsers.get('op')!.send('POST', path(here.id, '/close'), { reason: 'moved away' });
    const events = [];
    for await (const event of served.charter.log.readStream(organizationStream(here.id))) events.push(event);
    const { type, data, metadata } = events.at(-1)!;
    expect([type, data]).toEqual(['OrganizationClosed', { reason: 'moved away' }]);
    expect((metadata as { actor: object }).actor).toEqual({ kind: 'account', id: ids.get('op') });
  });

  it('H11: shows an operator no password, token or key', async () => {
    const [here, op, olga] = [await organizationA(), browsers.get('op')!, browsers.get('olga')!];
    expect((await send(olga, 'PUT /api/v1/organizations/:id/single-sign-on', here)).status).toBeLessThan(300);
    const account = (await served.charter.database.people.accounts.byId(ids.get('olga')!))!;
    await anonymous.send('POST', '/forgot', { email: account.email });
    const token = tokenIn((await mailsOf(served, account)).at(-1)!);
    const session = olga.cookies.get(SESSION)!;
    const secrets = [PASSWORD, account.passwordHash!, token, session, olga.token(), all, here.provider.client.secret];
    const readable = { ...requests, ...operatorRequests };
    for (const route of (Object.keys(readable) as Route[]).filter((one) => one.startsWith('GET '))) {
      const { status, text } = await op.get(readable[route]!(here).path);
      expect([route, status, secrets.filter((secret) => text.includes(secret))]).toEqual([route, 200, []]);
    }
  });

  it("limits a session that began at an organization's own identity provider to that organization", async () => {
    const [home, foreign] = [await organizationA(), await organizationA()];
    const by = await signedInThroughProvider(
      (await served.charter.database.people.accounts.byId(ids.get('olga')!))!,
      home.id,
    );
    expect((await ask(by, 'PATCH /api/v1/organizations/:id', home)).status).toBe(200);
    expect(await ask(by, 'PATCH /api/v1/organizations/:id', foreign)).toEqual(nothing);
    const { body } = await by.get('/api/v1/me');
    expect(body.organizations.map(({ id }: { id: string }) => id)).toEqual([home.id]);
    const accept = async ({ id }: FullOrganization) =>
      (await by.send('POST', `/api/v1/me/organizations/${id}/accept`)).status;
    expect([await accept(home), await accept(foreign)]).toEqual([204, 404]);
  });
});

/** A browser whose session began at the own identity provider of this organization. */
async function signedInThroughProvider(account: Account, organization: string): Promise<Browser> {
  const by = await signedIn(served, account);
  const { sessions } = served.charter.database.people;
  const cookie = { headers: { cookie: by.cookieHeader() } } as never;
  const { session } = (await sessions.find(served.runtime.browserSessions.sessionHashOf(cookie)!))!;
  await sessions.end(session.id, account.id);
  await sessions.insert({ ...session, organization });
  return by;
}

describe('H1: Route for own accounts or for operators', () => {
  const own = Object.keys(ownAccountRequests) as Route[];
  const operating = Object.keys(operatorRequests) as Route[];

  it('is in the permission table exactly if these specs have a request for the route', () => {
    const of = (kind: string) => Object.keys(table).filter((route) => table[route as Route] === kind);
    expect(own.toSorted()).toEqual(of('people about themselves, and no key').toSorted());
    expect(operating.toSorted()).toEqual(of('operators, and no key').toSorted());
  });

  it.each(own)('%s: accepts signed-in people with any platform role or without one, and no API key', async (route) => {
    const here = {} as FullOrganization;
    const { path: at, body } = ownAccountRequests[route]!(here);
    const method = route.split(' ')[0]!;
    for (const role of [null, 'auditor', 'operator'] as const) {
      const { status } = await (await signedIn(served, await person(served, { role }))).send(method, at, body);
      expect([401, 403]).not.toContain(status);
      expect(status).toBeLessThan(500);
    }
    expect((await served.ask(method, at, { key: all, body })).status).toBe(403);
    expect((await anonymous.send(method, at, body)).status).toBe(401);
  });

  it.each(own)(
    "%s: refuses a session of an organization's own provider, except to read the own account or accept a membership",
    async (route) => {
      const [ada, here] = [await person(served), await organizationA()];
      const by = await signedInThroughProvider(ada, here.id);
      const { path: at, body } = ownAccountRequests[route]!(here);
      const { status } = await by.send(route.split(' ')[0]!, at, body);
      const isAllowed = ['GET /api/v1/me', 'POST /api/v1/me/organizations/:id/accept'].includes(route);
      expect([route, status === 403]).toEqual([route, !isAllowed]);
      expect(await served.charter.database.people.accounts.byId(ada.id)).toEqual(ada);
    },
  );

  it("refuses to change a person's name or preferences in a session of an organization's own provider", async () => {
    const [ada, here] = [await person(served), await organizationA()];
    const by = await signedInThroughProvider(ada, here.id);
    for (const change of [{ name: 'Someone else' }, { language: 'fi' }, { timeZone: 'UTC' }, { keys: false }])
      expect([change, (await by.send('PATCH', '/api/v1/me', change)).status]).toEqual([change, 403]);
    expect(await served.charter.database.people.accounts.byId(ada.id)).toEqual(ada);
  });

  it.each(operating)('%s: accepts operators only', async (route) => {
    const { path: at, body } = operatorRequests[route]!({} as FullOrganization);
    const method = route.split(' ')[0]!;
    const before = await everyEventIn(served);
    for (const name of names.filter((one) => one !== 'op'))
      expect([name, (await browsers.get(name)!.send(method, at, body)).status]).toEqual([name, 403]);
    expect((await served.ask(method, at, { key: all, body })).status).toBe(403);
    expect((await anonymous.send(method, at, body)).status).toBe(401);
    expect(await everyEventIn(served)).toBe(before);
    const { status } = await browsers.get('op')!.send(method, at, body);
    expect([200, 201, 404]).toContain(status);
    // proves that the count above can rise: an operator's request writes events
    if (status === 201) expect(await everyEventIn(served)).toBeGreaterThan(before);
  });
});
