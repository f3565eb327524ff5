import type { JWTPayload } from 'jose';
import type { Account } from '@charter/identity';
import { type DnsServer, startDnsServer } from '../../support/network/dns-server';
import { founded, path } from '../../support/requests/organizations';
import { type Served, serving } from '../../support/serving';
import { newHttpBrowser } from '../../support/sign-in/http-browser';
import { knownProviders, type KnownProvider } from '../../support/sign-in/known-providers';
import { type OwnProvider, startOwnProvider } from '../../support/sign-in/own-provider';
import { PASSWORD, person, signedIn } from '../../support/sign-in/people';
import { joined, originOf, signedInAs } from './sign-in-elsewhere.contract';

// W1, W4: how Google, Okta, Keycloak and Microsoft Entra differ as an organization's own provider

let dns: DnsServer;
let served: Served;
let key: string;
beforeAll(async () => {
  dns = await startDnsServer();
  served = await serving({ environment: { DNS_SERVERS: dns.address, RATE_LIMITS: 'off' } });
  key = await served.key();
});
afterAll(() => served.close());

let domains = 0;

describe.each(Object.entries(knownProviders))('The provider %s', (_name, known: KnownProvider) => {
  let provider: OwnProvider;
  let organization: string;
  let domain: string;
  let owner: Account;
  beforeAll(async () => {
    provider = await startOwnProvider(known.form);
    owner = await person(served);
    organization = await founded(served, { by: key, owner: owner.id });
    domain = `known-${(domains += 1)}.com`;
    await configure(provider.issuer);
  });
  afterAll(() => provider.close());

  const configured = (issuer: string) => {
    const body = { issuer, clientId: provider.client.id, clientSecret: provider.client.secret };
    return served.ask('PUT', path(organization, '/single-sign-on'), { key, body });
  };
  async function configure(issuer: string) {
    const answer = await configured(issuer);
    if (answer.status !== 200) throw new Error(answer.text);
  }
  async function provesDomain() {
    const by = await signedIn(served, owner);
    const at = path(organization, '/verified-domains');
    const { record } = (await by.send('POST', at, { domain, password: PASSWORD })).body as Claimed;
    dns.publish(record.name, record.value);
    const { status, text } = await by.send('POST', `${at}/${domain}/check`, { password: PASSWORD });
    if (status !== 200) throw new Error(text);
  }
  type Claimed = Readonly<{ record: Readonly<{ name: string; value: string }> }>;
  const colleague = async (name: string) => {
    const account = await person(served, { email: `${name}@${domain}`, password: null });
    await joined({ served, key, organization }, account);
    return account;
  };
  const claims = (email: string, verified = true) =>
    known.claimsOf(email, verified, { auth_time: Math.floor(Date.now() / 1_000) });
  /** Signs in through the provider. Resolves with the location, and with the account that is signed in. */
  async function signsIn(as: JWTPayload, spoilt?: Parameters<OwnProvider['signsInAs']>[1]) {
    provider.signsInAs(as, spoilt);
    const [traveller, origin] = [newHttpBrowser(), originOf(served)];
    const { headers } = await traveller.get(`${origin}/auth/sso/${organization}`);
    const back = await traveller.go(headers.location!, (address) => address.startsWith(origin));
    const { location } = (await traveller.get(back)).headers;
    return [location, await signedInAs(served, traveller)];
  }
  const refused = ['/login?error=sso', undefined];

  it('signs in a member before the domain is proven only if it sends `email_verified`', async () => {
    const account = await colleague('ada');
    const token = claims(account.email!);
    expect(await signsIn(token)).toEqual(known.sendsEmailVerified ? ['/', account.id] : refused);
    if (!known.sendsEmailVerified) return;
    // after the first sign-in, the subject identifies the person, even with another address that is not verified
    expect(await signsIn({ ...token, email: `other@${domain}`, email_verified: false })).toEqual(['/', account.id]);
  });

  it('signs in no member whose address it calls unverified, even if the domain is proven', async () => {
    await provesDomain();
    const [bea, cyd] = [await colleague('bea'), await colleague('cyd')];
    expect(await signsIn({ ...claims(bea.email!, false), email_verified: false })).toEqual(refused);
    expect(await signsIn(claims(cyd.email!, true))).toEqual(['/', cyd.id]);
  });

  it('is refused if the token names another issuer at the same host, or another form of the issuer', async () => {
    const account = await colleague('dan');
    const { origin } = new URL(provider.issuer);
    const others = [`${provider.issuer}/`, provider.issuer.replace(/^http:\/\//, ''), `${origin}/{tenantid}/v2.0`];
    for (const iss of [...others, ...(known.otherIssuer === undefined ? [] : [origin + known.otherIssuer])])
      expect([iss, ...(await signsIn(claims(account.email!), { claims: { iss } }))]).toEqual([iss, ...refused]);
    expect(await signsIn(claims(account.email!))).toEqual(['/', account.id]);
  });

  it('can be configured only with its own issuer', async () => {
    const { origin } = new URL(provider.issuer);
    const wrong = [`${origin}/common/v2.0`, `${provider.issuer}/.well-known/openid-configuration`];
    const further = known.otherIssuer === undefined ? [] : [origin, `${provider.issuer}/`, origin + known.otherIssuer];
    for (const issuer of [...wrong, ...further])
      expect([issuer, (await configured(issuer)).status]).toEqual([issuer, 409]);
    const { body } = await served.ask('GET', path(organization, '/single-sign-on'), { key });
    expect(body.issuer).toBe(provider.issuer);
  });
});
