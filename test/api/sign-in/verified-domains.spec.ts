import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { UnreadableStream } from '@charter/aggregates';
import { DatabaseUnavailable } from '@charter/database';
import { momentAt } from '@charter/decider';
import { LogError } from '@charter/event-log';
import type { Account } from '@charter/identity';
import { organizationStream } from '@charter/organization';
import { domainFlaw, shippedLists } from '../../../apps/api/src/sign-in/domains/refused-domains';
import { linkFor } from '../../../apps/api/src/sign-in/links';
import { isNight } from '../../support/at-night';
import { type DnsServer, startDnsServer } from '../../support/network/dns-server';
import { done, founded, path } from '../../support/requests/organizations';
import { newHttpBrowser, type HttpBrowser } from '../../support/sign-in/http-browser';
import { type OwnProvider, startOwnProvider } from '../../support/sign-in/own-provider';
import {
  accountEventsOf,
  browser,
  type Browser,
  mailsOf,
  PASSWORD,
  person,
  signedIn,
  tokenIn,
} from '../../support/sign-in/people';
import { eventsOf, type Served, serving, settled, until } from '../../support/serving';
import { joined, originOf, signedInAs } from './sign-in-elsewhere.contract';

const DAY = 86_400_000;
let dns: DnsServer;
let provider: OwnProvider;
let served: Served;
let key: string;

beforeAll(async () => {
  dns = await startDnsServer();
  provider = await startOwnProvider();
  served = await serving({ environment: { DNS_SERVERS: dns.address } });
  key = await served.key();
});
afterAll(async () => {
  await served.close();
  await provider.close();
});

/** An organization with a provider, its owner's browser, and a domain that no other spec uses. */
type Team = Readonly<{ id: string; owner: Account; by: Browser; domain: string }>;
let teams = 0;
async function team(domain = `team-${(teams += 1)}.com`): Promise<Team> {
  const owner = await person(served);
  const id = await founded(served, { by: key, owner: owner.id });
  const { issuer, client } = provider;
  const settings = { issuer, clientId: client.id, clientSecret: client.secret };
  await done(served, key, id, ['PUT', '/single-sign-on', settings]);
  return { id, owner, by: await signedIn(served, owner), domain };
}

const at = ({ id }: Team, rest = '') => path(id, `/verified-domains${rest}`);
const claim = (one: Team, domain = one.domain) => one.by.send('POST', at(one), { domain, password: PASSWORD });
const check = (one: Team) => one.by.send('POST', at(one, `/${one.domain}/check`), { password: PASSWORD });
const checkAtRevision = (one: Team, revision: number) =>
  one.by.send(
    'POST',
    at(one, `/${one.domain}/check`),
    { password: PASSWORD },
    { headers: { 'If-Match': `"${revision}"` } },
  );
const switches = (one: Team, on: object) =>
  one.by.send('PATCH', at(one, `/${one.domain}`), { ...on, password: PASSWORD });
const shown = async (one: Team) => (await one.by.get(at(one))).body.domains as Record<string, unknown>[];
const stateOf = async (one: Team) => (await shown(one))[0]?.['state'];
async function proven(one: Team): Promise<Team> {
  const { record } = (await claim(one)).body as { record: { name: string; value: string } };
  dns.publish(record.name, 'v=spf1 -all', record.value);
  const answer = await check(one);
  if (answer.status !== 200) throw new Error(answer.text);
  return one;
}
const eventTypes = async ({ id }: Team) =>
  (await eventsOf(served, `organization-${id}`)).map(({ type }) => type).filter((type) => type.startsWith('Email'));

/** Appends an event that Charter cannot read. */
async function spoilHistory({ id }: Team): Promise<void> {
  const stream = organizationStream(id);
  const last = (await eventsOf(served, stream)).at(-1)!;
  const bogus = { id: randomUUID(), type: 'Bogus', data: {}, metadata: {} };
  await served.charter.log.append(stream, [bogus], { expected: last.revision });
  await settled(served);
}

/** Signs in through the provider, and resolves with the location to which the callback redirects. */
async function signsIn({ id }: Team, traveller: HttpBrowser = newHttpBrowser()) {
  const origin = originOf(served);
  const { headers } = await traveller.get(`${origin}/auth/sso/${id}`);
  const isOurs = (address: string) => address.startsWith(origin);
  return (await traveller.get(await traveller.go(headers.location!, isOurs))).headers.location;
}
/** Makes the provider sign in a person as Microsoft Entra does: without `email_verified`, and with its own `sub`. */
const asEntra = ({ id, email }: Account, more: object = {}) => {
  const now = Math.floor(served.clock.now() / 1_000); // these specs move the clock
  const tid = '2b0b7f2c-9188-4d5e-8c7e-6d8f4a0f3c11';
  provider.signsInAs({ sub: `pairwise-${id}`, email: email!, tid, iat: now, exp: now + 3_600, ...more });
};
/** A browser in which the person has signed in through the team's provider. */
async function throughProvider(one: Team, account: Account): Promise<Browser> {
  asEntra(account, { email_verified: true });
  const traveller = newHttpBrowser();
  expect(await signsIn(one, traveller)).toBe('/');
  const here = await browser(served);
  for (const [name, value] of traveller.cookies(originOf(served))) here.cookies.set(name, value);
  return here;
}
const colleague = async (one: Team, name: string, isMember = true) => {
  const account = await person(served, { email: `${name}@${one.domain}` });
  if (isMember) await joined({ served, key, organization: one.id }, account);
  return account;
};

describe('Claim of an e-mail domain', () => {
  it('answers with the DNS record, which does not reveal the organization', async () => {
    const one = await team();
    const { status, body } = await claim(one);
    expect([status, body]).toEqual([
      201,
      {
        ...{ domain: one.domain, unicode: one.domain },
        state: 'claimed',
        record: {
          name: `_charter-challenge.${one.domain}`,
          value: expect.stringMatching(/^charter-domain=[\w-]{43}$/),
        },
        since: expect.any(String),
        until: null,
        automaticMembership: false,
        managed: false,
      },
    ]);
    expect(JSON.stringify(body['record'])).not.toContain(one.id);
    expect(await eventTypes(one)).toEqual(['EmailDomainClaimed']);
  });

  it('needs the password, and the role owner or operator', async () => {
    const one = await team();
    const wrong = await one.by.send('POST', at(one), { domain: one.domain, password: 'wrong' });
    expect([wrong.status, wrong.body.type]).toEqual([403, '/problems/wrong-password']);
    const admin = await person(served);
    await done(served, key, one.id, ['POST', '/members', { user: admin.id, role: 'admin' }]);
    const by = await signedIn(served, admin);
    expect((await claim({ ...one, by })).status).toBe(403);
    expect((await claim({ ...one, by: await signedIn(served, await person(served)) })).status).toBe(404);
    expect(
      (await claim({ ...one, by: await signedIn(served, await person(served, { role: 'operator' })) })).status,
    ).toBe(201);
  });

  it("limits the owner of a provider to ten guesses of an account's password, even in several sessions", async () => {
    const one = await team();
    const victor = await person(served);
    await done(served, key, one.id, ['POST', '/members', { user: victor.id, role: 'owner' }]);
    const guess = async (by: Browser) =>
      (await by.send('POST', at(one), { domain: 'co.uk', password: 'guess' })).status;
    const statuses = [];
    for (let signIns = 0; signIns < 2; signIns += 1) {
      const by = await throughProvider(one, victor);
      for (let round = 0; round < 6; round += 1) statuses.push(await guess(by));
    }
    expect(statuses).toEqual([...Array<number>(10).fill(403), 429, 429]);
    // the guesses throttle neither the person's own sessions nor the other owners of the organization
    expect((await claim({ ...one, by: await signedIn(served, victor) })).status).toBe(201);
    expect((await claim({ ...one, by: await throughProvider(one, one.owner) })).status).toBe(201);
  });

  it.each([
    ['co.uk', 'public-suffix'],
    ['github.io', 'public-suffix'],
    ['googlemail.com', 'mail-provider'],
    ['mail.gmail.com', 'mail-provider'],
    ['tutanota.com', 'mail-provider'],
    ['acme.internal', 'unknown-suffix'],
    ['localhost', 'unknown-suffix'],
  ])('is refused for %s (%s), and records nothing', async (domain, why) => {
    const one = await team();
    const { status, body } = await claim(one, domain);
    expect([status, body.type, body.why]).toEqual([409, '/problems/domain-refused', why]);
    expect(body.detail).toContain(shippedLists.date);
    expect(await eventTypes(one)).toEqual([]);
  });

  it('is checked with the versions of the lists whose date Charter shows', () => {
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const { tldts, 'email-providers': providers } = shippedLists;
    expect([dependencies['tldts'], dependencies['email-providers']]).toEqual([tldts, providers]);
    expect(['acme.co.uk', 'mail.acme.com', 'acme.github.io'].map(domainFlaw)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('G5, W1: Microsoft Entra, which sends no email_verified', () => {
  it('signs in a member of the proven domain, and links the subject', async () => {
    const one = await proven(await team());
    const account = await colleague(one, 'olga');
    asEntra(account);
    const traveller = newHttpBrowser();
    expect(await signsIn(one, traveller)).toBe('/');
    expect(await signedInAs(served, traveller)).toBe(account.id);
    // the subject identifies the person now, not the address, which a tenant's administrator can write
    asEntra(account, { email: `another@${one.domain}` });
    const again = newHttpBrowser();
    expect(await signsIn(one, again)).toBe('/');
    expect(await signedInAs(served, again)).toBe(account.id);
  });

  it('signs in no person with an explicit `false`, another domain, or a domain of another organization', async () => {
    const one = await proven(await team());
    const other = await proven(await team());
    const account = await colleague(one, 'ada');
    for (const verified of [false, 'false', 'true', 1]) {
      asEntra(account, { email_verified: verified });
      expect([verified, await signsIn(one)]).toEqual([verified, '/login?error=sso']);
    }
    const subdomain = await colleague({ ...one, domain: `mail.${one.domain}` }, 'bea');
    asEntra(subdomain);
    expect(await signsIn(one)).toBe('/login?error=sso');
    const foreign = await colleague({ ...one, domain: other.domain }, 'cyd');
    asEntra(foreign);
    expect(await signsIn(one)).toBe('/login?error=sso');
  });

  it('still needs an address that Charter has verified, an active account and no platform role', async () => {
    const one = await proven(await team());
    for (const wanted of [{ emailVerified: false }, { state: 'disabled' }, { role: 'operator' }] as const) {
      const account = await person(served, {
        email: `p-${Object.keys(wanted)[0]}@${one.domain}`.toLowerCase(),
        ...wanted,
      });
      await joined({ served, key, organization: one.id }, account);
      asEntra(account);
      expect(await signsIn(one)).toBe('/login?error=account');
    }
  });
});

describe('W4: A domain that is only claimed', () => {
  it('does not replace `email_verified`', async () => {
    const one = await team();
    await claim(one);
    asEntra(await colleague(one, 'ada'));
    expect(await signsIn(one)).toBe('/login?error=sso');
  });

  it('does not replace `email_verified` if only the table, or only the history, says that the domain is proven', async () => {
    const { provenDomains } = served.charter.database;
    const one = await team();
    await claim(one);
    asEntra(await colleague(one, 'ada'));
    await provenDomains.claim(one.domain, one.id, served.clock.now());
    expect([await signsIn(one), await stateOf(one)]).toEqual(['/login?error=sso', 'claimed']);
    const two = await proven(await team());
    await provenDomains.takeBack(two.domain, two.id);
    asEntra(await colleague(two, 'bea'));
    expect([await signsIn(two), await stateOf(two)]).toEqual(['/login?error=sso', 'claimed']);
  });

  it('cannot have its switches on', async () => {
    const one = await team();
    await claim(one);
    const { status, body } = await switches(one, { managed: true });
    expect([status, body.type]).toEqual([409, '/problems/not-proven']);
  });
});

describe('List of e-mail domains', () => {
  it('names both forms of an international domain', async () => {
    const one = await team('münchen-team.com');
    await claim(one);
    const ascii = 'xn--mnchen-team-thb.com';
    expect(await shown(one)).toMatchObject([{ domain: ascii, unicode: 'münchen-team.com' }]);
  });

  it('answers about an earlier moment, and Charter records the read', async () => {
    const one = await proven(await team());
    await switches(one, { automaticMembership: true });
    await one.by.send('DELETE', at(one, `/${one.domain}`));
    const events = await eventsOf(served, `organization-${one.id}`);
    const revisionOf = (type: string) => events.find((event) => event.type === type)!.revision;
    const past = async (type: string, by = one.by) => (await by.get(at(one, `?asOf=${revisionOf(type)}`))).body;
    expect(await shown(one)).toEqual([]);
    expect((await past('EmailDomainClaimed')).domains).toMatchObject([{ domain: one.domain, state: 'claimed' }]);
    expect((await past('EmailDomainProven')).domains).toMatchObject([{ state: 'proven', automaticMembership: false }]);
    expect((await past('EmailDomainSettingsChanged')).domains).toMatchObject([{ automaticMembership: true }]);
    expect((await past('EmailDomainReleased')).domains).toEqual([]);
    const reads = (await accountEventsOf(served, one.owner)).filter(({ type }) => type === 'HistoryRead');
    expect(reads.map(({ data }) => data)).toEqual([{ organization: one.id }]);
  });

  it('shows the present to owners and operators, and earlier moments also to auditors and administrators', async () => {
    const one = await team();
    const administrator = await person(served);
    await done(served, key, one.id, ['POST', '/members', { user: administrator.id, role: 'admin' }]);
    const statuses = async (account: Account) => {
      const by = await signedIn(served, account);
      return [(await by.get(at(one))).status, (await by.get(at(one, '?asOf=0'))).status];
    };
    expect(await statuses(one.owner)).toEqual([200, 200]);
    expect(await statuses(await person(served, { role: 'operator' }))).toEqual([200, 200]);
    expect(await statuses(administrator)).toEqual([403, 200]);
    expect(await statuses(await person(served, { role: 'auditor' }))).toEqual([403, 200]);
    expect(await statuses(await colleague(one, 'mia'))).toEqual([403, 403]);
  });

  it('answers 404 about a moment before the founding', async () => {
    const one = await team();
    const { status, body } = await one.by.get(at(one, '?asOf=1999-01-01T00:00:00Z'));
    expect([status, body.type]).toEqual([404, '/problems/no-such-organization']);
  });
});

describe('Organization that does not exist', () => {
  it('has no list of e-mail domains, and no check of a domain', async () => {
    const operator = await person(served, { role: 'operator' });
    const nowhere = { id: randomUUID(), owner: operator, by: await signedIn(served, operator), domain: 'nowhere.com' };
    for (const { status, body } of [await nowhere.by.get(at(nowhere)), await check(nowhere)])
      expect([status, body.type]).toEqual([404, '/problems/no-such-organization']);
  });
});

/** By day fewer than at night, because each race checks four passwords. */
const RACES = isNight ? 50 : 8;

describe('W2: First proof of a domain', () => {
  it('decides each race for the domain, and no claim blocks another claim', async () => {
    const pair = [await team(), await team()];
    for (let race = 0; race < RACES; race += 1) {
      const domain = `race-${race}.com`;
      const both = pair.map((one) => ({ ...one, domain }));
      const records = [];
      for (const one of both) records.push(((await claim(one)).body as { record: { value: string } }).record.value);
      dns.publish(`_charter-challenge.${domain}`, ...records);
      served.clock.advance(20 * 60_000); // the passwords of this spec stay within the limit of attempts
      const answers = await Promise.all(both.map(check));
      const statuses = answers.map(({ status }) => status).toSorted();
      expect([race, statuses]).toEqual([race, [200, 409]]);
      expect(answers.find(({ status }) => status === 409)!.body.type).toBe('/problems/domain-taken');
    }
  }, 120_000);

  it('needs the DNS record, even if the organization claims the domain during the check', async () => {
    const one = await team();
    const { provenDomains } = served.charter.database;
    const reserve = provenDomains.claim.bind(provenDomains);
    const meanwhile = jest.spyOn(provenDomains, 'claim').mockImplementationOnce(async (...given) => {
      expect((await claim(one)).status).toBe(201);
      return reserve(...given);
    });
    const answer = await check(one);
    meanwhile.mockRestore();
    expect([answer.status, answer.body.type]).toEqual([404, '/problems/no-such-domain']);
    expect(await eventTypes(one)).not.toContain('EmailDomainProven');
  });

  it('keeps the domain if another request for the same organization was faster, and this request is refused', async () => {
    const one = await team();
    const { record } = (await claim(one)).body as { record: { name: string; value: string } };
    dns.publish(record.name, record.value);
    const { provenDomains } = served.charter.database;
    const reserve = provenDomains.claim.bind(provenDomains);
    const meanwhile = jest.spyOn(provenDomains, 'claim').mockImplementationOnce(async (...given) => {
      const outcome = await reserve(...given);
      expect((await check(one)).status).toBe(200);
      return outcome;
    });
    const slower = await checkAtRevision(one, 2);
    meanwhile.mockRestore();
    expect(slower.status).toBe(412);
    expect((await provenDomains.find(one.domain))?.organization).toBe(one.id);
  });

  it('keeps the domain if another request of the organization is refused and releases the claim of both requests', async () => {
    const one = await team();
    const { record } = (await claim(one)).body as { record: { name: string; value: string } };
    dns.publish(record.name, record.value);
    const { provenDomains } = served.charter.database;
    const reserve = provenDomains.claim.bind(provenDomains);
    const [found, refused] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    let second: ReturnType<typeof check> | undefined;
    const meanwhile = jest.spyOn(provenDomains, 'claim');
    meanwhile.mockImplementationOnce(async (...given) => {
      const outcome = await reserve(...given);
      second = check(one);
      await found.promise;
      return outcome;
    });
    meanwhile.mockImplementationOnce(async (...given) => {
      const outcome = await reserve(...given);
      found.resolve(undefined);
      await refused.promise;
      return outcome;
    });
    const first = await checkAtRevision(one, 0);
    meanwhile.mockRestore();
    refused.resolve(undefined);
    expect([first.status, (await second)?.status]).toEqual([412, 200]);
    expect(await stateOf(one)).toBe('proven');
  });

  it('frees the domain when the organization releases it', async () => {
    const one = await proven(await team());
    const two = { ...(await team()), domain: one.domain };
    const { record } = (await claim(two)).body as { record: { name: string; value: string } };
    dns.publish(record.name, record.value);
    expect((await check(two)).body.type).toBe('/problems/domain-taken');
    expect((await one.by.send('DELETE', at(one, `/${one.domain}`))).status).toBe(204);
    expect(await shown(one)).toEqual([]);
    expect((await check(two)).status).toBe(200);
  });

  it('stays with an organization whose history cannot be read', async () => {
    const one = await proven(await team());
    await spoilHistory(one);
    const other = await team(one.domain);
    const { record } = (await claim(other)).body as { record: { name: string; value: string } };
    dns.publish(record.name, record.value);
    served.clock.advance(2 * 60_000);
    const { status, body } = await check(other);
    expect([status, body.type]).toEqual([409, '/problems/domain-taken']);
  });

  it('passes from a closed organization to the next organization with the DNS record', async () => {
    const one = await proven(await team());
    await done(served, key, one.id, ['POST', '/close', { reason: 'moved' }]);
    const two = { ...(await team()), domain: one.domain };
    const { record } = (await claim(two)).body as { record: { name: string; value: string } };
    dns.publish(record.name, record.value);
    served.clock.advance(2 * 60_000);
    expect((await check(two)).status).toBe(200);
    await done(served, key, one.id, ['POST', '/reopen', { reason: 'back' }]);
    await settled(served);
    await served.checkDomains();
    expect(await eventTypes(one)).toContain('EmailDomainLost');
    expect(await eventTypes(two)).not.toContain('EmailDomainLost');
    const text = expect.stringContaining(`has proven the domain ${one.domain}.`);
    expect(await mailsOf(served, one.owner)).toMatchObject([{ kind: 'domain-lost', text }]);
    expect(await mailsOf(served, two.owner)).toEqual([]);
  });

  it('passes from a closed organization to another organization without a mail to the owners of the closed organization', async () => {
    const one = await proven(await team());
    await done(served, key, one.id, ['POST', '/close', { reason: 'moved' }]);
    served.clock.advance(2 * 60_000);
    await proven({ ...(await team()), domain: one.domain });
    await settled(served);
    await served.checkDomains();
    expect(await eventTypes(one)).toContain('EmailDomainLost');
    expect(await mailsOf(served, one.owner)).toEqual([]);
  });

  it('stays with the organization that proved it last, even if this organization is closed before the daily check', async () => {
    const one = await proven(await team());
    await done(served, key, one.id, ['POST', '/close', { reason: 'moved' }]);
    served.clock.advance(2 * 60_000);
    const two = await proven({ ...(await team()), domain: one.domain });
    await done(served, key, two.id, ['POST', '/close', { reason: 'moved' }]);
    served.clock.advance(2 * 60_000);
    await settled(served);
    await served.checkDomains();
    expect(await served.charter.database.provenDomains.find(one.domain)).toMatchObject({ organization: two.id });
  });

  it('also frees a domain whose proof was never recorded, because a process crashed', async () => {
    const one = await team();
    await served.charter.database.provenDomains.claim(one.domain, (await team()).id, served.clock.now());
    const { record } = (await claim(one)).body as { record: { name: string; value: string } };
    dns.publish(record.name, record.value);
    expect((await check(one)).body.type).toBe('/problems/domain-taken'); // the other proof may still be under way
    served.clock.advance(61_000);
    expect((await check(one)).status).toBe(200);
  });
});

describe('Repeated release of a domain', () => {
  const release = (one: Team) =>
    one.by.send('DELETE', at(one, `/${one.domain}`), undefined, { headers: { 'Idempotency-Key': 'release' } });

  /** Lets another owner claim and prove the domain again. The first owner keeps only the role `member`. */
  async function takenOver(one: Team): Promise<Team> {
    const heir = await person(served);
    await done(served, key, one.id, ['POST', '/members', { user: heir.id, role: 'owner' }]);
    const again = await proven({ ...one, owner: heir, by: await signedIn(served, heir) });
    expect((await switches(again, { managed: true })).status).toBe(200);
    await done(served, key, one.id, ['PATCH', `/members/${one.owner.id}`, { role: 'member' }]);
    return again;
  }

  it('gets the stored 204 without a body and a content type, and changes nothing', async () => {
    const one = await proven(await team());
    const first = await release(one);
    const { record } = (await claim(one)).body as { record: { name: string; value: string } };
    dns.publish(record.name, record.value);
    expect((await check(one)).status).toBe(200);
    const events = await eventTypes(one);
    for (const { status, text, headers } of [first, await release(one)])
      expect([status, text, headers['content-type'], headers['content-length']]).toEqual([
        204,
        '',
        undefined,
        undefined,
      ]);
    expect([await eventTypes(one), await stateOf(one)]).toEqual([events, 'proven']);
  });

  it('is refused after the caller has lost the role, and changes nothing', async () => {
    const one = await proven(await team());
    expect((await release(one)).status).toBe(204);
    const again = await takenOver(one);
    expect(await release(one)).toMatchObject({ status: 403, body: { type: '/problems/not-allowed' } });
    expect(await shown(again)).toMatchObject([{ state: 'proven', managed: true }]);
    await done(served, key, one.id, ['DELETE', `/members/${one.owner.id}`]);
    expect((await release(one)).status).toBe(404);
    expect(await stateOf(again)).toBe('proven');
  });

  it('changes nothing if the process crashed before it stored the answer', async () => {
    const one = await proven(await team());
    const lost = jest.spyOn(served.charter.database.receipts, 'answer').mockRejectedValueOnce(new Error('dead'));
    expect((await release(one)).status).toBe(500);
    lost.mockRestore();
    const again = await takenOver(one);
    await release(one);
    expect(await shown(again)).toMatchObject([{ state: 'proven', managed: true }]);
  });
});

describe('Repeated claim, check or change of a domain', () => {
  it.each([
    ['claim', 'POST', () => '', ({ domain }: Team) => ({ domain })],
    ['check', 'POST', ({ domain }: Team) => `/${domain}/check`, () => ({})],
    ['change', 'PATCH', ({ domain }: Team) => `/${domain}`, () => ({ automaticMembership: true })],
  ] as const)(
    'says that the organization has released the domain, after the answer to the first %s was lost',
    async (what, method, rest, fields) => {
      const one = what === 'claim' ? await team() : await proven(await team());
      const headers = { 'Idempotency-Key': 'repeated' };
      const send = () => one.by.send(method, at(one, rest(one)), { ...fields(one), password: PASSWORD }, { headers });
      const lost = jest.spyOn(served.charter.database.receipts, 'answer').mockRejectedValueOnce(new Error('dead'));
      expect((await send()).status).toBe(500);
      lost.mockRestore();
      expect((await one.by.send('DELETE', at(one, `/${one.domain}`))).status).toBe(204);
      const { status, body } = await send();
      expect([status, body.type]).toEqual([404, '/problems/no-such-domain']);
      expect(await served.charter.database.provenDomains.find(one.domain)).toBeUndefined();
    },
  );
});

describe('W3: A withdrawn record', () => {
  it('causes mails to the owners, and ends the domain after 14 days', async () => {
    const one = await proven(await team());
    await switches(one, { managed: true });
    dns.withdraw(`_charter-challenge.${one.domain}`);
    await checkedAfter(1);
    expect([await domainStates(one), await mailKinds(one)]).toEqual([['lapsing'], []]);
    await checkedAfter(1);
    await served.checkDomains();
    expect(await mailKinds(one)).toEqual(['domain-lapsing']);
    asEntra(await colleague(one, 'ada'));
    expect(await signsIn(one)).toBe('/'); // before the end of the 14 days
    for (let day = 2; day < 14; day += 1) await checkedAfter(1);
    expect([await domainStates(one), await mailKinds(one)]).toEqual([['lapsing'], Array(3).fill('domain-lapsing')]);
    await checkedAfter(1);
    expect([await domainStates(one), await eventTypes(one)]).toEqual([
      ['claimed'],
      ['EmailDomainClaimed', 'EmailDomainProven', 'EmailDomainSettingsChanged', 'EmailDomainLost'],
    ]);
    const [last] = (await mailsOf(served, one.owner)).toReversed();
    expect([last!.kind, last!.text]).toEqual(['domain-lost', expect.stringContaining(one.domain)]);
    asEntra(await colleague(one, 'bea'));
    expect(await signsIn(one)).toBe('/login?error=sso');
  }, 60_000);

  it('has no effect if the owner publishes the record again within 14 days', async () => {
    const one = await team();
    const { record } = (await claim(one)).body as { record: { name: string; value: string } };
    dns.publish(record.name, record.value);
    await check(one);
    dns.withdraw(record.name);
    served.clock.advance(DAY + 60_000);
    await served.checkDomains();
    expect(await domainStates(one)).toEqual(['lapsing']);
    dns.publish(record.name, record.value);
    expect((await check({ ...one, by: await signedIn(served, one.owner) })).body.state).toBe('proven');
  });

  it('ends the domain only a day after the first warning, also if no process ran for 14 days', async () => {
    const one = await proven(await team());
    dns.withdraw(`_charter-challenge.${one.domain}`);
    await checkedAfter(1);
    await checkedAfter(14);
    const [domain] = await domainsNow(one);
    expect([domain!['state'], await mailKinds(one)]).toEqual(['lapsing', ['domain-lapsing']]);
    const until = new Date(domain!['until'] as string);
    expect(Math.abs(until.getTime() - served.clock.now() - DAY)).toBeLessThan(60_000);
    const printed = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
    expect((await mailsOf(served, one.owner))[0]!.text).toContain(`still missing on ${printed.format(until)} UTC`);
    await served.checkDomains();
    expect(await domainStates(one)).toEqual(['lapsing']);
    await checkedAfter(1);
    expect([await domainStates(one), await mailKinds(one)]).toEqual([['claimed'], ['domain-lapsing', 'domain-lost']]);
  });

  it('is not assumed while the DNS servers give no valid answer', async () => {
    const one = await proven(await team());
    const name = `_charter-challenge.${one.domain}`;
    dns.failsAt(name, 'broken');
    await checkedAfter(1);
    await checkedAfter(20);
    expect([await domainStates(one), await mailKinds(one)]).toEqual([['proven'], []]);
    dns.withdraw(name);
    await checkedAfter(1);
    const [{ since } = {}] = await domainsNow(one);
    dns.failsAt(name, 'broken');
    await checkedAfter(2);
    await checkedAfter(13);
    await checkedAfter(1);
    // a known loss of the record continues: the owners get the warnings, but keep the domain
    expect(await domainsNow(one)).toMatchObject([{ state: 'lapsing', since }]);
    expect(await mailKinds(one)).toEqual(['domain-lapsing', 'domain-lapsing']);
    dns.withdraw(name);
    await checkedAfter(1);
    expect([await domainStates(one), (await mailKinds(one)).at(-1)]).toEqual([['claimed'], 'domain-lost']);
  });

  it('is noticed even while the history of another organization with a domain cannot be read', async () => {
    const [unreadable, other] = [await proven(await team()), await proven(await team())];
    await spoilHistory(unreadable);
    dns.withdraw(`_charter-challenge.${other.domain}`);
    await checkedAfter(1);
    expect(await domainStates(other)).toEqual(['lapsing']);
    const { checked } = (await served.charter.database.provenDomains.find(unreadable.domain))!;
    expect(served.clock.now() - Date.parse(checked)).toBeLessThan(60_000); // the next check is due tomorrow
  });

  it('does not end a domain whose owners got no warning because the history could not be read', async () => {
    const one = await proven(await team());
    dns.withdraw(`_charter-challenge.${one.domain}`);
    await checkedAfter(1);
    const { organizations } = served.charter;
    const query = organizations.query.bind(organizations);
    const unreadable = new UnreadableStream(organizationStream(one.id), 0, 'a spec');
    const spoiled = jest
      .spyOn(organizations, 'query')
      .mockImplementation((stream, ...more) =>
        stream === organizationStream(one.id) ? Promise.reject(unreadable) : query(stream, ...more),
      );
    for (let day = 0; day < 14; day += 1) await checkedAfter(1);
    spoiled.mockRestore(); // as after a start of a release that can read the history
    await checkedAfter(1);
    expect([await domainStates(one), await mailKinds(one)]).toEqual([['lapsing'], []]);
  });

  it('has no effect while the organization is closed, and its owners get no mails about the days before the reopening', async () => {
    const one = await proven(await team());
    await switches(one, { managed: true });
    await done(served, key, one.id, ['POST', '/close', { reason: 'moved' }]);
    const hasNoEffect = { state: 'claimed', automaticMembership: false, managed: false };
    const { revision } = (await eventsOf(served, `organization-${one.id}`)).at(-1)!;
    expect(await domainsNow(one)).toMatchObject([hasNoEffect]);
    expect((await one.by.get(at(one, `?asOf=${revision}`))).body.domains).toMatchObject([hasNoEffect]);
    dns.withdraw(`_charter-challenge.${one.domain}`);
    for (let day = 0; day < 16; day += 1) await checkedAfter(1);
    await done(served, key, one.id, ['POST', '/reopen', { reason: 'back' }]);
    expect([await domainStates(one), await mailKinds(one)]).toEqual([['proven'], []]);
    await checkedAfter(1);
    expect([await domainStates(one), await mailKinds(one)]).toEqual([['lapsing'], []]);
    await checkedAfter(1);
    expect([await domainStates(one), await mailKinds(one)]).toEqual([['lapsing'], ['domain-lapsing']]);
  });

  it('is checked again after a restore of tables that lack the domain', async () => {
    const one = await proven(await team());
    await served.charter.database.provenDomains.takeBack(one.domain, one.id);
    await settled(served);
    await served.checkDomains();
    expect(await domainStates(one)).toEqual(['proven']);
  });

  /** A team whose domain the next daily check ends, unless this check finds the DNS record again. */
  const withoutRecord = async () => {
    const one = await proven(await team());
    const { record } = (await shown(one))[0] as { record: { name: string; value: string } };
    const missing = momentAt(served.clock.now() - 15 * DAY);
    const row = { domain: one.domain, organization: one.id, missing };
    await served.charter.database.provenDomains.recordCheck(row, served.clock.now() - DAY - 60_000);
    return { one, record };
  };

  it('does not end a domain that the owner proves again during the daily check', async () => {
    const { one, record } = await withoutRecord();
    dns.failsAt(record.name, 'silent');
    const before = dns.asked.length;
    const daily = served.checkDomains();
    await until(() => dns.asked.includes(record.name, before));
    dns.publish(record.name, record.value);
    expect((await check(one)).body.state).toBe('proven');
    dns.withdraw(record.name); // the daily check asks a DNS server that does not have the record yet
    await daily;
    expect(await shown(one)).toMatchObject([{ state: 'proven' }]);
    expect(await eventTypes(one)).not.toContain('EmailDomainLost');
  });

  it('does not end a domain that the owner proves again while the owners get the mail about the loss', async () => {
    const { one, record } = await withoutRecord();
    dns.withdraw(record.name);
    const { mails } = served.runtime;
    const send = mails.send.bind(mails);
    const mailed = jest.spyOn(mails, 'send').mockImplementationOnce(async (mail) => {
      dns.publish(record.name, record.value);
      expect((await check(one)).status).toBe(200);
      return send(mail);
    });
    await served.checkDomains();
    expect(mailed).toHaveBeenCalledWith(expect.objectContaining({ kind: 'domain-lost' }));
    mailed.mockRestore();
    expect(await shown(one)).toMatchObject([{ state: 'proven' }]);
    expect(await eventTypes(one)).not.toContain('EmailDomainLost');
  });

  it('is not lost after a restore of tables in which an earlier organization has the domain', async () => {
    const earlier = await proven(await team());
    expect((await earlier.by.send('DELETE', at(earlier, `/${earlier.domain}`))).status).toBe(204);
    const one = await proven(await team(earlier.domain));
    expect((await switches(one, { managed: true })).status).toBe(200);
    const { provenDomains } = served.charter.database;
    await provenDomains.takeBack(one.domain, one.id);
    await provenDomains.claim(one.domain, earlier.id, served.clock.now());
    await settled(served);
    await served.checkDomains(); // the earlier organization may just be proving the domain
    expect(await eventTypes(one)).not.toContain('EmailDomainLost');
    served.clock.advance(61_000);
    await served.checkDomains();
    expect(await domainsNow(one)).toMatchObject([{ state: 'proven', managed: true }]);
    expect(await eventTypes(one)).not.toContain('EmailDomainLost');
  });
});

/** The team's domains; signs in again, because sessions end while the clock moves. */
const domainsNow = async (one: Team) =>
  shown({ ...one, by: await signedIn(served, await person(served, { role: 'operator' })) });
const domainStates = async (one: Team) => (await domainsNow(one)).map(({ state }) => state);
const mailKinds = async (one: Team) => (await mailsOf(served, one.owner)).map(({ kind }) => kind);
/** Moves the clock by days and a minute, and runs the checks that are then due. */
async function checkedAfter(days: number): Promise<void> {
  served.clock.advance(days * DAY + 60_000);
  await served.checkDomains();
}

describe('W5: DNS server', () => {
  const refused = async (prepare: (name: string, value: string) => void) => {
    const one = await team();
    const { record } = (await claim(one)).body as { record: { name: string; value: string } };
    prepare(record.name, record.value);
    const began = performance.now();
    const { status, body } = await check(one);
    expect(performance.now() - began).toBeLessThan(6_000);
    expect([status, body.type, await eventTypes(one)]).toEqual([409, '/problems/not-proven', ['EmailDomainClaimed']]);
    return body.why as unknown;
  };

  it('without the record, or with the record of another claim, does not prove the domain', async () => {
    expect(await refused(() => undefined)).toBe('absent');
    expect(await refused((name, value) => dns.publish(name, `${value}x`, value.slice(1)))).toBe('absent');
  });

  it('without a valid answer does not prove the domain, and the check ends in time', async () => {
    expect(await refused((name) => dns.failsAt(name, 'silent'))).toBe('unreachable');
    expect(await refused((name) => dns.failsAt(name, 'broken'))).toBe('unreachable');
    const lying = await refused((name, value) => {
      dns.publish(name, value);
      dns.failsAt(name, 'lying');
    });
    expect(lying).toBe('unreachable');
  });

  it('with an alias and the record at one name does not prove the domain', async () => {
    const found = await refused((name, value) => {
      dns.publish(name, value);
      dns.failsAt(name, 'aliased');
    });
    expect(found).toBe('redirected');
  });

  it('with a thousand records does not prove the domain, even if the record is among them', async () => {
    const texts = Array.from({ length: 1_000 }, () => '');
    expect(await refused((name, value) => dns.publish(name, value, ...texts))).toBe('too-many');
  });

  it('that announces 10,000 records, more than its answer can contain, does not prove the domain', async () => {
    const texts = Array.from({ length: 9_999 }, () => '');
    expect(await refused((name, value) => dns.publish(name, value, ...texts))).toBe('unreachable');
  });

  it('with an alias of another name does not prove the domain, even if that name has the record', async () => {
    const redirected = await refused((name, value) => {
      dns.publish('elsewhere.example.net', value);
      dns.alias(name, 'elsewhere.example.net');
    });
    expect(redirected).toBe('redirected');
  });

  it('gets no query about a domain that the organization has not claimed', async () => {
    const one = await team();
    const before = dns.asked.length;
    expect((await check(one)).status).toBe(404);
    expect(dns.asked.length).toBe(before);
  });
});

describe('Sign-in by domain', () => {
  const start = (domain: string, query = '') => served.ask('GET', `/auth/sso/domains/${domain}${query}`);

  it('leads to the organization that has proven the domain, and keeps the redirect', async () => {
    const one = await proven(await team());
    const { status, headers } = await start(one.domain.toUpperCase(), '?redirect=%2Fsites%3Fa%3D1');
    expect([status, headers.location]).toEqual([303, `/auth/sso/${one.id}?redirect=%2Fsites%3Fa%3D1`]);
  });

  it.each(['unknown.com', 'not%20a%20domain', 'localhost'])('leads back to the sign-in page for %s', async (domain) => {
    const { status, headers } = await start(domain);
    expect([status, headers.location]).toEqual([303, '/login?error=sso']);
  });

  it('leads back to the sign-in page for a domain that is only claimed', async () => {
    const one = await team();
    await claim(one);
    expect((await start(one.domain)).headers.location).toBe('/login?error=sso');
  });
});

describe('Automatic membership', () => {
  it('makes an account of the domain a member, if the owner wants it', async () => {
    const one = await proven(await team());
    const account = await colleague(one, 'nina', false);
    asEntra(account);
    expect(await signsIn(one)).toBe('/login?error=account');
    expect((await switches(one, { automaticMembership: true })).body).toMatchObject({ automaticMembership: true });
    const traveller = newHttpBrowser();
    expect([await signsIn(one, traveller), await signedInAs(served, traveller)]).toEqual(['/', account.id]);
    const events = await eventsOf(served, `organization-${one.id}`);
    const { type, data, metadata } = events.at(-1)!;
    expect([type, data, metadata]).toMatchObject([
      'MemberAdded',
      { member: account.id, role: 'member' },
      { actor: { kind: 'system', id: 'email-domain' } },
    ]);
  });

  it("shows the new member's name after the next sign-in, if the first one was cut off", async () => {
    const one = await proven(await team());
    const [account, added] = [await colleague(one, 'nina', false), await person(served)];
    await joined({ served, key, organization: one.id }, added);
    expect((await switches(one, { automaticMembership: true })).status).toBe(200);
    const { introductions } = served.charter.database.people;
    const failing = jest.spyOn(introductions, 'add').mockRejectedValueOnce(new DatabaseUnavailable('silent'));
    asEntra(account);
    expect(await signsIn(one)).toBe('/login?error=sso');
    failing.mockRestore();
    expect(await signsIn(one)).toBe('/');
    asEntra(added, { email_verified: true }); // has no address of the domain, and has not accepted the membership
    expect(await signsIn(one)).toBe('/');
    expect([...(await introductions.among(one.id, [account.id, added.id]))]).toEqual([account.id]);
  });

  it('does not make a member beyond the limit of users, and the sign-in page says so', async () => {
    const one = await proven(await team());
    await switches(one, { automaticMembership: true });
    await done(served, key, one.id, ['PUT', '/limits', { users: 1 }]);
    const account = await colleague(one, 'nina', false);
    asEntra(account);
    expect(await signsIn(one)).toBe('/login?error=account&reason=limit-exceeded');
    expect(served.entries().at(-1)).toMatchObject({ result: 'sign-in-refused', why: 'limit-exceeded' });
    expect((await accountEventsOf(served, account)).at(-1)).toMatchObject({
      ...{ type: 'SignInFailed', data: { method: 'sso', reason: 'limit-exceeded' } },
    });
  });

  it('W6: mails the owners at most once on each day if it finds no free seat, without personal data of the person', async () => {
    const one = await proven(await team());
    await switches(one, { automaticMembership: true });
    await done(served, key, one.id, ['PUT', '/limits', { users: 1 }]);
    const [nina, otto] = [await colleague(one, 'nina', false), await colleague(one, 'otto', false)];
    const refused = async (account: Account) => {
      asEntra(account);
      expect(await signsIn(one)).toBe('/login?error=account&reason=limit-exceeded');
      return mailsOf(served, one.owner);
    };
    const midnight = Math.ceil(served.clock.now() / DAY) * DAY;
    served.clock.advance(midnight + 1_000 - served.clock.now());
    const logged = served.entries().length;
    const [mail, ...others] = await refused(nina);
    expect([mail!.kind, mail!.to, others]).toEqual(['no-free-seat', one.owner.email, []]);
    expect(mail!.text).toContain(`a person of the domain ${one.domain} could not sign in`);
    expect(await refused(nina)).toHaveLength(1);
    expect(await refused(otto)).toHaveLength(1);
    served.clock.advance(DAY);
    expect(await refused(otto)).toHaveLength(2);
    expect(await mailsOf(served, nina)).toEqual([]);
    const events = (await eventsOf(served, `organization-${one.id}`)).map(({ data, metadata }) => [data, metadata]);
    const recorded = JSON.stringify([mail!.text, events, served.entries().slice(logged)]);
    for (const { email } of [nina, otto]) expect(recorded).not.toContain(email);
  });

  it('sends no mail about seats while a seat is free, or for an account of another domain', async () => {
    const one = await proven(await team());
    await switches(one, { automaticMembership: true });
    asEntra(await colleague(one, 'nina', false));
    expect(await signsIn(one)).toBe('/');
    await done(served, key, one.id, ['PUT', '/limits', { users: 1 }]);
    asEntra(await person(served), { email_verified: true });
    expect(await signsIn(one)).toBe('/login?error=account');
    expect(await mailsOf(served, one.owner)).toEqual([]);
  });

  it.each([undefined, 1])(
    'makes no member of an account whose address is in another domain, and does not mention the limit of users: %s',
    async (users) => {
      const one = await proven(await team());
      await switches(one, { automaticMembership: true });
      if (users !== undefined) await done(served, key, one.id, ['PUT', '/limits', { users }]);
      const stranger = await person(served);
      asEntra(stranger, { email_verified: true });
      expect(await signsIn(one)).toBe('/login?error=account');
    },
  );
});

describe('Managed account', () => {
  afterEach(() => jest.restoreAllMocks());
  const logIn = async ({ email }: Account) => (await (await browser(served)).logIn(email!)).status;

  it('cannot sign in with its password, until the owner releases the domain', async () => {
    const one = await proven(await team());
    const account = await colleague(one, 'ada');
    expect(await logIn(account)).toBe(204);
    await switches(one, { managed: true });
    const right = await (await browser(served)).logIn(account.email!);
    const wrong = await (await browser(served)).logIn(account.email!, 'a wrong password of ada');
    expect([right.status, { ...right.body, instance: '' }]).toEqual([401, { ...wrong.body, instance: '' }]);
    await one.by.send('DELETE', at(one, `/${one.domain}`));
    expect(await logIn(account)).toBe(204);
  });

  it.each([
    ['right', PASSWORD],
    ['wrong', 'a wrong password of ada'],
  ])('is looked up while a %s password is hashed, and not after the hash', async (_, password) => {
    const one = await proven(await team());
    const account = await colleague(one, 'ada');
    await switches(one, { managed: true });
    const here = await browser(served);
    const held = Promise.withResolvers<undefined>();
    const { passwords, view, database } = served.charter;
    const verify = passwords.verify.bind(passwords);
    const find = jest.spyOn(database.provenDomains, 'find');
    const list = jest.spyOn(view, 'list');
    jest.spyOn(passwords, 'verify').mockImplementationOnce(async (...given) => {
      await held.promise;
      return verify(...given);
    });
    const lookUps = () => [
      find.mock.calls.filter(([domain]) => domain === one.domain).length,
      list.mock.calls.filter(([{ tags }]) => tags?.includes(`member:${account.id}`)).length,
    ];
    const answer = here.logIn(account.email!, password);
    await until(() => !lookUps().includes(0), 1_000).catch(() => undefined);
    const before = lookUps();
    held.resolve(undefined);
    expect((await answer).status).toBe(401);
    expect([before, lookUps()]).toEqual([
      [1, 1],
      [1, 1],
    ]);
  });

  it('is looked up in the same domain as an unknown address, if the domain has letters beyond ASCII', async () => {
    const one = await proven(await team('xn--mnchen-team-thb.com'));
    const page = await browser(served);
    const find = jest.spyOn(served.charter.database.provenDomains, 'find');
    await page.logIn('unknown@münchen-team.com');
    expect(find.mock.calls).toEqual([[one.domain]]);
  });

  it('gets the answer of an unknown name to a wrong password, and 503 to the right one, while the log does not answer', async () => {
    const one = await proven(await team());
    await switches(one, { managed: true });
    const account = await person(served, { email: `ada@${one.domain}`, username: `ada-${randomUUID().slice(0, 8)}` });
    await joined({ served, key, organization: one.id }, account);
    const fails = () => Promise.reject(new LogError('unavailable', 'No answer.'));
    jest.spyOn(served.charter.organizations, 'query').mockImplementation(fails);
    const statusOf = async (...given: [string, string?]) => (await (await browser(served)).logIn(...given)).status;
    const unknown = await statusOf('an-unknown-name');
    expect([unknown, await statusOf(account.username!, 'a wrong password of ada')]).toEqual([401, 401]);
    expect(await statusOf(account.username!)).toBe(503);
  });

  it.each([
    ['begins no session', { managed: true }, 401],
    ['begins a session if the domain is not managed', { managed: false }, 200],
  ])('sets a password with the link of its invitation, and %s', async (_, wanted, status) => {
    const one = await proven(await team());
    await switches(one, wanted);
    const email = `ida@${one.domain}`;
    await done(served, key, one.id, ['POST', '/members', { email, role: 'member' }]);
    const account = (await served.charter.database.people.accounts.byEmail(email))!;
    const token = tokenIn((await mailsOf(served, account)).at(-1)!);
    const here = await browser(served);
    expect((await here.send('POST', '/reset', { token, password: PASSWORD })).status).toBe(204);
    expect((await here.get('/api/v1/me')).status).toBe(status);
    expect(await logIn(account)).toBe(status === 401 ? 401 : 204);
  });

  it('can set another password with the link of a reset, but still cannot sign in with it', async () => {
    const one = await proven(await team());
    const account = await colleague(one, 'ada');
    await switches(one, { managed: true });
    const link = await linkFor(served.runtime, 'reset', account.id, account.email);
    const here = await browser(served);
    const password = 'another password of ada';
    expect((await here.send('POST', '/reset', { token: link.split('/').at(-1), password })).status).toBe(204);
    expect((await here.get('/api/v1/me')).status).toBe(401);
    expect((await (await browser(served)).logIn(account.email!, password)).status).toBe(401);
  });

  it('keeps its password if it owns another organization, is no member, or has a platform role', async () => {
    const one = await proven(await team());
    await switches(one, { managed: true });
    const owner = await colleague(one, 'olga');
    await founded(served, { by: key, owner: owner.id });
    const outsider = await colleague(one, 'otto', false);
    const operator = await person(served, { email: `op@${one.domain}`, role: 'operator' });
    for (const account of [owner, outsider, operator]) expect(await logIn(account)).toBe(204);
  });

  it('keeps its password while the history of the organization cannot be read, as does every account of the domain', async () => {
    const one = await proven(await team());
    await switches(one, { managed: true });
    const member = await colleague(one, 'ada');
    const operator = await person(served, { email: `op@${one.domain}`, role: 'operator' });
    expect(await logIn(member)).toBe(401);
    await spoilHistory(one);
    expect([await logIn(member), await logIn(operator)]).toEqual([204, 204]);
    const there = await (await browser(served)).get(`/auth/sso/domains/${one.domain}`);
    expect([there.status, there.headers.location]).toEqual([303, '/login?error=sso']);
  });

  it('keeps its password while the organization has no provider', async () => {
    const one = await proven(await team());
    const account = await colleague(one, 'ada');
    await switches(one, { managed: true });
    expect(await logIn(account)).toBe(401);
    await done(served, key, one.id, ['DELETE', '/single-sign-on']);
    expect(await logIn(account)).toBe(204);
  });
});
