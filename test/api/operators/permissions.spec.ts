import { randomUUID } from 'node:crypto';
import { type Scope, scopes } from '@charter/identity';
import { openCharter } from '@charter/application';
import { path } from '../../support/requests/organizations';
import { type Allowed, row, table } from '../../support/requests/permission-table';
import { type Route, routesOf } from '../../support/requests/routes';
import { eventsIn, keyId, type Served, serving, paused, resumed, settled } from '../../support/serving';
import { rightRequests, type FullOrganization, fullOrganization } from '../../support/requests/hostile-world';

/** The same for the commands of `POST …/commands`. */
const commandTable: Readonly<Record<string, readonly [Scope, (world: FullOrganization) => object]>> = {
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
  RemoveQualityAssuranceDomain: [row.write, ({ domain }) => ({ domain })],
  AddWebAnalyticsDomain: [row.write, () => ({ hostname: 'more.example' })],
  RemoveWebAnalyticsDomain: [row.write, ({ counter }) => ({ domain: counter })],
  ReportTraffic: [row.operate, () => ({ month: '2026-02', views: 1 })],
};

let served: Served;
let all: string; // every scope, every organization
const keys = new Map<Scope, string>();
beforeAll(async () => {
  served = await serving();
  all = await served.key();
  for (const scope of scopes) keys.set(scope, await served.key({ scopes: [scope] }));
  await served.ask('GET', '/api/v1/organizations', { key: all }); // from now on both doors know it
  for (const key of keys.values()) await served.ask('GET', '/api/v1/organizations', { key });
});
afterAll(() => served.close());

const routes = Object.entries(table) as [Route, Allowed][]; // that is how it is typed
const open = routes.filter(([, allowed]) => allowed === 'open to everyone').map(([route]) => route);
const shut = routes.filter(([, allowed]) => allowed === 'operators, and no key').map(([route]) => route);
const hidden = routes.filter(([, allowed]) => allowed === 'nothing is there').map(([route]) => route);
const leading = routes.filter(([, allowed]) => allowed === 'leads to the sign-in page').map(([route]) => route);
const scopeOf = (allowed: Allowed): Scope[] =>
  allowed === 'each command by its own row' ? [row.write] : scopes.filter((scope) => scope === allowed);
const guarded = routes.flatMap(([route, allowed]) => scopeOf(allowed).map((scope) => [route, scope] as const));
const past = guarded.filter(
  ([route, needs]) =>
    route.startsWith('GET /api/v1/organizations/:id') && needs !== row.audit && !route.includes('/billing'),
);

/** What can be asked for as it was in force. */
const stated = past.map(([route]) => route).filter((route) => !route.endsWith('/single-sign-on'));

/** Every way to ask: through both doors where there are two, and for reads also about the past. */
type Way = readonly [name: string, route: Route, needs: Scope, more: Readonly<{ once?: boolean; query?: string }>];
const hot = ['GET /api/v1/organizations/:id/entitlements/:key', 'POST /api/v1/organizations/:id/members'] as const;
const ways: readonly Way[] = [
  ...guarded.map(([route, needs]): Way => [route, route, needs, {}]),
  ...past.map(([route]): Way => [`${route}?asOf=1`, route, row.audit, { query: '?asOf=1' }]),
  ...stated.map((route): Way => [`${route}?valid=…`, route, row.audit, { query: '?valid=2999-01-01T00:00:00Z' }]),
  [`${hot[0]} by the other door`, hot[0], row.read, { query: '?' }],
  [`${hot[1]} by the other door`, hot[1], row.write, { once: true }],
];

async function askAs(key: string | undefined, [, route, , { once = false, query = '' }]: Way, here: FullOrganization) {
  const { path: at, body } = rightRequests[route]!(here);
  if (route === hot[0]) await settled(served); // only what is in the read model is answered at the hot door
  const headers = once ? { 'Idempotency-Key': randomUUID() } : {}; // what comes with one goes through the other door
  return served.ask(route.split(' ')[0]!, at + query, { key, body, headers });
}

describe('H1, J3: the table of permissions', () => {
  it('names every route of the router, and no other', async () => {
    expect(Object.keys(table).sort()).toEqual(await routesOf(served.runtime));
    expect(guarded.map(([route]) => route).sort()).toEqual(Object.keys(rightRequests).sort());
  });

  it.each(shut)('%s takes an operator, and no key of any scope', async (route) => {
    const [method, at] = route.replace(':id', randomUUID()).split(' ') as [string, string];
    for (const key of [all, ...keys.values()]) {
      const { status, body } = await served.ask(method, at, { key });
      expect([status, body.type]).toEqual([403, '/problems/not-allowed']);
    }
    expect((await served.ask(method, at)).status).toBe(401);
  });

  it.each(hidden)('%s: nothing is there', async (route) => {
    const [method, at] = route.replace(':id', randomUUID()).split(' ') as [string, string];
    expect((await served.ask(method, at)).status).toBe(404);
  });

  it.each(leading)('%s leads to the sign-in page, with any key and without one', async (route) => {
    const at = route.slice('GET '.length).replace('{/*token}', '').replace(':organization', randomUUID());
    for (const key of [undefined, all]) {
      const { status, headers } = await served.ask('GET', at, { key });
      expect([status, headers.location]).toEqual([302, expect.stringMatching(/^\/login\?error=(google|sso)$/)]);
    }
  });

  it.each(open)('%s answers without a key', async (route) => {
    const { status } = await served.ask('GET', route.slice('GET '.length).replace(/\{.*\}/, ''));
    expect([200, 302]).toContain(status);
  });

  it('is held by two doors, and the ways here go through both', async () => {
    const identify = jest.spyOn(served.runtime.callers, 'identify'); // what only the framework's door does
    const here = await fullOrganization(served, all);
    const doors = [];
    for (const way of ways.filter(
      ([name, route]) => (hot as readonly Route[]).includes(route) && !/asOf|valid/.test(name),
    )) {
      identify.mockClear();
      await askAs(all, way, here);
      doors.push([way[0], identify.mock.calls.length]);
    }
    identify.mockRestore();
    const once = served.charter.documents.keys.stamp ? 0 : 1; // where several processes may be, keys are asked for each time
    expect(doors).toEqual([
      [hot[0], once],
      [hot[1], once],
      [`${hot[0]} by the other door`, 1],
      [`${hot[1]} by the other door`, 1],
    ]);
  });

  it.each(ways)('%s: one scope may, five may not', async (...way) => {
    const standing = await fullOrganization(served, all);
    const before = await eventsIn(served);
    for (const [scope, key] of keys) {
      const { status, body } = await askAs(key, way, scope === way[2] ? await fullOrganization(served, all) : standing);
      if (scope === way[2]) expect([scope, Math.floor(status / 100)]).toEqual([scope, 2]);
      else expect([scope, status, body.type]).toEqual([scope, 403, '/problems/not-allowed']);
    }
    expect(await writtenIn(standing)).toBe(WORLD_EVENTS);
    expect(await eventsIn(served)).toBeGreaterThanOrEqual(before);
  });

  it.each(ways)('%s: nothing without a good key', async (...way) => {
    const here = await fullOrganization(served, all);
    const bad = await badKeys();
    const before = await eventsIn(served);
    for (const [name, key] of bad) {
      const { status, body } = await askAs(key, way, here);
      expect([name, status, body.type]).toEqual([name, 401, '/problems/unauthenticated']);
    }
    expect(await eventsIn(served)).toBe(before);
  });

  it.each(ways)('%s: a bound key works at home, and knows nothing of other places', async (...way) => {
    const [home, foreign] = [await fullOrganization(served, all), await fullOrganization(served, all)];
    const key = await warm(await served.key({ organization: home.id }));
    const isFounding = way[1] === 'POST /api/v1/organizations';
    const isList = ['GET /api/v1/organizations', 'GET /api/v1/events'].includes(way[1]);

    const before = await eventsIn(served);
    const { status, body, text } = await askAs(key, way, foreign);
    if (isList) expect([status, text.includes(foreign.id)]).toEqual([200, false]);
    else expect([status, body.type]).toEqual(isFounding ? [403, '/problems/not-allowed'] : [404, noSuchOrganization]);
    expect(await eventsIn(served)).toBe(before);
    expect(Math.floor((await askAs(key, way, home)).status / 100)).toBe(isFounding ? 4 : 2);
  });

  it('another organization is the same as none at all (H2)', async () => {
    const [home, foreign] = [await fullOrganization(served, all), await fullOrganization(served, all)];
    const key = await warm(await served.key({ organization: home.id }));
    for (const way of ways.filter(([, route]) => route.includes('/:id'))) {
      const [theirs, nobodys] = [
        await askAs(key, way, foreign),
        await askAs(key, way, { ...foreign, id: randomUUID() }),
      ];
      expect([way[0], theirs.status]).toEqual([way[0], nobodys.status]);
      expect({ ...theirs.body, instance: '' }).toEqual({ ...nobodys.body, instance: '' });
    }
  });

  it.each(Object.entries(commandTable))('in commands, %s follows its own row', async (type, [needs, data]) => {
    const standing = await fullOrganization(served, all);
    for (const [scope, key] of keys) {
      const here = scope === needs ? await fullOrganization(served, all) : standing;
      const body = { commands: [{ type, data: data(here) }] };
      const answer = await served.ask('POST', path(here.id, '/commands'), { key, body });
      const { type: problem, index } = answer.body as { type?: string; index?: number };
      if (scope === needs) expect([scope, answer.status]).toEqual([scope, 200]);
      else expect([scope, answer.status, problem, index]).toEqual([scope, 403, '/problems/not-allowed', 0]);
    }
    expect(await writtenIn(standing)).toBe(WORLD_EVENTS);
  });

  it('of several commands the first that is not allowed stops all, and each is judged after the ones before it', async () => {
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
    expect(await writtenIn({ id })).toBe(WORLD_EVENTS);
  });

  it('a key that another process revoked is good for nothing more, at both doors (J4)', async () => {
    const here = await fullOrganization(served, all);
    const key = await warm(await served.key());
    const beside = await openCharter(served.charter.settings, 'beside');
    await beside.documents.keys.revoke(await keyId(served, key), served.clock.now());
    await beside.close();
    for (const way of ways.filter(([, route]) => (hot as readonly Route[]).includes(route)))
      expect([way[0], (await askAs(key, way, here)).status]).toEqual([way[0], 401]);
  });

  it('holds with the projection paused (H6)', async () => {
    await paused(served);
    const here = await fullOrganization(served, all);
    for (const way of ways.filter(([, route]) => route !== 'GET /api/v1/organizations')) {
      const wrong = way[2] === 'flags:read' ? 'audit:read' : 'flags:read';
      expect([way[0], (await askAs(keys.get(wrong), way, here)).status]).toEqual([way[0], 403]);
      expect([
        way[0],
        Math.floor((await askAs(keys.get(way[2]), way, await fullOrganization(served, all))).status / 100),
      ]).toEqual([way[0], 2]);
    }
    await resumed(served);
  });
});

const noSuchOrganization = '/problems/no-such-organization';

/** Keys that were good, known to both doors, and are no longer; and what never was one. */
async function badKeys(): Promise<readonly (readonly [string, string | undefined])[]> {
  served.clock.advance(60_000); // nobody has presented too many wrong keys in this minute
  const revoked = await warm(await served.key());
  await served.charter.documents.keys.revoke(await keyId(served, revoked), served.clock.now());
  const expired = await warm(await served.key({ expires: new Date(served.clock.now() + 60).toISOString() }));
  await new Promise((resolve) => setTimeout(resolve, 70));
  return [
    ['nobody', undefined],
    ['unknown', `chk_${'0'.repeat(12)}_${'A'.repeat(43)}`],
    ['revoked', revoked],
    ['expired', expired],
  ];
}

async function warm(key: string): Promise<string> {
  await served.ask('GET', '/api/v1/organizations', { key });
  return key;
}

/** How many events an organization has. */
async function writtenIn({ id }: Pick<FullOrganization, 'id'>): Promise<number> {
  const { body } = await served.ask('GET', path(id, '/entitlements'), { key: all });
  return Number(body.revision) + 1;
}
const WORLD_EVENTS = 8;
