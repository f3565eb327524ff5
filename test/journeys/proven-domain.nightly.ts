import { type DnsServer, startDnsServer } from '../support/network/dns-server';
import { type OwnProvider, startOwnProvider } from '../support/sign-in/own-provider';
import { startBuiltService } from './built-service';
import { fields, logIn } from './browser/page-actions';
import { type Visit, staged } from './browser/stage';
import { expectSeen } from './browser/visible-text';

const PASSWORD = 'lighthouse marmalade seventeen';
const DOMAIN = 'northwind-lakeside.com';
let dns: DnsServer;
let provider: OwnProvider;

const stage = staged(async () => {
  dns = await startDnsServer();
  provider = await startOwnProvider();
  return startBuiltService({ DNS_SERVERS: dns.address });
});

let organization: string;
beforeAll(async () => {
  const { service } = stage;
  const settle = (email: string) => service.settle({ email, password: PASSWORD, emailVerified: true });
  const [olga, nina] = [await settle('olga@elsewhere.example'), await settle(`nina@${DOMAIN}`)];
  const joins = (member: string, role: 'owner' | 'member') => ({ type: 'AddMember', data: { member, role } }) as const;
  organization = await service.organization({
    name: 'Northwind',
    commands: [joins(olga, 'owner'), joins(nina, 'member')],
  });
});

/** Sends a request with the session of the page, and returns the answer. */
const send = async ({ page }: Visit, method: string, path: string, body: object) => {
  const sent = { method, path: `/api/v1/organizations/${organization}${path}`, body };
  const answer = await page.evaluate<Readonly<{ status: number; body: Record<string, unknown> }>>(`(async () => {
    const { method, path, body } = ${JSON.stringify(sent)};
    const token = decodeURIComponent(/XSRF-TOKEN=([^;]+)/.exec(document.cookie)[1]);
    const headers = { 'Content-Type': 'application/json', 'X-XSRF-TOKEN': token };
    const answer = await fetch(path, { method, headers, body: JSON.stringify(body) });
    return { status: answer.status, body: await answer.json() };
  })()`);
  if (answer.status >= 300) throw new Error(JSON.stringify(answer));
  return answer.body;
};

/** Begins single sign-on with an e-mail address on the log-in page. */
async function signsInAs(address: string): Promise<Visit> {
  const visit = await stage.visit('/login');
  visit.maySee(provider.issuer);
  await fields(visit.page).username.fill(address);
  await fields(visit.page).sso.click();
  return visit;
}

describe('A member whose organization uses Microsoft Entra', () => {
  // Entra sends no `email_verified`, names its tenant in `tid`, and gives each client another `sub`
  const tid = '2b0b7f2c-9188-4d5e-8c7e-6d8f4a0f3c11';
  beforeAll(() => provider.signsInAs({ sub: 'pairwise-7Qd0', email: `nina@${DOMAIN}`, tid }));

  it('cannot sign in with the e-mail address before the organization has proven the domain', async () => {
    const { page } = await signsInAs(`nina@${DOMAIN}`);
    await expectSeen(page, 'Single sign-on (SSO) failed.');
  });

  it('signs in with the e-mail address after the owner has proven the domain, and the page sends only the domain', async () => {
    const owner = await stage.visit('/login');
    await logIn(owner.page, 'olga@elsewhere.example', PASSWORD);
    await expectSeen(owner.page, 'Northwind');
    const { issuer, client } = provider;
    await send(owner, 'PUT', '/single-sign-on', { issuer, clientId: client.id, clientSecret: client.secret });
    const claim = await send(owner, 'POST', '/verified-domains', { domain: DOMAIN, password: PASSWORD });
    const { name, value } = claim['record'] as { name: string; value: string };
    dns.publish(name, value);
    await send(owner, 'POST', `/verified-domains/${DOMAIN}/check`, { password: PASSWORD });

    const visit = await signsInAs(`nina@${DOMAIN}`);
    await expectSeen(visit.page, 'Northwind');
    const me = (await (await visit.context.request.get('/api/v1/me')).json()) as { email: string };
    expect(me.email).toBe(`nina@${DOMAIN}`);
    const urls = visit.requests.map((request) => request.url());
    expect(urls).toContain(`${stage.service.url}/auth/sso/domains/${DOMAIN}`);
    expect(urls.filter((url) => /nina/.test(url))).toEqual([]);
  });
});
