import { randomUUID } from 'node:crypto';
import { acts } from '../../support/requests/people-requests';
import { path } from '../../support/requests/organizations';
import { type Browser, browser, person, signedIn } from '../../support/sign-in/people';
import type { Route } from '../../support/requests/routes';
import { everyEventIn, eventsOf, type Served, serving } from '../../support/serving';
import { type FullOrganization, fullOrganization } from '../../support/requests/full-organization';

let served: Served;
let all: string;
let home: FullOrganization;
let foreign: FullOrganization;
let alice: Browser;
beforeAll(async () => {
  served = await serving({ environment: { RATE_LIMITS: 'off' } });
  all = await served.key();
  [home, foreign] = [await fullOrganization(served, all), await fullOrganization(served, all)];
  const account = await person(served);
  const body = { user: account.id, role: 'admin' };
  await served.ask('POST', path(home.id, '/members'), { key: all, body });
  alice = await signedIn(served, account);
});
afterAll(() => served.close());

describe('H3: Id of another organization inside a body', () => {
  const commands: readonly (readonly [string, (of: FullOrganization) => object])[] = [
    ['ChangeRole', ({ member }) => ({ member, role: 'owner' })],
    ['RemoveMember', ({ member }) => ({ member })],
    ['FlagProductUser', ({ member }) => ({ member })],
    ['UnflagProductUser', ({ member }) => ({ member })],
    ['RenameSite', ({ site }) => ({ site, name: 'Shop' })],
    ['ChangeSiteFeatures', ({ site }) => ({ site, features: { logo: false } })],
    ['RemoveSite', ({ site }) => ({ site })],
    ['RemoveQualityAssuranceDomain', ({ qualityAssuranceDomain }) => ({ domain: qualityAssuranceDomain })],
    ['RemoveWebAnalyticsDomain', ({ webAnalyticsDomain }) => ({ domain: webAnalyticsDomain })],
  ];
  const missing = (): FullOrganization => ({
    ...foreign,
    member: randomUUID(),
    site: randomUUID(),
    qualityAssuranceDomain: randomUUID(),
    webAnalyticsDomain: randomUUID(),
  });

  it.each(commands)('gets the same answer from %s as an id that does not exist', async (type, data) => {
    const before = await everyEventIn(served);
    for (const rest of ['/commands', '/preview']) {
      const ask = async (of: FullOrganization) => {
        const sent = {
          commands: [
            { type: 'ChangeParallelUse', data: { parallelUse: true } },
            { type, data: data(of) },
          ],
        };
        const { status, body } = await alice.send('POST', path(home.id, rest), sent);
        return { status, body: { ...body, instance: '' } };
      };
      const [theirs, none] = [await ask(foreign), await ask(missing())];
      expect(theirs).toEqual(none);
      expect([theirs.status, theirs.body.index]).toEqual([404, 1]);
    }
    expect(await everyEventIn(served)).toBe(before);
  });
});

describe('H8: Extra fields of a body about people, keys and sessions', () => {
  const canary = randomUUID();
  const planted = {
    ...{ role: 'operator', orgId: canary, organization: canary, isOperator: true, limits: { users: 9 }, plan: canary },
    ...{ version: 7, id: canary, createdAt: canary, state: 'active', passwordHash: canary, emailVerified: true },
    ...{ actor: { kind: 'account', id: canary, powers: ['operator'] }, account: canary, hash: canary },
  };

  it.each(Object.keys(acts) as Route[])('are refused or ignored by %s', async (route) => {
    const account = await person(served, { role: 'operator' });
    const by = await signedIn(served, account);
    const { path: at, body } = await acts[route]!(served, account);
    const { accounts } = served.charter.database.people;
    const operators = async () =>
      (await accounts.list({ limit: 100 })).accounts.filter(({ role }) => role === 'operator').length;
    const before = await operators();
    const { status } = await by.send(route.split(' ')[0]!, at, { ...planted, ...body });
    if (route === 'POST /login') expect(status).toBe(401);
    else if (body) expect([route, status]).toEqual([route, 400]);
    else expect([200, 204, 400]).toContain(status);
    expect(await operators()).toBe(before);
    await served.runtime.backgroundWork.settled();
    expect(JSON.stringify((await eventsOf(served, '')).map(({ data, metadata }) => [data, metadata]))).not.toContain(
      canary,
    );
    expect((await served.charter.database.keys.list()).filter(({ organization }) => organization === canary)).toEqual(
      [],
    );
  });
});

describe('H12: Ids', () => {
  it('are random UUIDs (version 4), and their parts hardly ever repeat', async () => {
    const ids = [home.id, foreign.id];
    for (let count = 0; count < 20; count += 1) {
      const { body } = await served.ask('POST', '/api/v1/organizations', { key: all, body: { name: 'Acme' } });
      ids.push(body.id as string);
    }
    for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    for (const part of [0, 1, 4]) expect(new Set(ids.map((id) => id.split('-')[part])).size).toBeGreaterThan(20);
  });

  it('cannot be guessed: none of 10,000 ids near a known id exists', async () => {
    const last = BigInt(`0x${home.id.slice(-12)}`);
    const near = (step: number) =>
      `${home.id.slice(0, -12)}${((last + BigInt(step)) & 0xffff_ffff_ffffn).toString(16).padStart(12, '0')}`;
    const statuses = new Map<number, number>();
    for (let step = 1; step <= 5_000; step += 50)
      await Promise.all(
        Array.from({ length: 50 }, (_, index) => step + index).flatMap((far) =>
          [near(far), near(-far)].map(async (id) => {
            const { status } = await alice.get(path(id));
            statuses.set(status, (statuses.get(status) ?? 0) + 1);
          }),
        ),
      );
    expect([...statuses]).toEqual([[404, 10_000]]);
    expect((await alice.get(path(home.id))).status).toBe(200);
  }, 120_000);
});

describe('A17: Fresh installation', () => {
  it('has no account and no API key; sign-ins with common default names and passwords are refused', async () => {
    const fresh = await serving({ environment: { RATE_LIMITS: 'off' } });
    expect((await fresh.charter.database.people.accounts.list({ limit: 1 })).accounts).toEqual([]);
    expect(await fresh.charter.database.keys.list()).toEqual([]);
    const names = [
      'admin',
      'root',
      'operator',
      'charter',
      'admin@localhost',
      'admin@example.com',
      'op@charter.example',
    ];
    const passwords = ['', 'admin', 'password', 'charter', 'changeme', 'letmein', '123456', 'secret', 'root', 'demo'];
    const more = [
      'administrator',
      'default',
      'guest',
      'test',
      'toor',
      'qwerty',
      'welcome',
      'operator',
      '12345678',
      'pass',
    ];
    const page = await browser(fresh);
    for (const username of names)
      for (const password of [...passwords, ...more])
        expect([username, password, (await page.logIn(username, password)).status]).toEqual([username, password, 401]);
    await fresh.close();
  }, 60_000);
});
