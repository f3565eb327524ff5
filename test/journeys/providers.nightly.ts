import { draftAddress } from '../../web/src/console/draft/address/draft-address';
import { type GoogleStandIn, startGoogleStandIn } from '../support/sign-in/google-stand-in';
import { fields } from './browser/page-actions';
import { freePort } from '../support/network/free-port.mjs';
import { startBuiltService } from './built-service';
import { linkIn } from './mailbox';
import { expectSeen } from './browser/visible-text';
import { type Visit, staged } from './browser/stage';

const CLIENT = { clientId: 'charter', clientSecret: 'a-secret-of-the-stand-in' };
const verified = (name: string) => ({ sub: `sub-${name}`, email: `${name}@northwind.example`, email_verified: true });
let provider: GoogleStandIn;
let organization: string;

const stage = staged(async () => {
  const port = await freePort();
  const redirectUris = ['go', 'sso'].map((way) => `http://localhost:${port}/auth/${way}/callback`);
  const accounts = [
    ...['gina', 'nora', 'dora', 'stranger', 'sam'].map(verified),
    { ...verified('ursula'), email_verified: false },
  ];
  provider = await startGoogleStandIn({ ...CLIENT, redirectUris, accounts });
  const google = { GOOGLE_CLIENT_ID: CLIENT.clientId, GOOGLE_CLIENT_SECRET: CLIENT.clientSecret };
  return startBuiltService({ ...google, GOOGLE_ISSUER_URL: provider.issuer }, port);
});

beforeAll(async () => {
  const { service } = stage;
  const password = 'lighthouse marmalade seventeen';
  const settle = (name: string) => service.settle({ email: `${name}@northwind.example`, password });
  const [gina, , dora, ursula] = await Promise.all(['gina', 'nora', 'dora', 'ursula'].map(settle));
  const sam = await service.invite({ email: 'sam@northwind.example' });
  organization = await service.organization({
    name: 'Northwind',
    commands: [gina!, dora!, ursula!, sam.id].map((member) => ({
      type: 'AddMember',
      data: { member, role: 'member' },
    })),
  });
  const disabled = await service.charter.run(['accounts', 'disable', dora!]);
  if (disabled.code !== 0) throw new Error(disabled.stderr);
}, 60_000);
afterAll(() => provider.close());

const me = async ({ context }: Visit) => {
  const answer = await context.request.get('/api/v1/me');
  return answer.status() === 200 ? ((await answer.json()) as { email: string }).email : answer.status();
};

/**
 * Presses "Sign in with Google". The person with this name is signed in at the provider. If `name` is null, the
 * provider reports that the person cancelled.
 */
async function withGoogle(name: string | null, query = ''): Promise<Visit> {
  provider.signInAs(name && `${name}@northwind.example`);
  const visit = await stage.visit(`/login${query}`);
  visit.maySee(provider.issuer);
  await fields(visit.page).google.click();
  await visit.page.waitForURL(
    (url) =>
      url.origin === stage.service.url &&
      !url.pathname.startsWith('/auth/') &&
      url.href !== `${stage.service.url}/login${query}`,
  );
  return visit;
}

const expectFailed = async (visit: Visit, error: string, message: string) => {
  const { pathname, searchParams } = new URL(visit.page.url());
  expect([pathname, searchParams.get('error')]).toEqual(['/login', error]);
  await expectSeen(visit.page, message);
  expect(await me(visit)).toBe(401);
};
const GOOGLE = 'Google sign-in failed.';
const ACCOUNT = "You don't seem to have access to any organization.";
const SSO = 'Single sign-on (SSO) failed.';

describe('Signing in with Google', () => {
  it('leads to the console', async () => {
    const visit = await withGoogle('gina');
    await expectSeen(visit.page, 'Northwind');
    expect(await me(visit)).toBe('gina@northwind.example');
  });

  it('fails with error=google when the person cancels at Google', async () => {
    await expectFailed(await withGoogle(null), 'google', GOOGLE);
  });

  it('leads to the page that the person requested', async () => {
    const visit = await withGoogle('gina', `?redirect=${encodeURIComponent('/sites?tab=1')}`);
    expect(visit.page.url()).toBe(`${stage.service.url}/sites?tab=1`);
  });

  it('opens the page that the person requested with the draft beside it', async () => {
    const address = await draftAddress(organization, [{ type: 'RenameOrganization', data: { name: 'Southwind' } }]);
    const wanted = address.replace('/draft#', '/members#');
    provider.signInAs('gina@northwind.example');
    const visit = await stage.visit(wanted); // the service redirects this person to the log-in page
    visit.maySee(provider.issuer);
    await fields(visit.page).google.click();
    await visit.page.waitForURL(({ pathname }) => pathname === `/org/${organization}/members`);
    expect(visit.page.url()).toBe(`${stage.service.url}${wanted}`);
    await visit.page.getByRole('complementary', { name: 'Draft' }).getByText('One command').waitFor();
  });

  it('leads to a page of Charter, even if the query parameter `redirect` names another origin', async () => {
    const visit = await withGoogle('gina', `?redirect=${encodeURIComponent('https://evil.example')}`);
    expect(new URL(visit.page.url()).origin).toBe(stage.service.url);
    expect(visit.page.url()).not.toContain('evil');
  });

  it('fails with error=google for an address that the provider has not verified', async () => {
    await expectFailed(await withGoogle('ursula'), 'google', GOOGLE);
  });

  it.each(['stranger', 'dora', 'nora'])(
    'fails with error=account for %s (an account that is unknown, disabled or in no organization)',
    async (name) => {
      await expectFailed(await withGoogle(name), 'account', ACCOUNT);
    },
  );

  it.each([
    ['an unknown token', '/auth/go/never-made'],
    ['a callback without a state', '/auth/go/callback?code=stolen'],
    ['a callback with a foreign state', '/auth/go/callback?code=stolen&state=foreign'],
  ])('fails with error=google for %s', async (_, path) => {
    const visit = await stage.visit(path);
    await expectFailed(visit, 'google', GOOGLE);
  });

  it('fails with error=google if another browser began the sign-in that the callback finishes', async () => {
    provider.signInAs('gina@northwind.example');
    const one = await stage.visit('/login');
    let next = `${stage.service.url}/auth/go/`;
    while (!next.includes('/auth/go/callback')) {
      const answer = await one.context.request.get(next, { maxRedirects: 0 });
      next = new URL(answer.headers()['location']!, next).href;
    }
    const other = await stage.visit(next);
    await expectFailed(other, 'google', GOOGLE);
  });
});

describe('Single sign-on', () => {
  beforeAll(async () => {
    const { service } = stage;
    const scopes = 'organizations:read,organizations:write';
    const { answer } = await service.charter.json('keys', 'create', '--name', 'journey', '--scopes', scopes);
    const configured = await fetch(`${service.url}/api/v1/organizations/${organization}/single-sign-on`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${answer.key as string}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ issuer: provider.issuer, ...CLIENT }),
    });
    expect([configured.status, await configured.text()]).toEqual([
      200,
      expect.stringContaining('SingleSignOnConfigured'),
    ]);
  });

  async function withSso(name: string | null, id = organization): Promise<Visit> {
    provider.signInAs(name && `${name}@northwind.example`);
    return stage.visit(`/auth/sso/${id}`, { before: async ({ maySee }) => maySee(provider.issuer) });
  }

  it('refuses a member until a mailed link has verified the address, and then leads to the console', async () => {
    const early = await withSso('sam');
    await expectFailed(early, 'account', ACCOUNT);
    const asking = await stage.visit('/forgot');
    await fields(asking.page).email.fill('sam@northwind.example');
    await fields(asking.page).send.click();
    // the use of the mailed link proves that the e-mail address belongs to Sam
    const link = linkIn(await stage.service.mailbox.mailTo('sam@northwind.example', 1));
    await early.page.goto(link);
    await fields(early.page).newPassword.fill('umbrella harvest violin');
    await fields(early.page).save.click();
    await expectSeen(early.page, 'Your password has been changed. Log in with the new one.');

    const visit = await withSso('sam');
    await expectSeen(visit.page, 'Northwind');
    expect(await me(visit)).toBe('sam@northwind.example');
  });

  it.each([
    ['a person who cancels at the provider', null],
    ['an address that is not verified', 'ursula'],
    ['an unknown person, for whom no account is created', 'stranger'],
    ['a person without membership', 'nora'],
    ['a member who is disabled', 'dora'],
  ])('fails with error=sso or account for %s, and signs no person in', async (_, name) => {
    const visit = await withSso(name);
    const error = new URL(visit.page.url()).searchParams.get('error');
    await expectFailed(visit, error!, error === 'account' ? ACCOUNT : SSO);
  });

  it('fails with error=sso for an organization without a provider', async () => {
    await expectFailed(await withSso('sam', '7d000000-0000-4000-8000-000000000000'), 'sso', SSO);
  });
});
