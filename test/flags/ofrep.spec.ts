import { randomUUID } from 'node:crypto';
import { type Flag, flagKeys } from '@charter/organization-view';
import type { Sent } from '../support/requests/http';
import { done, founded, path } from '../support/requests/organizations';
import { accountEventsOf, comparable, person, signedIn } from '../support/sign-in/people';
import { type Served, serving, settled } from '../support/serving';

const FLAGS = '/ofrep/v1/evaluate/flags';

let served: Served;
let all: string; // an API key with every scope
let flagsKey: string;
let acme: Readonly<{ id: string; owner: string; site: string }>;
beforeAll(async () => {
  served = await serving();
  all = await served.key();
  flagsKey = await served.key({ scopes: ['flags:read'] });
  acme = await sold();
});
afterAll(() => served.close());

/** An organization with the plan Solo, three additional users, an owner, and a site. */
async function sold() {
  const [owner, site] = [randomUUID(), randomUUID()];
  const id = await founded(served, { by: all, owner });
  await done(
    served,
    all,
    id,
    ['PUT', '/plan', { line: 'second', plan: 'solo' }],
    ['POST', '/add-ons', { addOn: 'additionalUser', quantity: 3 }],
  );
  const commands = [{ type: 'AddSite', data: { site, hostname: 'shop.example' } }];
  await done(served, all, id, ['POST', '/commands', { commands }]);
  await settled(served);
  return { id, owner, site };
}

type Evaluated = Readonly<{
  key?: string;
  headers?: Sent['headers'];
  context?: unknown;
  body?: unknown;
  query?: string;
}>;
const evaluate = (flag: string, { key = flagsKey, headers = {}, context, body = { context }, query = '' }: Evaluated) =>
  served.ask('POST', `${FLAGS}${flag}${query}`, { key, headers, body });
const allOf = (targetingKey: string, sent: Evaluated = {}) => evaluate('', { context: { targetingKey }, ...sent });
const one = (flag: string, targetingKey: string, sent: Evaluated = {}) =>
  evaluate(`/${flag}`, { context: { targetingKey }, ...sent });

describe('Bulk evaluation', () => {
  it('answers all flags of an organization, with the revision in the metadata of the answer', async () => {
    const { status, body } = await allOf(acme.id);
    expect([status, body.flags.map((flag: Flag) => flag.key)]).toEqual([200, flagKeys.organization]);
    expect(body.flags.find((flag: Flag) => flag.key === 'limit.users')).toMatchObject({
      ...{ value: 2, variant: 'limited', reason: 'TARGETING_MATCH' },
      metadata: {
        because: expect.stringMatching(/^plan second\/solo \(event 2\) \+ additionalUser ×3 \(event 3\); hard/),
      },
    });
    expect(body.metadata).toEqual({ contextId: acme.id, flagSetId: acme.id, version: '4', revision: 4 });
  });

  it('has the headers with the lag of the read model, and so has the answer to a single flag', async () => {
    for (const { headers } of [await allOf(acme.id), await one('feedback', acme.id)])
      expect(headers).toMatchObject({
        'charter-lag': expect.stringMatching(/^\d+(\.\d+)?$/),
        'charter-lag-events': expect.stringMatching(/^\d+$/),
      });
  });

  it('has the same values as the entitlements', async () => {
    const { body: entitlements } = await served.ask('GET', path(acme.id, '/entitlements'), { key: all });
    const values = new Map((await allOf(acme.id)).body.flags.map(({ key, value }: Flag) => [key, value]));
    for (const [feature, { on }] of Object.entries<{ on: boolean }>(entitlements.features))
      expect([feature, values.get(feature)]).toEqual([feature, on]);
    for (const [resource, { limit, remaining }] of Object.entries<{ limit: number | null; remaining: number | null }>(
      entitlements.limits,
    ))
      expect([resource, values.get(`limit.${resource}`), values.get(`remaining.${resource}`)]).toEqual([
        resource,
        limit ?? 2_147_483_647,
        remaining ?? 2_147_483_647,
      ]);
  });

  it('answers the flags of a site and of a member', async () => {
    const { body: ofSite } = await allOf(`${acme.id}/sites/${acme.site}`);
    expect(ofSite.flags.map((flag: Flag) => flag.key)).toEqual(flagKeys.site);
    expect(ofSite.metadata).toMatchObject({ contextId: `${acme.id}/sites/${acme.site}`, flagSetId: acme.id });
    const { body: ofOwner } = await allOf(`${acme.id}/users/${acme.owner.toUpperCase()}`);
    expect(ofOwner.flags).toMatchObject([
      { key: 'role', value: 'owner' },
      { key: 'notified', value: true },
    ]);
  });

  it('ignores every attribute of the context except the targeting key and asOf', async () => {
    const context = { targetingKey: acme.id, plan: 'enterprise', nested: { feedback: true }, kind: null };
    const { headers, body } = await evaluate('', { context });
    expect([body.flags, headers.etag]).toEqual([
      (await allOf(acme.id)).body.flags,
      (await allOf(acme.id)).headers.etag,
    ]);
  });

  it('answers 304 to its own ETag, with or without quotes, and only for the same subject', async () => {
    const { headers } = await allOf(acme.id);
    const tag = headers.etag!;
    for (const known of [tag, tag.replaceAll('"', ''), `"other", W/${tag}`]) {
      const again = await allOf(acme.id, { headers: { 'If-None-Match': known } });
      expect([again.status, again.text, again.headers.etag]).toEqual([304, '', tag]);
    }
    const other = await allOf(`${acme.id}/sites/${acme.site}`, { headers: { 'If-None-Match': tag } });
    expect([other.status, other.headers.etag === tag]).toEqual([200, false]);
  });

  it('keeps the ETag after an event that changes no flag, and changes it after an event that changes a flag', async () => {
    const { id } = await sold();
    const before = (await allOf(id)).headers.etag!;
    await done(served, all, id, ['PATCH', '', { name: 'Another name' }]);
    expect((await allOf(id, { headers: { 'If-None-Match': before } })).status).toBe(304);
    await done(served, all, id, ['POST', '/members', { user: randomUUID(), role: 'member' }]);
    const after = await allOf(id, { headers: { 'If-None-Match': before } });
    expect([after.status, after.headers.etag === before]).toEqual([200, false]);
  });

  it('changes the ETag of unchanged flags after 45 minutes', async () => {
    const before = (await allOf(acme.id)).headers.etag!;
    served.clock.advance(45 * 60_000);
    const after = await allOf(acme.id, { headers: { 'If-None-Match': before } });
    expect([after.status, after.headers.etag === before]).toEqual([200, false]);
  });

  it('waits for the revision in flagConfigEtag, and answers 503 if the organization has not reached it', async () => {
    const made = await served.ask('POST', path(acme.id, '/traffic'), {
      key: all,
      body: { month: '2026-01', views: 1 },
    });
    const { revision } = made.body as { revision: number };
    const reached = await allOf(acme.id, { query: `?flagConfigEtag=${encodeURIComponent(`"r${revision}"`)}` });
    expect(reached.body.metadata.revision).toBe(revision);
    const early = await allOf(acme.id, { query: `?flagConfigEtag=r${revision + 1}` });
    expect([early.status, early.headers['retry-after'], early.body.errorCode]).toEqual([503, '1', 'GENERAL']);
  });

  it('ignores a flagConfigEtag of another form, and unknown parameters', async () => {
    for (const query of ['?flagConfigEtag=abc.1', '?flagConfigEtag=r1&flagConfigEtag=r2', '?flagConfigLastModified=1'])
      expect([query, (await allOf(acme.id, { query })).status]).toEqual([query, 200]);
  });

  it('answers false, and never no value, for the features of a closed organization', async () => {
    const { id } = await sold();
    await done(served, all, id, ['POST', '/close', { reason: 'moved away' }]);
    const features = (await allOf(id)).body.flags.slice(0, 17);
    expect(features.every(({ value, reason }: Flag) => value === false && reason === 'DISABLED')).toBe(true);
  });
});

describe('Evaluation of one flag', () => {
  it('answers the flag as bulk evaluation does', async () => {
    const { flags } = (await allOf(acme.id)).body;
    for (const flag of ['feedback', 'limit.users', 'plan.second'])
      expect((await one(flag, acme.id)).body).toEqual(flags.find(({ key }: Flag) => key === flag));
  });

  it('answers 404 FLAG_NOT_FOUND with the key for an unknown flag, also for a flag of another kind of subject', async () => {
    for (const flag of ['nothing', 'site.logo', 'a%2Fb', 'toString']) {
      const { status, body } = await one(flag, acme.id);
      expect([status, body]).toEqual([
        404,
        {
          ...{ key: decodeURIComponent(flag), errorCode: 'FLAG_NOT_FOUND' },
          ...{
            errorDetails: expect.stringContaining('limit.users'),
            type: '/problems/not-found',
            title: expect.any(String),
          },
        },
      ]);
    }
  });
});

describe('The metric of evaluations', () => {
  it('counts each answer by its route and outcome', async () => {
    const own = await serving();
    const key = await own.key();
    const context = { targetingKey: await founded(own, { by: key }) };
    const ask = (flag: string, headers = {}, by = key) =>
      own.ask('POST', `${FLAGS}${flag}`, { key: by, headers, body: { context } });
    const { headers } = await ask('');
    await ask('', { 'If-None-Match': headers.etag! });
    await ask('/feedback');
    await ask('/nothing');
    await ask('/feedback', {}, 'chk_wrong');
    const { text } = await own.ask('GET', '/metrics');
    const counted = [...text.matchAll(/^charter_flag_evaluations_total\{route="(.+)",outcome="(.+)"\} (\d+)$/gm)];
    expect(
      Object.fromEntries(counted.map(([, route, outcome, count]) => [`${route} ${outcome}`, Number(count)])),
    ).toEqual({
      ...{ 'all evaluated': 1, 'all unchanged': 1, 'all unknown-flag': 0, 'all refused': 0 },
      ...{ 'one evaluated': 1, 'one unchanged': 0, 'one unknown-flag': 1, 'one refused': 1 },
    });
    await own.close();
  });
});

describe('A malformed evaluation', () => {
  it.each([
    ['PARSE_ERROR', 'not JSON', '{"context":'],
    ['PARSE_ERROR', 'a list', []],
    ['PARSE_ERROR', 'null', 'null'],
    ['TARGETING_KEY_MISSING', 'no context', {}],
    ['TARGETING_KEY_MISSING', 'no targeting key', { context: { user: 'x' } }],
    ['TARGETING_KEY_MISSING', 'an empty targeting key', { context: { targetingKey: '' } }],
    ['INVALID_CONTEXT', 'a number as targeting key', { context: { targetingKey: 42 } }],
    ['INVALID_CONTEXT', 'null as targeting key', { context: { targetingKey: null } }],
    ['INVALID_CONTEXT', 'another form of targeting key', { context: { targetingKey: 'acme' } }],
    ['INVALID_CONTEXT', 'a text as context', { context: 'acme' }],
    ['INVALID_CONTEXT', 'a malformed asOf', { context: { targetingKey: randomUUID(), asOf: 'yesterday' } }],
    ['INVALID_CONTEXT', 'a number as asOf', { context: { targetingKey: randomUUID(), asOf: 3 } }],
  ])('gets 400 %s on both routes: %s', async (errorCode, _what, body) => {
    const bulk = await evaluate('', { body });
    expect([bulk.status, bulk.body.errorCode, 'key' in bulk.body]).toEqual([400, errorCode, false]);
    const single = await evaluate('/feedback', { body });
    expect([single.status, single.body.errorCode, single.body.key]).toEqual([400, errorCode, 'feedback']);
    expect(single.body.errorDetails).not.toBe('');
  });

  it('gets a failure of OFREP also at other paths, for other methods and for another media type', async () => {
    const elsewhere = await served.ask('POST', '/ofrep/v1/configuration', { key: flagsKey });
    expect([elsewhere.status, elsewhere.body.errorCode]).toEqual([404, 'GENERAL']);
    const read = await served.ask('GET', FLAGS, { key: flagsKey });
    expect([read.status, read.headers.allow, read.body.errorCode]).toEqual([405, 'POST', 'GENERAL']);
    const text = await evaluate('', { body: 'x', headers: { 'Content-Type': 'text/plain' } });
    expect([text.status, text.body.errorCode]).toEqual([415, 'PARSE_ERROR']);
  });
});

describe('The permission to evaluate flags', () => {
  it.each(['member', 'admin', 'owner'] as const)('is given to a signed-in %s, with the XSRF token', async (role) => {
    const account = await person(served);
    await done(served, all, acme.id, ['PUT', '/limits/override', { reason: 'a spec' }]);
    await done(served, all, acme.id, ['POST', '/members', { user: account.id, role }]);
    const browser = await signedIn(served, account);
    const body = { context: { targetingKey: acme.id } };
    expect((await browser.send('POST', FLAGS, body)).status).toBe(200);
    const forged = await browser.send('POST', FLAGS, body, { headers: { 'X-XSRF-TOKEN': '' } });
    expect([forged.status, forged.text]).toEqual([403, '']);
  });

  it('is given to an operator, but not to an auditor of the platform', async () => {
    const body = { context: { targetingKey: acme.id } };
    const operator = await signedIn(served, await person(served, { role: 'operator' }));
    expect((await operator.send('POST', FLAGS, body)).status).toBe(200);
    const auditor = await signedIn(served, await person(served, { role: 'auditor' }));
    const refused = await auditor.send('POST', FLAGS, body);
    expect([refused.status, refused.text]).toEqual([403, '']);
  });

  it('is declared in the OpenAPI document', async () => {
    const { paths } = (await served.ask('GET', '/api/openapi.json')).body;
    for (const at of [FLAGS, `${FLAGS}/{key}`])
      expect(paths[at].post.security).toEqual([
        { bearer: ['flags:read'] },
        { cookieAuth: ['member', 'admin', 'owner', 'operator'] },
      ]);
  });

  it('is given only to API keys with the scope flags:read', async () => {
    const other = await served.key({ scopes: ['organizations:read', 'audit:read'] });
    const refused = await allOf(acme.id, { key: other });
    expect([refused.status, refused.text]).toEqual([403, '']);
    const missing = await served.ask('POST', FLAGS, { body: { context: { targetingKey: acme.id } } });
    expect([missing.status, missing.text, missing.headers['www-authenticate']]).toEqual([
      ...[401, ''],
      expect.stringContaining('Bearer'),
    ]);
  });

  it('accepts the API key in X-API-Key, unless the request has the header Authorization, and only on these routes', async () => {
    const body = { context: { targetingKey: acme.id } };
    const headers = { 'X-API-Key': flagsKey };
    expect((await served.ask('POST', FLAGS, { body, headers })).status).toBe(200);
    expect((await served.ask('POST', FLAGS, { key: 'chk_wrong', body, headers })).status).toBe(401);
    expect((await served.ask('GET', path(acme.id), { headers: { 'X-API-Key': all } })).status).toBe(401);
  });

  /** A signed-in person who was a member of an organization that is closed now. */
  async function formerMember() {
    const [account, closed] = [await person(served), await founded(served, { by: all })];
    await done(served, all, closed, ['POST', '/members', { user: account.id, role: 'admin' }]);
    const by = await signedIn(served, account);
    expect((await by.send('POST', FLAGS, { context: { targetingKey: closed } })).status).toBe(200);
    await done(served, all, closed, ['DELETE', `/members/${account.id}`], ['POST', '/close', { reason: 'moved away' }]);
    return { by, closed };
  }

  // V7
  it('leads to equal refusals for a foreign, a missing and a closed organization, and for a missing site or member', async () => {
    const other = await founded(served, { by: all });
    const bound = await served.key({ scopes: ['flags:read'], organization: acme.id });
    const [stranger, former] = [await signedIn(served, await person(served)), await formerMember()];
    const missing = randomUUID();
    for (const flag of ['', '/feedback', '/unknown']) {
      const subjects = [other, missing, `${other}/sites/${missing}`, `${missing}/users/${missing}`];
      const byKey = [...subjects, `${acme.id}/sites/${missing}`, `${acme.id}/users/${missing}`].map((targetingKey) =>
        evaluate(flag, { key: bound, context: { targetingKey } }),
      );
      const byPerson = [acme.id, ...subjects].map((targetingKey) =>
        stranger.send('POST', `${FLAGS}${flag}`, { context: { targetingKey } }),
      );
      const byFormer = [former.closed, ...subjects].map((targetingKey) =>
        former.by.send('POST', `${FLAGS}${flag}`, { context: { targetingKey } }),
      );
      for (const answers of await Promise.all([byKey, byPerson, byFormer].map((asked) => Promise.all(asked)))) {
        const [first, ...others] = answers.map(comparable);
        expect(first).toMatchObject({ status: 400 });
        for (const answer of others) expect(answer).toEqual(first);
      }
    }
  });
});

describe('An evaluation with asOf', () => {
  it('answers for the moment, and needs the permission for the past too', async () => {
    const context = { targetingKey: acme.id, asOf: '1' };
    const past = await evaluate('/limit.users', { key: all, context });
    expect([past.status, past.body.variant, past.headers['cache-control']]).toEqual([200, 'unlimited', 'no-store']);
    expect((await evaluate('/limit.users', { context })).status).toBe(403);
    const audit = await served.key({ scopes: ['audit:read'] });
    expect((await evaluate('/limit.users', { key: audit, context })).status).toBe(403);
  });

  it('is never answered with 304', async () => {
    const context = { targetingKey: acme.id, asOf: '2' };
    const { headers } = await evaluate('', { key: all, context });
    const again = await evaluate('', { key: all, context, headers: { 'If-None-Match': headers.etag! } });
    expect(again.status).toBe(200);
  });

  it('has another ETag than the present answer with equal flags, so that the next answer has an event stream', async () => {
    const { revision } = (await allOf(acme.id)).body.metadata;
    const context = { targetingKey: acme.id, asOf: String(revision) };
    const { headers } = await evaluate('', { key: all, context });
    const present = await allOf(acme.id, { key: all, headers: { 'If-None-Match': headers.etag! } });
    expect([present.status, present.body?.eventStreams?.length]).toEqual([200, 1]);
  });

  it('refuses a revision that does not exist, and a moment before the founding', async () => {
    for (const asOf of ['999', '2001-01-01T00:00:00Z']) {
      const { status, body } = await evaluate('', { key: all, context: { targetingKey: acme.id, asOf } });
      expect([status, body.errorCode]).toEqual([400, 'INVALID_CONTEXT']);
    }
  });

  it('is recorded as a read of the history', async () => {
    const account = await person(served, { role: 'operator' });
    const operator = await signedIn(served, account);
    const recorded = async () => (await accountEventsOf(served, account)).filter(({ type }) => type === 'HistoryRead');
    await operator.send('POST', FLAGS, { context: { targetingKey: acme.id } });
    expect(await recorded()).toEqual([]);
    await operator.send('POST', FLAGS, { context: { targetingKey: acme.id, asOf: '1' } });
    expect((await recorded()).map(({ data }) => data)).toEqual([{ organization: acme.id }]);
  });
});
