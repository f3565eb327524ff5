import { randomUUID } from 'node:crypto';
import { type Scope, scopes } from '@charter/identity';
import { openCharter } from '@charter/application';
import { path } from '../../support/requests/organizations';
import { comparable } from '../../support/sign-in/people';
import { type Allowed, row, table } from '../../support/requests/permission-table';
import { type Route, routesOf } from '../../support/requests/routes';
import { eventsIn, keyId, type Served, serving, paused, resumed, settled } from '../../support/serving';
import { rightRequests, type FullOrganization, fullOrganization } from '../../support/requests/full-organization';

/** For each command of `POST …/commands`: the scope that it needs, and valid data. */
const commandTable: Readonly<Record<string, readonly [Scope, (organization: FullOrganization) => object]>> = {
  RenameOrganization: [row.write, () => ({ name: 'Acme Ltd' })],
  CloseOrganization: [row.operate, () => ({ reason: 'moved away' })],
  ReopenOrganization: [row.operate, () => ({ reason: 'came back' })],
  AssignPlan: [row.billing, () => ({ line: 'first', plan: 'essential' })],
  EndPlan: [row.billing, () => ({ line: 'second' })],
  PurchaseAddOn: [row.billing, () => ({ addOn: 'feedback' })],
  ChangeQuantity: [row.billing, ({ purchase }) => ({ purchase, quantity: 2 })],
  CancelAddOn: [row.billing, ({ purchase }) => ({ purchase })],
  AssignServiceLevel: [row.billing, () => ({ serviceLevel: 'turnkey' })],
  EnableProduct: [row.operate, () => ({})],
  DisableProduct: [row.operate, () => ({})],
  ChangeParallelUse: [row.write, () => ({ parallelUse: false })],
  ConfigureLimits: [row.operate, () => ({ users: 7 })],
  OverrideHardLimits: [row.operate, () => ({ reason: 'a favour' })],
  RestoreHardLimits: [row.operate, () => ({})],
  AddMember: [row.write, () => ({ member: randomUUID(), role: 'admin' })],
  ChangeRole: [row.write, ({ member }) => ({ member, role: 'owner' })],
  RemoveMember: [row.write, ({ member }) => ({ member })],
  FlagProductUser: [row.write, ({ member }) => ({ member })],
  UnflagProductUser: [row.write, ({ member }) => ({ member })],
  AddSite: [row.write, () => ({ hostname: 'blog.example' })],
  RenameSite: [row.write, ({ site }) => ({ site, name: 'Shop' })],
  ChangeSiteFeatures: [row.write, ({ site }) => ({ site, features: { logo: false } })],
  RemoveSite: [row.write, ({ site }) => ({ site })],
  AddQualityAssuranceDomain: [row.write, () => ({ hostname: 'more.example' })],
  RemoveQualityAssuranceDomain: [row.write, ({ qualityAssuranceDomain }) => ({ domain: qualityAssuranceDomain })],
  AddWebAnalyticsDomain: [row.write, () => ({ hostname: 'more.example' })],
  RemoveWebAnalyticsDomain: [row.write, ({ webAnalyticsDomain }) => ({ domain: webAnalyticsDomain })],
  ReportTraffic: [row.operate, () => ({ month: '2026-02', views: 1 })],
};

let served: Served;
let all: string; // a key with every scope, for every organization
let standing: FullOrganization; // the specs check that no request changes it
let initialEvents: number; // the number of events that `fullOrganization` writes
const keys = new Map<Scope, string>();
beforeAll(async () => {
  served = await serving();
  all = await served.key();
  for (const scope of scopes) keys.set(scope, await served.key({ scopes: [scope] }));
  standing = await fullOrganization(served, all);
  initialEvents = await writtenIn(standing);
  // On SQLite, the fast path answers only for cached API keys, so these requests cache all keys.
  await served.ask('GET', '/api/v1/organizations', { key: all });
  for (const key of keys.values()) await served.ask('GET', '/api/v1/organizations', { key });
});
afterAll(() => served.close());

const routes = Object.entries(table) as [Route, Allowed][]; // a cast, because Object.entries returns strings
const open = routes.filter(([, allowed]) => allowed === 'open to every caller').map(([route]) => route);
const withoutKeys = routes
  .filter(([, allowed]) => /(operators|owners), and no key/.test(allowed))
  .map(([route]) => route);
const hidden = routes.filter(([, allowed]) => allowed === 'nothing is there').map(([route]) => route);
const leading = routes.filter(([, allowed]) => allowed === 'leads to the sign-in page').map(([route]) => route);
const scopeOf = (allowed: Allowed): Scope[] =>
  allowed === 'each command by its own row' ? [row.write] : scopes.filter((scope) => scope === allowed);
const guarded = routes.flatMap(([route, allowed]) => scopeOf(allowed).map((scope) => [route, scope] as const));
const past = guarded.filter(
  ([route, needs]) =>
    /^(GET|POST .*\/search$)/.test(route) &&
    route.includes(' /api/v1/organizations/:id') &&
    needs !== row.audit &&
    !/\/(billing|standing)/.test(route),
);

/** The routes that accept `?valid=`: they answer with the state that is in force at that moment. */
const stated = past.map(([route]) => route);

/** A way to send a request: on the fast path, on the Nest route, or as a read of the past. */
type Way = readonly [name: string, route: Route, needs: Scope, more: Readonly<{ once?: boolean; query?: string }>];
const fastRoutes = [
  'GET /api/v1/organizations/:id/entitlements/:key',
  'POST /api/v1/organizations/:id/members',
] as const;
const ways: readonly Way[] = [
  ...guarded.map(([route, needs]): Way => [route, route, needs, {}]),
  ...past.map(([route]): Way => [`${route}?asOf=…`, route, row.audit, { query: '?asOf=2999-01-01T00:00:00Z' }]),
  ...stated.map((route): Way => [`${route}?valid=…`, route, row.audit, { query: '?valid=2999-01-01T00:00:00Z' }]),
  [`${fastRoutes[0]} on the Nest route`, fastRoutes[0], row.read, { query: '?' }],
  [`${fastRoutes[1]} on the Nest route`, fastRoutes[1], row.write, { once: true }],
];

async function askAs(key: string | undefined, [, route, , { once = false, query = '' }]: Way, here: FullOrganization) {
  const { path: at, body } = rightRequests[route]!(here);
  if (route === fastRoutes[0]) await settled(served); // the fast path answers only from the read model
  // a request with an Idempotency-Key takes the Nest route
  const headers = once ? { 'Idempotency-Key': randomUUID() } : {};
  return served.ask(route.split(' ')[0]!, at + query, { key, body, headers });
}

describe('H1, J3: Table of permissions', () => {
  it('names every route of the router, and no other', async () => {
    expect(Object.keys(table).sort()).toEqual(await routesOf(served.runtime));
    expect(guarded.map(([route]) => route).sort()).toEqual(Object.keys(rightRequests).sort());
  });
});

describe('H1, J3: Route', () => {
  it.each(withoutKeys)('for operators or owners refuses API keys of every scope: %s', async (route) => {
    const [method, at] = route.replace(':id', randomUUID()).split(' ') as [string, string];
    for (const key of [all, ...keys.values()]) {
      const { status, body } = await served.ask(method, at, { key });
      expect([status, body.type]).toEqual([403, '/problems/not-allowed']);
    }
    expect((await served.ask(method, at)).status).toBe(401);
  });

  it.each(hidden)('that the server does not offer answers 404: %s', async (route) => {
    const [method, at] = route.replace(':id', randomUUID()).split(' ') as [string, string];
    expect((await served.ask(method, at)).status).toBe(404);
  });

  it.each(leading)('redirects to the sign-in page, with or without an API key: %s', async (route) => {
    const at = route.slice('GET '.length).replace('{/*token}', '').replace(':organization', randomUUID());
    const redirect = route.includes('/domains/') ? 303 : 302;
    for (const key of [undefined, all]) {
      const { status, headers } = await served.ask('GET', at, { key });
      expect([status, headers.location]).toEqual([redirect, expect.stringMatching(/^\/login\?error=(google|sso)$/)]);
    }
  });

  it.each(open)('answers without an API key: %s', async (route) => {
    const { status } = await served.ask('GET', route.slice('GET '.length).replace(/\{.*\}/, ''));
    expect([200, 302]).toContain(status);
  });

  it('is tested on the fast path and on the Nest route, if it has both', async () => {
    // with SQLite, only the Nest route calls `identify`
    const identify = jest.spyOn(served.runtime.callers, 'identify');
    const here = await fullOrganization(served, all);
    const calls = [];
    for (const way of ways.filter(
      ([name, route]) => (fastRoutes as readonly Route[]).includes(route) && !/asOf|valid/.test(name),
    )) {
      identify.mockClear();
      await askAs(all, way, here);
      calls.push([way[0], identify.mock.calls.length]);
    }
    identify.mockRestore();
    // With PostgreSQL, an addition looks up its caller while the body arrives.
    const isInFile = served.charter.database.refreshStamps === undefined;
    expect(calls).toEqual([
      [fastRoutes[0], 0],
      [fastRoutes[1], isInFile ? 0 : 1],
      [`${fastRoutes[0]} on the Nest route`, 1],
      [`${fastRoutes[1]} on the Nest route`, 1],
    ]);
  });

  it.each(ways)('accepts an API key with one scope, and refuses the other five scopes: %s', async (...way) => {
    const before = await eventsIn(served);
    for (const [scope, key] of keys) {
      const { status, body } = await askAs(key, way, scope === way[2] ? await fullOrganization(served, all) : standing);
      if (scope === way[2]) expect([scope, Math.floor(status / 100)]).toEqual([scope, 2]);
      else
        expect([scope, status, body.type, body.takes]).toEqual([
          ...[scope, 403, '/problems/not-allowed'],
          expect.arrayContaining([way[2]]),
        ]);
    }
    expect(await writtenIn(standing)).toBe(initialEvents);
    expect(await eventsIn(served)).toBeGreaterThanOrEqual(before);
  });

  it.each(ways)('answers 401 and changes nothing without a valid API key: %s', async (...way) => {
    const bad = await badKeys();
    const before = await eventsIn(served);
    for (const [name, key] of bad) {
      const { status, body } = await askAs(key, way, standing);
      expect([name, status, body.type]).toEqual([name, 401, '/problems/unauthenticated']);
    }
    expect(await eventsIn(served)).toBe(before);
  });

  it.each(ways)('accepts an API key of one organization for that organization only: %s', async (...way) => {
    const [home, foreign] = [await fullOrganization(served, all), standing];
    const key = await cached(await served.key({ organization: home.id }));
    const isFounding = way[1] === 'POST /api/v1/organizations';
    const isList = [
      'GET /api/v1/organizations',
      'GET /api/v1/events',
      'GET /api/v1/entitlement-changes',
      'GET /api/v1/catalogue',
    ].includes(way[1]);

    const before = await eventsIn(served);
    const { status, body, text } = await askAs(key, way, foreign);
    if (isList) expect([status, text.includes(foreign.id)]).toEqual([200, false]);
    else expect([status, body.type]).toEqual(isFounding ? [403, '/problems/not-allowed'] : [404, noSuchOrganization]);
    expect(await eventsIn(served)).toBe(before);
    expect(Math.floor((await askAs(key, way, home)).status / 100)).toBe(isFounding ? 4 : 2);
  });

  it('refuses an API key without the scope of the route, even in the only organization of the key', async () => {
    const here = await fullOrganization(served, all);
    const [flags, audits] = [
      await served.key({ organization: here.id, scopes: ['flags:read'] }),
      await served.key({ organization: here.id, scopes: ['audit:read'] }),
    ];
    for (const way of ways) {
      const { status, body } = await askAs(way[2] === 'flags:read' ? audits : flags, way, here);
      expect([way[0], status, body.type]).toEqual([way[0], 403, '/problems/not-allowed']);
    }
  });

  it('says to an API key with the scope audit:read that it must send asOf or valid', async () => {
    for (const route of ['', '/entitlements', '/entitlements/users', '/members']) {
      const { status, body } = await served.ask('GET', path(standing.id, route), { key: keys.get('audit:read')! });
      expect([route, status, body.detail]).toEqual([
        route,
        403,
        expect.stringMatching(
          /organizations:read\. With the scope audit:read, send asOf or valid if the route accepts them, /,
        ),
      ]);
    }
    const { body } = await served.ask('GET', path(standing.id, ''), { key: keys.get('flags:read')! });
    expect(body.detail).toMatch(/organizations:read\.$/);
  });

  it('gives the API key of one organization the same answer for another organization and for an unknown one (H2)', async () => {
    const [home, foreign] = [await fullOrganization(served, all), await fullOrganization(served, all)];
    const key = await cached(await served.key({ organization: home.id }));
    for (const way of ways.filter(([, route]) => route.includes('/:id'))) {
      const [theirs, missing] = [
        await askAs(key, way, foreign),
        await askAs(key, way, { ...foreign, id: randomUUID() }),
      ];
      expect([way[0], comparable(theirs)]).toEqual([way[0], comparable(missing)]);
    }
  });

  it.each(Object.entries(commandTable))(
    'for a list of commands requires the scope in the row of each command: %s',
    async (type, [needs, data]) => {
      for (const [scope, key] of keys) {
        const here = scope === needs ? await fullOrganization(served, all) : standing;
        const body = { commands: [{ type, data: data(here) }] };
        const answer = await served.ask('POST', path(here.id, '/commands'), { key, body });
        const { type: problem, index } = answer.body as { type?: string; index?: number };
        if (scope === needs) expect([scope, answer.status]).toEqual([scope, 200]);
        else expect([scope, answer.status, problem, index]).toEqual([scope, 403, '/problems/not-allowed', 0]);
      }
      expect(await writtenIn(standing)).toBe(initialEvents);
    },
  );

  it('for a list of commands refuses the whole list, and names the index of its first forbidden command', async () => {
    const { id } = await fullOrganization(served, all);
    const rename = { type: 'RenameOrganization', data: { name: 'New' } };
    const close = { type: 'CloseOrganization', data: { reason: 'moved' } };
    const mixed = await served.ask('POST', path(id, '/commands'), {
      key: keys.get(row.write)!,
      body: { commands: [rename, close] },
    });
    expect([mixed.status, mixed.body.index]).toEqual([403, 1]);
    const late = await served.ask('POST', path(id, '/commands'), { key: all, body: { commands: [close, rename] } });
    expect([late.status, late.body.type, late.body.index]).toEqual([409, '/problems/organization-closed', 1]);
    expect(await writtenIn({ id })).toBe(initialEvents);
  });

  it('refuses an API key on the fast path and the Nest route after another process revoked it (J4)', async () => {
    const here = await fullOrganization(served, all);
    const key = await cached(await served.key());
    const beside = await openCharter(served.charter.settings, 'beside');
    await beside.database.keys.revoke(await keyId(served, key), served.clock.now());
    await beside.close();
    for (const way of ways.filter(([, route]) => (fastRoutes as readonly Route[]).includes(route)))
      expect([way[0], (await askAs(key, way, here)).status]).toEqual([way[0], 401]);
  });

  it('checks the scope while the projection is paused, too (H6)', async () => {
    await paused(served);
    const here = await fullOrganization(served, all);
    for (const way of ways.filter(([, route]) => route !== 'GET /api/v1/organizations')) {
      const wrong = way[2] === 'flags:read' ? 'audit:read' : 'flags:read';
      expect([way[0], (await askAs(keys.get(wrong), way, here)).status]).toEqual([way[0], 403]);
      expect([
        way[0],
        Math.floor((await askAs(keys.get(way[2]), way, await fullOrganization(served, all))).status / 100),
      ]).toEqual([way[0], way[1] === 'GET /api/v1/entitlement-changes' ? 5 : 2]); // its cursor waits for the read model
    }
    await resumed(served);
  });
});

const noSuchOrganization = '/problems/no-such-organization';

/** No key, an unknown key, and keys that the process cached before they were revoked or expired. */
async function badKeys(): Promise<readonly (readonly [string, string | undefined])[]> {
  served.clock.advance(60_000); // after this time, the earlier wrong keys no longer count
  const revoked = await cached(await served.key());
  await served.charter.database.keys.revoke(await keyId(served, revoked), served.clock.now());
  const expired = await cached(await served.key({ expires: new Date(served.clock.now() + 60).toISOString() }));
  await new Promise((resolve) => setTimeout(resolve, 70));
  return [
    ['no key', undefined],
    ['unknown', `chk_${'0'.repeat(12)}_${'A'.repeat(43)}`],
    ['revoked', revoked],
    ['expired', expired],
  ];
}

async function cached(key: string): Promise<string> {
  await served.ask('GET', '/api/v1/organizations', { key });
  return key;
}

/** The number of an organization's events. */
async function writtenIn({ id }: Pick<FullOrganization, 'id'>): Promise<number> {
  const { body } = await served.ask('GET', path(id, '/entitlements'), { key: all });
  return Number(body.revision) + 1;
}
