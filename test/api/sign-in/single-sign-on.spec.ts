import { randomUUID } from 'node:crypto';
import { type Account, newLink } from '@charter/identity';
import { secureRandom } from '@charter/application';
import { startGoogleStandIn } from '../../support/sign-in/google-stand-in';
import { done, founded, path } from '../../support/requests/organizations';
import { type OwnProvider, startOwnProvider } from '../../support/sign-in/own-provider';
import { browser, person, SESSION } from '../../support/sign-in/people';
import { good, hostile } from '../../support/requests/redirects';
import { eventsIn, eventsOf, keyId, newFolder, type Served, serving } from '../../support/serving';
import { newHttpBrowser, type HttpBrowser } from '../../support/sign-in/http-browser';
import { joined, originOf, signedInAs, signsInElsewhere, type Stage } from './sign-in-elsewhere.contract';

const configuration = ({ issuer, client }: OwnProvider) => ({
  issuer,
  clientId: client.id,
  clientSecret: client.secret,
});

const open = async (provider: OwnProvider): Promise<Stage> => {
  const served = await serving({ environment: { REDIRECT_ORIGINS: 'https://help.example' } });
  const key = await served.key();
  const organization = await founded(served, { by: key });
  await done(served, key, organization, ['PUT', '/single-sign-on', configuration(provider)]);
  return { served, key, organization, start: `/auth/sso/${organization}`, callback: '/auth/sso/callback' };
};

describe("Sign-in through an organization's own provider", () => {
  signsInElsewhere({ shown: 'sso', answersForAddresses: false, open });
});

let provider: OwnProvider;
let stage: Stage;
let served: Served;
let origin: string;
let key: string;

beforeAll(async () => {
  provider = await startOwnProvider();
  stage = await open(provider);
  ({ served, key } = stage);
  origin = originOf(served);
});
afterAll(async () => {
  await served.close();
  await provider.close();
});

const isBack = (address: string) => address.startsWith(`${origin}/auth/sso/callback`);
const isOurs = (address: string) => address.startsWith(origin);
const failed = '/login?error=sso';

/** Runs the whole flow from `start`. Resolves with the location to which the callback redirects. */
async function travelled(traveller: HttpBrowser, start = stage.start): Promise<string> {
  const { headers } = await traveller.get(`${origin}${start}`);
  if (isOurs(new URL(headers.location!, origin).href)) return headers.location!;
  return (await traveller.get(await traveller.go(headers.location!, isOurs))).headers.location!;
}

/** Makes the provider sign in this account from now on, and returns the account. */
async function signingIn(account: Account): Promise<Account> {
  provider.recovers();
  provider.signsInAs({ sub: `s-${account.id}`, email: account.email!, email_verified: true });
  return account;
}
const member = async (fields?: Parameters<typeof person>[1]) => {
  const account = await person(served, fields);
  await joined(stage, account);
  return signingIn(account);
};

/** A member of the provider's organization and of another one, who has signed in through the provider. */
async function colleagueOfTwo() {
  const colleague = await member();
  const elsewhere = await founded(served, { by: key });
  await joined({ ...stage, organization: elsewhere }, colleague);
  const traveller = newHttpBrowser();
  expect(await travelled(traveller)).toBe('/');
  return { colleague, elsewhere, traveller };
}

describe('E3: Redirect after single sign-on', () => {
  beforeAll(() => member());
  const withRedirect = (redirect: string) => `${stage.start}?redirect=${encodeURIComponent(redirect)}`;

  it.each(good.map((redirect) => [redirect]))('leads to the valid target %j', async (redirect) => {
    expect(await travelled(newHttpBrowser(), withRedirect(redirect))).toBe(redirect.replace('/a/b/../c', '/a/c'));
  });
  it.each(Array.from(hostile('APP'), (redirect, index) => [index, redirect] as const))(
    'leads to / for hostile value %i, %j',
    async (index) => expect(await travelled(newHttpBrowser(), withRedirect(hostile(origin)[index]!))).toBe('/'),
  );
  it('leads to a URL whose origin is in the setting REDIRECT_ORIGINS', async () => {
    expect(await travelled(newHttpBrowser(), withRedirect('https://help.example/a'))).toBe('https://help.example/a');
  });
  it('leads to / when the URL contains the parameter `redirect` twice', async () => {
    expect(await travelled(newHttpBrowser(), `${stage.start}?redirect=/a&redirect=/b`)).toBe('/');
  });
});

describe('Organization at the start of single sign-on', () => {
  it.each([
    ['with a malformed id', () => 'nothing'],
    ['that does not exist', () => randomUUID()],
    ['with an id that cannot be decoded', () => '%zz'],
    ['with a path in its id', () => '..%2f..%2fevil.example'],
  ])('%s leads to error=sso', async (_, name) => {
    const answer = await served.ask('GET', `/auth/sso/${name()}`);
    expect([answer.status, answer.headers.location, answer.text]).toEqual([302, failed, '']);
  });

  it('leads to error=sso if the organization has no provider, is closed, or has removed its provider', async () => {
    const id = await founded(served, { by: key });
    const start = async () => (await served.ask('GET', `/auth/sso/${id}`)).headers.location;
    expect(await start()).toBe(failed);
    await done(served, key, id, ['PUT', '/single-sign-on', configuration(provider)]);
    expect(await start()).toContain(provider.issuer);
    await done(served, key, id, ['POST', '/close', { reason: 'moved' }]);
    expect(await start()).toBe(failed);
    await done(served, key, id, ['POST', '/reopen', { reason: 'back' }], ['DELETE', '/single-sign-on']);
    expect(await start()).toBe(failed);
    expect(await served.charter.database.people.secrets.get(`sso:${id}`)).toBeUndefined();
  });

  it('refuses a flow whose callback names another provider, or whose provider has been replaced', async () => {
    const other = await founded(served, { by: key });
    const second = await startOwnProvider();
    await done(served, key, other, ['PUT', '/single-sign-on', configuration(second)]);
    await member();
    const traveller = newHttpBrowser();
    const back = new URL(await traveller.go(`${origin}${stage.start}`, isBack));
    back.searchParams.set('iss', second.issuer);
    expect((await traveller.get(back.href)).headers.location).toBe(failed);

    const again = newHttpBrowser();
    const late = await again.go(`${origin}${stage.start}`, isBack);
    await done(served, key, stage.organization, ['PUT', '/single-sign-on', configuration(second)]);
    expect((await again.get(late)).headers.location).toBe(failed);
    await done(served, key, stage.organization, ['PUT', '/single-sign-on', configuration(provider)]);
    await second.close();
  });
});

describe('G3: Authorization code that the provider of another organization has received', () => {
  it('signs in no attacker, even if no provider sends `iss` (RFC 9700, 4.4)', async () => {
    const [target, evil] = [await startOwnProvider({ namesIssuer: false }), await startOwnProvider()];
    const victim = await person(served);
    const [organization, attackers] = [await founded(served, { by: key }), await founded(served, { by: key })];
    await done(served, key, organization, ['PUT', '/single-sign-on', configuration(target)]);
    await done(served, key, attackers, ['PUT', '/single-sign-on', configuration(evil)]);
    await joined({ served, key, organization }, victim);
    target.signsInAs({ sub: victim.id, email: victim.email!, email_verified: true });
    const begun = async (browser: HttpBrowser, id: string) =>
      new URL((await browser.get(`${origin}/auth/sso/${id}`)).headers.location!);

    const [attacker, browser] = [newHttpBrowser(), newHttpBrowser()];
    const mine = await begun(attacker, organization);
    const lured = await begun(browser, attackers);
    const state = mine.searchParams.get('state')!;
    mine.searchParams.set('state', lured.searchParams.get('state')!);
    evil.failsAt('authorize', (response) => response.writeHead(302, { location: mine.href }).end());
    const back = new URL(await browser.go(lured.href, isBack));
    expect((await browser.get(back.href)).headers.location).toBe(failed);
    expect(evil.requested).toContain('/token'); // the attacker's provider now has the victim's code

    back.searchParams.set('state', state);
    const { headers } = await attacker.get(back.href);
    expect([headers.location, await signedInAs(served, attacker)]).toEqual([failed, undefined]);
    expect(target.requested).not.toContain('/token');
  });
});

describe('Person who signs in through single sign-on', () => {
  it('must already be a member, because the sign-in creates no account', async () => {
    const stranger = await signingIn(await person(served));
    const traveller = newHttpBrowser();
    expect(await travelled(traveller)).toBe('/login?error=account');
    await joined(stage, stranger);
    expect(await travelled(traveller)).toBe('/');
    expect(await signedInAs(served, traveller)).toBe(stranger.id);
  });

  it('is refused after the removal from the organization, although the account is already linked to the provider', async () => {
    const leaver = await member();
    expect(await travelled(newHttpBrowser())).toBe('/');
    await done(served, key, stage.organization, ['DELETE', `/members/${leaver.id}`]);
    expect(await travelled(newHttpBrowser())).toBe('/login?error=account');
  });

  it("is refused if the organization's provider has verified the e-mail address, but Charter has not", async () => {
    const invited = await member({ state: 'invited', emailVerified: false, password: null });
    expect(await travelled(newHttpBrowser())).toBe('/login?error=account');
    expect(await served.charter.database.people.accounts.byId(invited.id)).toMatchObject({
      state: 'invited',
      emailVerified: false,
    });
  });

  it('has at most ten failures of a provider in 15 minutes in their history', async () => {
    const victim = await person(served);
    provider.recovers();
    provider.signsInAs({ sub: `s-${randomUUID()}`, email: victim.email!, email_verified: false });
    for (let count = 0; count < 12; count += 1) expect(await travelled(newHttpBrowser())).toBe(failed);
    const events = await eventsOf(served, `account-${victim.id}`);
    expect(events.filter(({ type }) => type === 'SignInFailed')).toHaveLength(10);
  });

  it('can use only the organization of the provider', async () => {
    const { colleague, elsewhere, traveller } = await colleagueOfTwo();
    const cookie = `${SESSION}=${traveller.cookies(origin).get(SESSION)}`;
    const see = async (rest: string) => (await served.ask('GET', rest, { headers: { cookie } })).status;
    expect(await see(path(stage.organization))).toBe(200);
    expect(await see(path(elsewhere))).toBe(404);
    expect(await see(path(stage.organization, '/single-sign-on'))).toBe(403); // ada is a member here, not an owner
    const listed = async () => {
      const { status, body } = await served.ask('GET', '/api/v1/organizations', { headers: { cookie } });
      return [status, (body.organizations as { id: string }[]).map(({ id }) => id)];
    };
    expect(await listed()).toEqual([200, [stage.organization]]);
    await done(served, key, stage.organization, ['DELETE', `/members/${colleague.id}`]);
    expect(await listed()).toEqual([200, []]);
  });

  it('can still use only the organization of the provider after a mailed link has confirmed a new e-mail address', async () => {
    const { colleague, elsewhere, traveller } = await colleagueOfTwo();
    const here = await browser(served);
    for (const [name, value] of traveller.cookies(origin)) here.cookies.set(name, value);
    const before = here.cookies.get(SESSION);
    const { token, link } = newLink(
      'email',
      colleague.id,
      `new-${colleague.id}@people.example`,
      secureRandom,
      served.clock.now(),
    );
    await served.charter.database.people.links.replace(link);
    expect((await here.send('POST', '/email/confirm', { token })).status).toBe(204);
    expect(here.cookies.get(SESSION)).not.toBe(before);
    expect((await here.get(path(stage.organization))).status).toBe(200);
    expect((await here.get(path(elsewhere))).status).toBe(404);
  });
});

describe('Operator or auditor', () => {
  it.each(['operator', 'auditor'] as const)(
    "cannot sign in through an organization's provider, because the organization's owner could then act as %s",
    async (role) => {
      await member({ role });
      expect(await travelled(newHttpBrowser())).toBe('/login?error=account');
    },
  );
});

describe('Settings of single sign-on', () => {
  const put = (body: object, headers = {}) =>
    served.ask('PUT', path(stage.organization, '/single-sign-on'), { key, body, headers });

  it('are shown without the secret, which is stored encrypted and is in no event', async () => {
    const id = await founded(served, { by: key });
    const written = await served.ask('PUT', path(id, '/single-sign-on'), { key, body: configuration(provider) });
    expect([written.status, written.body.events]).toEqual([
      200,
      [{ type: 'SingleSignOnConfigured', data: { issuer: provider.issuer, clientId: 'charter' } }],
    ]);
    const shown = await served.ask('GET', path(id, '/single-sign-on'), { key });
    expect(shown.body).toEqual({
      issuer: provider.issuer,
      clientId: 'charter',
      callback: `${origin}/auth/sso/callback`,
      start: `${origin}/auth/sso/${id}`,
    });
    expect(shown.headers.etag).toBe(written.headers.etag);
    const before = await served.ask('GET', path(id, '/single-sign-on?asOf=0'), { key });
    expect(before.body).toMatchObject({ issuer: null, clientId: null });

    const sealed = await served.charter.database.people.secrets.get(`sso:${id}`);
    expect(sealed).toMatch(/^v1\./);
    for (const text of [sealed, written.text, shown.text, ...served.lines])
      expect(text).not.toContain(provider.client.secret);
  });

  it.each(['?asOf=0', '?valid=2999-01-01T00:00:00Z', '?asOf=0&valid=2999-01-01T00:00:00Z'])(
    'are shown as of another moment (%s) only with the scope `audit:read`, and Charter records the read once',
    async (query) => {
      const id = await founded(served, { by: key });
      await served.ask('PUT', path(id, '/single-sign-on'), { key, body: configuration(provider) });
      const shownTo = (by: string, at: string) => served.ask('GET', path(id, `/single-sign-on${at}`), { key: by });
      const recorded = async (by: string) =>
        (await eventsOf(served, `key-${await keyId(served, by)}`)).filter(({ type }) => type === 'HistoryRead');

      const writer = await served.key({ scopes: ['organizations:write'] });
      expect((await shownTo(writer, '')).status).toBe(200);
      expect((await shownTo(writer, query)).status).toBe(403);
      expect(await recorded(writer)).toEqual([]);

      const auditor = await served.key({ scopes: ['audit:read'] });
      expect((await shownTo(auditor, '')).status).toBe(403);
      expect((await shownTo(auditor, query)).body.issuer).toBe(query.includes('asOf') ? null : provider.issuer);
      expect((await shownTo(auditor, query)).status).toBe(200);
      expect((await recorded(auditor)).map(({ data }) => data)).toEqual([{ organization: id }]);
    },
  );

  it('are refused within 5 s if the provider returns no valid metadata', async () => {
    const before = await eventsIn(served);
    const fast = async (body: object) => {
      const begun = performance.now();
      const answer = await put(body);
      expect(performance.now() - begun).toBeLessThan(5_000);
      return [answer.status, answer.body.type];
    };
    expect(await fast({ ...configuration(provider), issuer: 'http://127.0.0.1:9' })).toEqual([
      409,
      '/problems/provider-unreachable',
    ]);
    for (const fault of [
      (response: Parameters<Parameters<OwnProvider['failsAt']>[1]>[0]) =>
        response.writeHead(302, { location: '/x' }).end(),
      (response: Parameters<Parameters<OwnProvider['failsAt']>[1]>[0]) =>
        response.end('{"issuer":"https://evil.example"}'),
      () => undefined, // this provider never answers
    ]) {
      provider.failsAt('discovery', fault);
      expect(await fast(configuration(provider))).toEqual([409, '/problems/provider-unreachable']);
    }
    provider.recovers();
    expect(await eventsIn(served)).toBe(before);
    const logged = served.entries().filter(({ msg }) => msg === 'a sign-in provider was not accepted');
    expect(logged.map(({ why }) => why)).toEqual([
      'ECONNREFUSED',
      'OAUTH_RESPONSE_IS_NOT_CONFORM',
      'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
      'ABORT_ERR',
    ]);
  });

  it.each([
    'https://user:word@provider.example',
    'https://provider.example/?a=b',
    'https://provider.example/#a',
    'ftp://provider.example',
    'javascript:alert(1)',
    'provider.example',
    '',
  ])('refuse the issuer %j', async (issuer) => {
    const { status, body } = await put({ ...configuration(provider), issuer });
    expect([status, body.type]).toEqual([400, '/problems/malformed']);
  });

  it('accept a new secret without an event, apply a repeated request once, and refuse an outdated ETag', async () => {
    const id = await founded(served, { by: key });
    const at = path(id, '/single-sign-on');
    const ask = (body: object, headers = {}) => served.ask('PUT', at, { key, body, headers });
    const first = await ask(configuration(provider), { 'Idempotency-Key': 'once' });
    const again = await ask(configuration(provider), { 'Idempotency-Key': 'once' });
    expect(again.text).toBe(first.text);
    const sealed = await served.charter.database.people.secrets.get(`sso:${id}`);
    const other = await ask({ ...configuration(provider), clientSecret: 'another' });
    expect([other.status, other.body.events]).toEqual([200, []]);
    expect(await served.charter.database.people.secrets.get(`sso:${id}`)).not.toBe(sealed);
    const stale = await ask({ ...configuration(provider), clientId: 'x' }, { 'If-Match': '"0"' });
    expect(stale.status).toBe(412);
    expect((await served.ask('GET', at, { key })).body.clientId).toBe('charter');
  });

  it.each([
    ['removes earlier settings', 'DELETE', '/single-sign-on', undefined, false],
    ['replaces earlier settings', 'PUT', '/single-sign-on', { clientId: 'former', clientSecret: 'former' }, false],
    ['replaces only an earlier secret', 'PUT', '/single-sign-on', { clientSecret: 'former' }, false],
    ['replaces only the secret of removed settings', 'PUT', '/single-sign-on', { clientSecret: 'former' }, true],
    ['closes the organization, and so removes earlier settings', 'POST', '/close', { reason: 'moved away' }, false],
  ])('are not affected by a repeated request that %s', async (_what, method, rest, change, isRemoved) => {
    const id = await founded(served, { by: key });
    await done(served, key, id, ['PUT', '/single-sign-on', configuration(provider)]);
    const body = rest === '/single-sign-on' && change ? { ...configuration(provider), ...change } : change;
    const earlier = () => served.ask(method, path(id, rest), { key, body, headers: { 'Idempotency-Key': 'earlier' } });
    const lost = jest.spyOn(served.charter.database.receipts, 'answer').mockRejectedValueOnce(new Error('dead'));
    expect((await earlier()).status).toBe(500);
    lost.mockRestore();
    if (rest === '/close') await done(served, key, id, ['POST', '/reopen', { reason: 'came back' }]);
    if (isRemoved) await done(served, key, id, ['DELETE', '/single-sign-on']);
    await done(served, key, id, ['PUT', '/single-sign-on', configuration(provider)]);
    const sealed = () => served.charter.database.people.secrets.get(`sso:${id}`);
    const newest = await sealed();
    expect((await earlier()).status).toBe(200);
    expect(await sealed()).toBe(newest);
    expect((await served.ask('GET', `/auth/sso/${id}`)).headers.location).toMatch(provider.issuer);
  });

  it('keep the secret of the newest provider if another request has stored it meanwhile', async () => {
    const id = await founded(served, { by: key });
    const newest = await startOwnProvider();
    const { secrets } = served.charter.database.people;
    const get = secrets.get.bind(secrets);
    const slow = jest.spyOn(secrets, 'get').mockImplementationOnce(async (name) => {
      const before = await get(name);
      await done(served, key, id, ['PUT', '/single-sign-on', configuration(newest)]);
      return before;
    });
    await done(served, key, id, ['PUT', '/single-sign-on', configuration(provider)]);
    expect(slow.mock.calls.length).toBeGreaterThan(1);
    slow.mockRestore();
    expect((await served.ask('GET', `/auth/sso/${id}`)).headers.location).toMatch(newest.issuer);
  });

  it.each([
    ['a removal', 'DELETE', '/single-sign-on', {}],
    ['a closing', 'POST', '/close', { reason: 'moved away' }],
  ] as const)('keep a secret that another request stores during %s', async (_what, method, rest, body) => {
    const id = await founded(served, { by: key });
    await done(served, key, id, ['PUT', '/single-sign-on', configuration(provider)]);
    const { secrets } = served.charter.database.people;
    const remove = secrets.remove.bind(secrets);
    const slow = jest.spyOn(secrets, 'remove').mockImplementationOnce(async (...removed) => {
      if (rest === '/close') await done(served, key, id, ['POST', '/reopen', { reason: 'came back' }]);
      await done(served, key, id, ['PUT', '/single-sign-on', configuration(provider)]);
      await remove(...removed);
    });
    await done(served, key, id, [method, rest, body]);
    expect(slow).toHaveBeenCalled();
    slow.mockRestore();
    expect((await served.ask('GET', `/auth/sso/${id}`)).headers.location).toMatch(provider.issuer);
  });

  it('cannot be changed by an API key without `organizations:write`; Charter then sends no request to the provider', async () => {
    const before = provider.requested.length;
    const weak = await served.key({ scopes: ['organizations:read', 'organizations:operate', 'billing:write'] });
    const answer = await served.ask('PUT', path(stage.organization, '/single-sign-on'), {
      key: weak,
      body: configuration(provider),
    });
    expect([answer.status, provider.requested.length]).toEqual([403, before]);
  });

  it('do not work with the encrypted secret of another organization', async () => {
    const id = await founded(served, { by: key });
    await done(served, key, id, ['PUT', '/single-sign-on', configuration(provider)]);
    const { secrets } = served.charter.database.people;
    const [expected, sealed] = [await secrets.get(`sso:${id}`), (await secrets.get(`sso:${stage.organization}`))!];
    expect(await secrets.compareAndSet(`sso:${id}`, { expected, sealed, mark: 'mark' })).toBe(true);
    expect((await served.ask('GET', `/auth/sso/${id}`)).headers.location).toBe(failed);
  });
});

describe('Public deployment', () => {
  it('refuses a provider without https or at an internal address, and sends no request to it', async () => {
    const open = await serving({ folder: newFolder(), environment: { PUBLIC_URL: 'https://charter.example' } });
    const all = await open.key();
    const id = await founded(open, { by: all });
    const before = provider.requested.length;
    for (const [issuer, status] of [
      [provider.issuer, 400], // http
      [provider.issuer.replace('http:', 'https:'), 409],
      ['https://localhost:8443', 409],
      ['https://169.254.169.254', 409],
      ['https://[::1]', 409],
      ['https://10.0.0.1', 409],
    ] as const) {
      const body = { ...configuration(provider), issuer };
      expect([issuer, (await open.ask('PUT', path(id, '/single-sign-on'), { key: all, body })).status]).toEqual([
        issuer,
        status,
      ]);
    }
    expect(provider.requested).toHaveLength(before);
    const logged = open.entries().filter(({ msg }) => msg === 'a sign-in provider was not accepted');
    expect(logged.map(({ organization, why }) => [organization, why])).toEqual(Array(5).fill([id, 'INTERNAL_ADDRESS']));
    await open.close();
  });
});

describe('Provider that sends the email address only at its userinfo endpoint', () => {
  it('can still sign a member in', async () => {
    const account = await person(served);
    await joined(stage, account);
    const standard = await startGoogleStandIn({
      clientId: 'charter',
      clientSecret: 'stand-in-secret',
      redirectUris: [`${origin}/auth/sso/callback`],
      accounts: [{ sub: '1001', email: account.email!, email_verified: true }],
      addressesInIdToken: false,
    });
    const settings = { issuer: standard.issuer, clientId: 'charter', clientSecret: 'stand-in-secret' };
    await done(served, key, stage.organization, ['PUT', '/single-sign-on', settings]);
    const traveller = newHttpBrowser();
    const back = await traveller.go(`${origin}${stage.start}`, isBack);
    expect((await traveller.get(back)).headers.location).toBe('/');
    expect(await signedInAs(served, traveller)).toBe(account.id);
    await standard.close();
  });
});
