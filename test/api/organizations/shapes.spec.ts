import { randomUUID } from 'node:crypto';
import { loadCatalogue } from '@charter/catalogue';
import { Feature, Resource } from '@charter/organization';
import { limitsThatDiffer } from '../../../libs/organization/src/testing/organization.testing';
import { done, founded, path } from '../../support/requests/organizations';
import { type Served, serving, settled } from '../../support/serving';
import { tag } from '../../support/tags';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const uuid = expect.stringMatching(UUID);
const moment = expect.stringMatching(MOMENT);

let served: Served;
let key: string;
let example: string;
const ask: Served['ask'] = (method, at, sent = {}) => served.ask(method, at, { key, ...sent });
beforeAll(async () => {
  served = await serving();
  key = await served.key();
  example = (await solo()).id;
  await settled(served);
});
afterAll(() => served.close());

/**
 * Founds an organization with the plan `second/solo` and three add-ons `additionalUser`, as in the example of `api.md`.
 */
async function solo(): Promise<{ id: string; owner: string }> {
  const owner = randomUUID();
  const id = await founded(served, { by: key, owner });
  await done(
    served,
    key,
    id,
    ['PUT', '/plan', { line: 'second', plan: 'solo' }],
    ['POST', '/add-ons', { addOn: 'additionalUser', quantity: 3 }],
  );
  return { id, owner };
}

describe('Write', () => {
  it("that adds a member gets 201 with the member's location and id, the revision and the events", async () => {
    const { id } = await solo();
    const user = randomUUID();
    const made = await ask('POST', path(id, '/members'), { body: { user, role: 'member' } });
    expect([made.status, made.headers.etag, made.headers.location]).toEqual([
      201,
      tag(4),
      path(id, `/members/${user}`),
    ]);
    expect(made.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(made.body).toEqual({
      id: user,
      revision: 4,
      events: [{ type: 'MemberAdded', data: { member: user, role: 'member' } }],
    });
  });

  it.each([
    ['/sites', { hostname: 'shop.example' }, 'SiteAdded'],
    ['/add-ons', { addOn: 'webAnalytics' }, 'AddOnPurchased'],
  ])(
    "to %s returns the new item's id, and a Location at which the caller can delete the item",
    async (rest, body, type) => {
      const { id } = await solo();
      const made = await ask('POST', path(id, rest), { body });
      expect(made.body).toMatchObject({ id: uuid, revision: 4, events: [{ type }] });
      expect(made.headers.location).toBe(path(id, `${rest}/${made.body.id}`));
      expect((await ask('DELETE', made.headers.location!)).status).toBe(200);
    },
  );

  it("that founds an organization returns the organization's location", async () => {
    const made = await ask('POST', '/api/v1/organizations', { body: { name: 'Acme' } });
    expect(made.body).toEqual({
      id: uuid,
      revision: 0,
      events: [{ type: 'OrganizationFounded', data: { name: 'Acme' } }],
    });
    expect([made.status, made.headers.location]).toEqual([201, path(made.body.id)]);
  });

  it('that changes nothing gets an answer with no events and the current revision', async () => {
    const { id, owner } = await solo();
    const again = await ask('POST', path(id, '/members'), { body: { user: owner, role: 'owner' } });
    expect([again.status, again.headers.etag, again.headers.location]).toEqual([200, tag(3), undefined]);
    expect(again.body).toEqual({ id: owner, revision: 3, events: [] });
    const product = await ask('PUT', path(id, '/product'), { body: { enabled: true } });
    expect([product.status, product.body.events.length]).toEqual([200, 1]);
    expect((await ask('PUT', path(id, '/product'), { body: { enabled: true } })).body).toEqual({
      revision: 4,
      events: [],
    });
  });

  it('with several commands returns the revision of the last event', async () => {
    const { id } = await solo();
    const commands = [{ type: 'RenameOrganization', data: { name: 'Acme Ltd' } }, { type: 'DisableProduct' }];
    const answer = await ask('POST', path(id, '/commands'), { body: { commands } });
    expect([answer.status, answer.headers.etag]).toEqual([200, tag(5)]);
    expect(answer.body).toEqual({
      revision: 5,
      events: [
        { type: 'OrganizationRenamed', data: { name: 'Acme Ltd' } },
        { type: 'ProductDisabled', data: {} },
      ],
    });
  });

  it("by PATCH records only the changed value if it names a member's role and `productUser`", async () => {
    const { id, owner } = await solo();
    const answer = await ask('PATCH', path(id, `/members/${owner}`), { body: { productUser: true, role: 'owner' } });
    expect(answer.body).toEqual({ revision: 4, events: [{ type: 'ProductUserFlagged', data: { member: owner } }] });
    const user = randomUUID();
    await done(served, key, id, ['POST', '/members', { user, role: 'member' }]);
    const other = await ask('PATCH', path(id, `/members/${user}`), { body: { productUser: false, role: 'admin' } });
    expect(other.body).toEqual({
      revision: 6,
      events: [{ type: 'MemberRoleChanged', data: { member: user, role: 'admin' } }],
    });
  });
});

describe('Entitlements', () => {
  it('list every limit and feature, each with its reasons', async () => {
    const { id } = await solo();
    const { status, body } = await ask('GET', path(id, '/entitlements'));
    expect(status).toBe(200);
    expect(Object.keys(body.limits)).toEqual(Resource.options);
    expect(Object.keys(body.features)).toEqual(Feature.options);
    expect(Feature.options).toHaveLength(17);
    expect(body).toMatchObject({ organization: id, revision: 3, at: moment });
    expect(body.limits.users).toEqual({
      limit: 2,
      unlimited: false,
      configured: 4,
      hard: 2,
      overridden: false,
      used: 1,
      remaining: 1,
      over: 0,
      because: [
        { kind: 'plan', what: 'second/solo', amount: 1, event: 2, at: moment },
        { kind: 'add-on', what: 'additionalUser', quantity: 3, amount: 3, event: 3, at: moment },
        { kind: 'hard-limit', what: 'second/solo', amount: 2, event: 2, at: moment },
      ],
    });
    expect(body.limits.qualityAssuranceDomains).toMatchObject({
      limit: 0,
      unlimited: false,
      remaining: 0,
      gate: { feature: 'qualityAssurance', on: false },
    });
    expect(body.limits.webAnalyticsDomains).toMatchObject({
      limit: 1000,
      remaining: 0,
      because: [{ kind: 'always', amount: 1000 }],
      gate: { feature: 'webAnalytics', on: false },
    });
    expect(body.features.feedback).toEqual({
      on: true,
      because: [{ kind: 'plan', what: 'second/solo', event: 2, at: moment }],
    });
    expect(body.features.matomoIntegration).toEqual({
      on: false,
      because: [{ kind: 'not-in-plan', what: 'second/solo', event: 2, at: moment }],
    });
    expect(body.traffic).toEqual({ month: null, views: 0, allowance: 100_000, mark: null, because: [] });
  });

  it('show null, never 0, if there is no limit', async () => {
    const id = await founded(served, { by: key });
    const { body } = await ask('GET', path(id, '/entitlements/users'));
    expect(body).toMatchObject({
      limit: null,
      unlimited: true,
      configured: null,
      hard: null,
      remaining: null,
      used: 0,
    });
    expect(body.because).toEqual([{ kind: 'none', what: 'no plan', amount: null, event: 0, at: moment }]);
  });

  it('show the newest month of traffic, and whether its views have reached 80 % or 100 % of the allowance (`mark`)', async () => {
    const { id } = await solo();
    await done(served, key, id, ['POST', '/traffic', { month: '2026-10', views: 82_000 }]);
    expect((await ask('GET', path(id, '/entitlements'))).body.traffic).toEqual({
      month: '2026-10',
      views: 82_000,
      allowance: 100_000,
      mark: 80,
      because: [
        { kind: 'report', what: '2026-10', amount: 82_000, event: 4, at: moment },
        { kind: 'plan', what: 'second/solo', amount: 100_000, event: 2, at: moment },
      ],
    });
  });

  it.each([...Resource.options, ...Feature.options])(
    'of %s alone equal the same part of all entitlements, on the fast path and on the Nest route',
    async (name) => {
      const id = example;
      await settled(served); // the answer contains the lag of the read model, which changes between two requests
      const whole = (await ask('GET', path(id, '/entitlements'))).body;
      const inner = whole.limits[name] ?? whole.features[name];
      const [one, other] = [
        await ask('GET', path(id, `/entitlements/${name}`)),
        await ask('GET', path(id, `/entitlements/${name}?`)),
      ];
      expect(one.body).toEqual({ organization: id, revision: whole.revision, at: whole.at, key: name, ...inner });
      expect([one.text, one.headers.etag, one.headers['charter-lag']]).toEqual([
        other.text,
        other.headers.etag,
        other.headers['charter-lag'],
      ]);
    },
  );
});

describe('Public document', () => {
  it('has the fields of the specification, and the fields that Charter adds', async () => {
    const { id, owner } = await solo();
    await done(served, key, id, ['POST', '/sites', { hostname: 'münchen.de', name: 'Shop' }]);
    const { body } = await ask('GET', path(id));
    expect(body).toEqual({
      _id: id,
      revision: 4,
      at: moment,
      name: 'Acme',
      founded: { event: 0, at: moment },
      closed: false,
      closure: null,
      plans: { first: null, second: { plan: 'solo', effectiveAt: moment } },
      pulse: true,
      pulseDetails: { plan: 'solo', parallelUse: null },
      pulseFeatures: expect.objectContaining({ multiSite: false, feedback: true }),
      limits: {
        users: 4,
        contentSections: 1,
        qualityAssuranceDomains: 0,
        webAnalyticsDomains: 1000,
        override: false,
      },
      members: [
        {
          ...{ _id: owner, role: 'owner', pulseUser: false },
          ...{ since: { event: 1, at: moment }, roleSince: { event: 1, at: moment } },
        },
      ],
      sites: [
        {
          _id: uuid,
          hostname: 'xn--mnchen-3ya.de',
          unicode: 'münchen.de',
          name: 'Shop',
          features: expect.objectContaining({ logo: false }),
          report: { weekly: false, monthly: true },
          live: true,
          since: { event: 4, at: moment },
        },
      ],
      qualityAssurance: { domains: [] },
      webAnalytics: { domains: [] },
      serviceLevel: 'none',
      addOns: [
        { purchase: uuid, addOn: 'additionalUser', quantity: 3, effectiveAt: moment, since: { event: 3, at: moment } },
      ],
      since: { plans: { first: null, second: { event: 2, at: moment } }, serviceLevel: { event: 0, at: moment } },
    });
    expect(Object.keys(body.pulseFeatures).sort()).toEqual([...Feature.options].sort());
  });

  it.each([
    [{ PRODUCT_NAME: 'Signal Box' }, 'signalBox'],
    [{ PRODUCT_NAME: 'Signal Box', PRODUCT_KEY: 'signals' }, 'signals'],
  ])('with the settings %j names the fields of the product after %s', async (environment, product) => {
    const other = await serving({ environment });
    const by = await other.key();
    const id = await founded(other, { by, owner: randomUUID() });
    const { body } = await other.ask('GET', path(id), { key: by });
    expect(Object.keys(body).filter((name) => name.startsWith(product))).toEqual([
      product,
      `${product}Details`,
      `${product}Features`,
    ]);
    expect(body.members[0]).toHaveProperty(`${product}User`, false);
    expect(JSON.stringify(body)).not.toContain('pulse');
    expect((await other.ask('GET', '/')).text).toContain('Signal Box');
    await other.close();
  });
});

describe('The recipients of notifications', () => {
  it('include the owner of the organization', async () => {
    const { id, owner } = await solo();
    const { body } = await ask('GET', path(id, '/notification-recipients'));
    expect(body).toEqual({ organization: id, revision: 3, at: moment, recipients: [owner] });
  });
});

describe('List of organizations', () => {
  it('lists each organization once over all pages, also with equal names and at the page sizes 1, 2, 3 and 100', async () => {
    const ids = [];
    for (const name of ['Twin', 'Twin', 'twin', 'Twin 2', 'A twin', 'TWIN', 'Ñandú twin'])
      ids.push(await founded(served, { by: key, name }));
    await settled(served);
    for (const limit of [1, 2, 3, 100]) {
      const seen = await listed(`q=twin&limit=${limit}`);
      expect(seen.map(({ id }) => id).sort()).toEqual([...ids].sort());
      expect(seen.map(({ name }) => name.toLowerCase())).toEqual(seen.map(({ name }) => name.toLowerCase()).sort());
    }
  });

  it('shows id, name, plans and revision of each organization, and the lag of the read model in a header', async () => {
    const { id } = await solo();
    await done(served, key, id, ['PATCH', '', { name: 'Unlike any other' }]);
    await settled(served);
    const { headers, body } = await ask('GET', '/api/v1/organizations?q=LIKE%20any');
    expect(body).toEqual({
      organizations: [
        {
          id,
          name: 'Unlike any other',
          plans: { first: null, second: { plan: 'solo', effectiveAt: moment } },
          revision: 4,
        },
      ],
      next: null,
    });
    expect(headers['charter-lag']).toMatch(/^\d+(\.\d+)?$/);
  });

  it('finds the same text for an API key of one organization, in any case and Unicode form', async () => {
    const id = await founded(served, { by: key, name: 'Ｃａｆé Äther' });
    const bound = await served.key({ organization: id, scopes: ['organizations:read'] });
    await settled(served);
    for (const [text, count] of [
      ['CAFÉ ÄTHER', 1],
      ['cafe\u0301 a\u0308', 1],
      ['ｃａｆ', 1],
      ['cafe', 0],
    ] as const) {
      const query = `/api/v1/organizations?q=${encodeURIComponent(text)}`;
      for (const by of [key, bound])
        expect([text, (await served.ask('GET', query, { key: by })).body.organizations.length]).toEqual([text, count]);
    }
  });

  it('finds the organizations that hold the plan in the parameter `plan`', async () => {
    const [one, two] = [await solo(), await founded(served, { by: key, name: 'Filtered' })];
    await done(served, key, two, ['PUT', '/plan', { line: 'first', plan: 'enterprise' }]);
    await settled(served);
    expect((await listed('plan=first/enterprise')).map(({ id }) => id)).toEqual([two]);
    const solos = (await listed('plan=second/solo')).map(({ id }) => id);
    expect([solos.includes(one.id), solos.includes(two)]).toEqual([true, false]);
    expect(await listed('plan=second/none')).toEqual([]);
  });

  it('returns 20 organizations by default', async () => {
    for (let index = 0; index < 21; index += 1) await founded(served, { by: key, name: `Many ${index}` });
    await settled(served);
    const { body } = await ask('GET', '/api/v1/organizations?q=many');
    expect([body.organizations.length, typeof body.next]).toEqual([20, 'string']);
  });

  it.each([
    'limit=0',
    'limit=101',
    'limit=1.5',
    'limit=x',
    'limit=1&limit=2',
    'cursor=forged',
    'cursor=',
    'q=%00',
    'q=a%0Ab',
    'plan=solo',
    'page=2',
  ])('refuses %s', async (query) => {
    const { status, body } = await ask('GET', `/api/v1/organizations?${query}`);
    expect([status, body.type]).toEqual([400, '/problems/malformed']);
    expect(body.errors.length).toBeGreaterThan(0);
  });
});

describe('Preview', () => {
  it('shows only the changes that the commands would make, and the revision for If-Match', async () => {
    const id = await founded(served, { by: key });
    await done(served, key, id, ['PUT', '/plan', { line: 'second', plan: 'teams' }]);
    for (let seat = 0; seat < 4; seat += 1)
      await done(served, key, id, ['POST', '/members', { user: randomUUID(), role: 'member' }]);
    const { status, body } = await ask('POST', path(id, '/plan/preview'), { body: { line: 'second', plan: 'solo' } });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      revision: 5,
      events: [{ type: 'PlanAssigned', data: expect.objectContaining({ line: 'second', plan: 'solo' }), command: 0 }],
      limits: {
        users: { before: { limit: 5, used: 4, over: 0 }, after: { limit: 1, used: 4, over: 3 } },
        contentSections: { before: { limit: 2, used: 0, over: 0 }, after: { limit: 1, used: 0, over: 0 } },
      },
      features: { gained: [], lost: expect.arrayContaining(['matomoIntegration', 'multiSite']) },
    });
    const { terms } = loadCatalogue();
    expect(Object.keys(body.limits)).toEqual(limitsThatDiffer(terms('second', 'teams')!, terms('second', 'solo')!));
    expect((await ask('GET', path(id))).headers.etag).toBe(tag(5));

    const headers = { 'If-Match': String(body.revision) };
    const real = await ask('PUT', path(id, '/plan'), { body: { line: 'second', plan: 'solo' }, headers });
    expect([real.status, real.body.revision]).toEqual([200, 6]);
    expect((await ask('GET', path(id, '/entitlements/users'))).body).toMatchObject({ limit: 1, used: 4, over: 3 });
  });

  it('shows the combined effect of a plan, add-ons and a service level', async () => {
    const { id } = await solo();
    const change = {
      line: 'second',
      plan: null,
      addOns: [{ addOn: 'feedback', quantity: 1 }],
      serviceLevel: 'turnkey',
    };
    const { body } = await ask('POST', path(id, '/plan/preview'), { body: change });
    expect(body.events.map(({ type }: { type: string }) => type)).toEqual([
      'PlanEnded',
      'AddOnPurchased',
      'ServiceLevelAssigned',
    ]);
    expect(body.features.gained).toContain('chatSupport');
    expect(body.features.lost).toContain('emailNotifications');
  });

  it('answers with the problem of a refused command; for a list, the problem contains the index of the command', async () => {
    const { id } = await solo();
    const unknown = await ask('POST', path(id, '/plan/preview'), { body: { line: 'second', plan: 'none' } });
    expect([unknown.status, unknown.body.type, unknown.body.index]).toEqual([409, '/problems/unknown-plan', undefined]);
    const commands = [{ type: 'EnableProduct' }, { type: 'CancelAddOn', data: { purchase: 'none' } }];
    const listed = await ask('POST', path(id, '/preview'), { body: { commands } });
    expect([listed.status, listed.body.type, listed.body.index]).toEqual([404, '/problems/no-such-purchase', 1]);
    expect((await ask('GET', path(id))).headers.etag).toBe(tag(3));
  });
});

describe('Refusal', () => {
  it('names the limit, the allowed number and the used number, and the events that led to them', async () => {
    const { id } = await solo();
    await done(served, key, id, ['POST', '/members', { user: randomUUID(), role: 'member' }]);
    const refused = await ask('POST', path(id, '/members'), { body: { user: randomUUID(), role: 'member' } });
    expect(refused.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(refused.body).toEqual({
      type: '/problems/limit-exceeded',
      title: 'The limit is reached',
      status: 409,
      detail: '2 of 2 users are taken.',
      instance: refused.headers['request-id'],
      limit: 'users',
      allowed: 2,
      used: 2,
      requested: 1,
      hard: 2,
      because: (await ask('GET', path(id, '/entitlements/users'))).body.because,
    });
  });

  it("names the reason why a feature is off, and everything in today's catalogue that would turn it on", async () => {
    const { id } = await solo();
    const body = { hostname: 'wa.example' };
    const refused = await ask('POST', path(id, '/web-analytics/domains'), { body });
    expect(refused.body).toEqual({
      type: '/problems/feature-off',
      title: 'The feature is off',
      status: 409,
      detail:
        'The feature webAnalytics is off: not in second/solo (event 2). ' +
        "By today's catalogue, each of these would turn it on: first/enterprise, second/enterprise, add-on webAnalytics.",
      instance: refused.headers['request-id'],
      feature: 'webAnalytics',
      because: (await ask('GET', path(id, '/entitlements/webAnalytics'))).body.because,
      today: (await ask('GET', '/api/v1/catalogue')).body.features.webAnalytics,
    });
    await done(served, key, id, ['POST', '/add-ons', { addOn: 'webAnalytics' }]);
    expect((await ask('POST', path(id, '/web-analytics/domains'), { body })).status).toBe(201);
  });

  it('names each invalid field', async () => {
    const { id } = await solo();
    const { status, body } = await ask('POST', path(id, '/members'), { body: { user: 'me', role: 'king' } });
    expect([status, body.type]).toEqual([400, '/problems/malformed']);
    expect(body.errors.map((error: { path: string }) => error.path)).toEqual(['user', 'role']);
    expect(body.errors[0].message).not.toBe('');
  });

  it('is 404 for an unknown path, and 405 for a wrong method', async () => {
    expect((await ask('GET', '/nowhere')).body).toMatchObject({ type: '/problems/not-found', status: 404 });
    const wrong = await ask('PUT', '/api/v1/organizations');
    expect([wrong.status, wrong.headers.allow]).toEqual([405, 'GET, HEAD, POST']);
  });
});

async function listed(query: string): Promise<{ id: string; name: string }[]> {
  const found: { id: string; name: string }[] = [];
  for (let cursor = ''; ;) {
    const { body } = await ask('GET', `/api/v1/organizations?${query}${cursor}`);
    found.push(...body.organizations);
    if (body.next === null) return found;
    cursor = `&cursor=${body.next}`;
  }
}
