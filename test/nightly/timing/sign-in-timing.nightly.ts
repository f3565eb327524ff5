import { randomUUID } from 'node:crypto';
import { type DnsServer, startDnsServer } from '../../support/network/dns-server';
import { done, founded, path } from '../../support/requests/organizations';
import { type OwnProvider, startOwnProvider } from '../../support/sign-in/own-provider';
import { type Browser, browser, PASSWORD, person, signedIn } from '../../support/sign-in/people';
import { type Served, serving } from '../../support/serving';
import { type Arms, type Client, clientOf, distinguishablePairs, distinguishablePairsBusy } from './timing';

let dns: DnsServer;
let provider: OwnProvider;
let served: Served;
let page: Browser;
let client: Client;
const long = process.env['LONG'] === '1';
beforeAll(async () => {
  dns = await startDnsServer();
  provider = await startOwnProvider();
  // without throttling, because timing tests repeat their requests
  served = await serving({ environment: { RATE_LIMITS: 'off', DNS_SERVERS: dns.address } });
  page = await browser(served);
  client = clientOf(served.url);
});
afterAll(async () => {
  await client.close();
  await served.close();
  await provider.close();
});

const WRONG = 'not the password at all';
/** Sends a request with cookies and XSRF token, as the pages do, and returns its duration. */
const send = (path: string, body: object, status: number) => {
  const headers = { Cookie: page.cookieHeader(), 'X-XSRF-TOKEN': page.token() };
  return client.took({ method: 'POST', path, headers, body }, status);
};
const refusal = (username: string, password = WRONG) => send('/login', { username, password }, 401);

/** An account whose organization has switched off its password sign-in (`decisions.md`, Signing in, 21). */
async function managedPerson() {
  const domain = `${randomUUID()}.com`;
  const [owner, member] = [await person(served), await person(served, { email: `ada@${domain}` })];
  const key = await served.key();
  const id = await founded(served, { by: key, owner: owner.id });
  const { issuer, client: registered } = provider;
  const settings = { issuer, clientId: registered.id, clientSecret: registered.secret };
  await done(served, key, id, ['PUT', '/single-sign-on', settings]);
  await done(served, key, id, ['POST', '/members', { user: member.id, role: 'member' }]);
  const by = await signedIn(served, owner);
  const domains = path(id, '/verified-domains');
  const claimed = await by.send('POST', domains, { domain, password: PASSWORD });
  const { record } = claimed.body as { record: { name: string; value: string } };
  dns.publish(record.name, record.value);
  await by.send('POST', `${domains}/${domain}/check`, { password: PASSWORD });
  await by.send('PATCH', `${domains}/${domain}`, { managed: true, password: PASSWORD });
  return member;
}

/**
 * A refused sign-in for each reason of A1 (`acceptance.md`) and of a managed account, and a sign-in with an unknown
 * e-mail address.
 */
async function everyBranch(): Promise<Arms> {
  const ada = await person(served, { username: `ada-${randomUUID().slice(0, 8)}` });
  const disabled = await person(served, { state: 'disabled' });
  const invited = await person(served, { state: 'invited', password: null });
  const google = await person(served, { password: null });
  const erased = await person(served);
  await served.charter.database.people.accounts.erase(erased.id, served.clock.now());
  const managed = await managedPerson();
  return {
    'missing e-mail': () => refusal(`${randomUUID()}@people.example`),
    'missing username': () => refusal(`unknown-${randomUUID().slice(0, 8)}`),
    'wrong password by e-mail': () => refusal(ada.email!),
    'wrong password by username': () => refusal(ada.username!),
    'right password, disabled': () => refusal(disabled.email!, PASSWORD),
    'right password, erased': () => refusal(erased.email!, PASSWORD),
    'right password, managed': () => refusal(managed.email!, PASSWORD),
    'wrong password, managed': () => refusal(managed.email!),
    invited: () => refusal(invited.email!, PASSWORD),
    'Google only': () => refusal(google.email!),
    'empty password': () => refusal(ada.email!, ''),
    'over-long password': () => refusal(ada.email!, 'x'.repeat(129)),
    'malformed e-mail': () => refusal('@@people..example'),
  };
}

const pickArms = (arms: Arms, ...names: readonly string[]): Arms =>
  Object.fromEntries(names.map((name) => [name, arms[name]!]));

describe('The duration of POST /login', () => {
  it('is the same for a wrong password and for an unknown e-mail address (A2)', async () => {
    expect(
      await distinguishablePairs(pickArms(await everyBranch(), 'missing e-mail', 'wrong password by e-mail')),
    ).toEqual([]);
  });

  it('is the same for a wrong password and for an unknown e-mail address, with all cores busy (A2)', async () => {
    expect(
      await distinguishablePairsBusy(pickArms(await everyBranch(), 'missing e-mail', 'wrong password by e-mail')),
    ).toEqual([]);
  });

  it('is the same for all reasons to refuse the sign-in (A3)', async () => {
    expect(await distinguishablePairs(await everyBranch())).toEqual([]);
  });

  if (long)
    it('is the same for all reasons to refuse the sign-in, with all cores busy (A3)', async () => {
      expect(await distinguishablePairsBusy(await everyBranch())).toEqual([]);
    });
});

describe('The duration of a request after a refused sign-in', () => {
  it.each([
    ['', distinguishablePairs],
    [', with all cores busy', distinguishablePairsBusy],
  ])('is the same if the sign-in named a known account or an unknown e-mail address%s (A19)', async (_, compared) => {
    const arms = pickArms(
      await everyBranch(),
      'missing e-mail',
      'wrong password by e-mail',
      'right password, disabled',
    );
    const next = (refused: () => Promise<number>) => async () => {
      await refused();
      return client.took({ method: 'GET', path: '/health/live' }, 200);
    };
    const after = Object.entries(arms).map(([name, refused]) => [name, next(refused)] as const);
    expect(await compared(Object.fromEntries(after))).toEqual([]);
  });
});

describe('The duration of POST /forgot', () => {
  it('is the same for active, disabled and invited accounts, for accounts without a password, and for unknown addresses (B1)', async () => {
    const ada = await person(served);
    const disabled = await person(served, { state: 'disabled' });
    const invited = await person(served, { state: 'invited', password: null });
    const google = await person(served, { password: null });
    const forgot = (email: () => string) => () => send('/forgot', { email: email() }, 204);
    const arms = {
      existing: forgot(() => ada.email!),
      missing: forgot(() => `${randomUUID()}@people.example`),
      disabled: forgot(() => disabled.email!),
      unverified: forgot(() => invited.email!),
      'Google only': forgot(() => google.email!),
      malformed: forgot(() => '@@people..example'),
    };
    expect(await distinguishablePairs(arms, () => served.runtime.backgroundWork.settled())).toEqual([]);
  });
});

describe('The refusal of a wrong XSRF token', () => {
  it('takes equally long if the first, the last, a middle or every character of the token is wrong (D4)', async () => {
    const right = page.token();
    const changed = (place: number) => {
      const character = right.at(place) === 'A' ? 'B' : 'A';
      const index = place < 0 ? right.length + place : place;
      return right.slice(0, index) + character + right.slice(index + 1);
    };
    const refused = (token: string) => () => {
      const headers = { 'X-XSRF-TOKEN': token, Cookie: page.cookieHeader().replace(right, token) };
      return client.took({ method: 'POST', path: '/login', headers, body: { username: 'a', password: 'b' } }, 403);
    };
    const random = Buffer.from(right).fill('x').toString();
    const arms = { first: changed(0), last: changed(-1), middle: changed(20), far: random };
    expect(
      await distinguishablePairs(
        Object.fromEntries(Object.entries(arms).map(([name, token]) => [name, refused(token)])),
      ),
    ).toEqual([]);
  });
});

describe('The refusal of a wrong API key', () => {
  it('takes equally long for an unknown prefix, and if the first, the last or every character of the secret is wrong (J2)', async () => {
    const key = await served.key();
    const [prefix, secret] = [key.slice(0, 17), key.slice(17)];
    const other = (character: string | undefined) => (character === 'A' ? 'B' : 'A');
    const refused = (wrong: string) => () =>
      client.took({ method: 'GET', path: '/api/v1/organizations', headers: { Authorization: `Bearer ${wrong}` } }, 401);
    const last = other(secret[41]);
    const arms = {
      'unknown prefix': `chk_${'0'.repeat(12)}_${secret}`,
      'first differs': prefix + other(secret[0]) + secret.slice(1),
      'last differs': prefix + secret.slice(0, 41) + last + secret.slice(42),
      'all differ': prefix + 'x'.repeat(43),
    };
    expect(
      await distinguishablePairs(
        Object.fromEntries(Object.entries(arms).map(([name, wrong]) => [name, refused(wrong)])),
      ),
    ).toEqual([]);
  });
});

describe('The refusal of a foreign organization', () => {
  it('takes as long as the refusal of an organization that does not exist (H2)', async () => {
    const key = await served.key();
    const ada = await person(served);
    const foreign = await Promise.all(Array.from({ length: 50 }, () => founded(served, { by: key })));
    await founded(served, { by: key, owner: ada.id });
    const here = await signedIn(served, ada);
    const headers = { Cookie: here.cookieHeader() };
    const timed = (id: () => string, rest: string) => () =>
      client.took({ method: 'GET', path: path(id(), rest), headers }, 404);
    let next = 0;
    const theirs = () => foreign[next++ % foreign.length]!;
    for (const rest of ['', '/events'])
      expect(await distinguishablePairs({ foreign: timed(theirs, rest), missing: timed(randomUUID, rest) })).toEqual(
        [],
      );
  });
});
