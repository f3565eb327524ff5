import { signIn } from './browser/page-actions';
import { expectSeen, expectUnseen } from './browser/visible-text';
import { eventually } from './browser/eventually';
import { staged } from './browser/stage';

const stage = staged();
const PASSWORD = 'lighthouse marmalade seventeen';
const NO_ORGANIZATION = "You don't seem to have access to any organization.";
const at = (name: string) => `${name}@northwind.example`;
let northwind: string;

beforeAll(async () => {
  const { service } = stage;
  const [bob, maria] = await Promise.all([
    service.settle({ email: at('bob'), username: 'bob', name: 'Bob Baker', password: PASSWORD }),
    service.settle({ email: at('maria'), password: PASSWORD }),
    service.settle({ email: at('nora'), password: PASSWORD }),
    service.settle({ email: at('aud'), password: PASSWORD, role: 'auditor' }),
    service.settle({ email: at('op'), password: PASSWORD, role: 'operator' }),
  ]);
  northwind = await service.organization({
    name: 'Northwind',
    commands: [
      { type: 'AssignPlan', data: { line: 'second', plan: 'teams' } },
      { type: 'AddMember', data: { member: bob, role: 'member' } },
      { type: 'AddMember', data: { member: maria, role: 'admin' } },
    ],
  });
  await service.organization({
    name: 'Harbour Museum',
    commands: [{ type: 'AddMember', data: { member: maria, role: 'owner' } }],
  });
}, 60_000);

async function signedIn(name: string, path = '/login') {
  const visit = await stage.visit(path);
  await signIn(visit, name.includes('@') ? name : at(name), PASSWORD);
  return visit;
}

describe('The console after signing in', () => {
  it('shows a member of one organization its overview: plan, limits, features', async () => {
    const { page } = await signedIn('bob');
    await eventually(() => expect(new URL(page.url()).pathname).toBe(`/org/${northwind}/overview`));
    await page.getByRole('heading', { level: 1, name: 'Northwind', exact: true }).waitFor();
    for (const text of ['Pulse Teams', 'Users', '2 of 5', 'Content sections', '0 of 2', 'Matomo integration'])
      await expectSeen(page, text);
    expect(await page.getByRole('table').locator('tbody tr').count()).toBe(17);
    await eventually(async () => expect(await page.title()).toBe('Overview · Northwind · Pulse'));
  });

  it('opens for a member who signs in with a username, and has no form that changes the organization', async () => {
    const visit = await stage.visit('/login');
    await signIn(visit, 'BOB', PASSWORD);
    await expectSeen(visit.page, 'Northwind');
    expect(await visit.page.locator('main form, main input:not([type=search], [type=radio])').count()).toBe(0);
  });

  it('lets a member of several organizations choose one; at the next visit the list begins with the chosen organization', async () => {
    const { page } = await signedIn('maria');
    const cards = page.getByRole('main').getByRole('link');
    await eventually(async () => expect(await cards.allInnerTexts()).toEqual(['Harbour Museum', 'Northwind']));
    await cards.filter({ hasText: 'Northwind' }).click();
    await page.getByRole('heading', { level: 1, name: 'Northwind' }).waitFor();
    await page.goto('/');
    await eventually(async () => expect(await cards.allInnerTexts()).toEqual(['Northwind', 'Harbour Museum']));
  });

  it.each(['aud', 'op'])(
    'lets a person with a platform role list and find organizations without being a member: %s',
    async (name) => {
      const { page } = await signedIn(name);
      await expectSeen(page, 'Harbour Museum');
      await page.getByRole('searchbox').fill('northw');
      await eventually(async () =>
        expect(await page.getByRole('main').getByRole('link').allInnerTexts()).toEqual(['Northwind']),
      );
      await page.getByRole('main').getByRole('link').click();
      await page.getByRole('heading', { level: 1, name: 'Northwind' }).waitFor();
    },
  );

  it("shows a person without an organization 'You don't seem to have access to any organization.', and a button Log out", async () => {
    const { page } = await signedIn('nora');
    await expectSeen(page, NO_ORGANIZATION);
    await page.getByRole('main').getByRole('button', { name: 'Log out' }).click();
    await expectSeen(page, 'Welcome back to Pulse,');
  });

  it('leads a signed-out person to the sign-in page, whose address names the requested path as the target', async () => {
    const { page } = await stage.visit(`/org/${northwind}/overview`);
    await expectSeen(page, 'Welcome back to Pulse,');
    const signInUrl = new URL(page.url());
    expect([signInUrl.pathname, signInUrl.searchParams.get('redirect')]).toEqual([
      '/login',
      `/org/${northwind}/overview`,
    ]);
  });

  it('shows the same page for a foreign organization as for an organization that does not exist', async () => {
    const stranger = await stage.service.organization({ name: 'Secret Works' });
    const visit = await signedIn('bob');
    for (const id of [stranger, '7d000000-0000-4000-8000-000000000000']) {
      for (const rest of ['', '/entitlements', '/standing']) visit.mayFail(`/api/v1/organizations/${id}${rest}`);
      await visit.page.goto(`/org/${id}/overview`);
      await expectSeen(visit.page, 'There is no organization here, or you have no access to it.');
      await expectUnseen(visit.page, 'Secret Works');
    }
  });

  it('shows the sign-in page when the session has ended, and the requested page after the person has signed in again', async () => {
    const visit = await signedIn('bob');
    const { page, context } = visit;
    await expectSeen(page, '2 of 5');
    await context.clearCookies({ name: 'charter' });
    visit.mayFail('/api/v1/me');
    for (const rest of ['', '/entitlements', '/standing']) visit.mayFail(`/api/v1/organizations/${northwind}${rest}`);
    await page.goto(`/org/${northwind}/overview`);
    await expectSeen(page, 'Welcome back to Pulse,');
    await signIn(visit, at('bob'), PASSWORD);
    await eventually(() => expect(new URL(page.url()).pathname).toBe(`/org/${northwind}/overview`));
  });

  it('shows when the events that explain a limit were recorded, and filters the features', async () => {
    const { page } = await signedIn('bob');
    await expectSeen(page, '2 of 5');
    await page.locator('summary', { hasText: '5 from Pulse Teams' }).click();
    await page.locator('details[open] time').first().waitFor();
    await page.getByRole('radio', { name: 'Off', exact: true }).check();
    await eventually(async () =>
      expect(new Set(await page.locator('tbody td:nth-child(2)').allInnerTexts())).toEqual(new Set(['Off'])),
    );
    await page.getByRole('searchbox').fill('chat');
    await eventually(async () => expect(await page.locator('tbody th').allInnerTexts()).toEqual(['Chat support']));
  });
});

describe('The account page', () => {
  it('C7: lists sessions, and ends all other sessions when the person enters the password', async () => {
    const [here, there] = [await signedIn('maria'), await signedIn('maria')];
    const { page } = here;
    await page.goto('/me');
    await expectSeen(page, 'Your sessions');
    await expectSeen(page, 'This browser');
    await page.getByRole('button', { name: 'End all other sessions' }).click();
    const passwords = page.locator('input[type=password]:visible');
    await passwords.first().fill(PASSWORD);
    await passwords.first().press('Enter');
    await expectSeen(page, 'All other sessions have ended.');
    expect((await there.context.request.get('/api/v1/organizations?limit=1')).status()).toBe(401);
    expect((await here.context.request.get('/api/v1/organizations?limit=1')).status()).toBe(200);
  });

  it('L8: records only one event after a double click on “Change password”', async () => {
    const { service } = stage;
    const id = await service.settle({ email: at('pia'), password: PASSWORD });
    const { page } = await signedIn('pia');
    await expectSeen(page, NO_ORGANIZATION);
    await page.goto('/me');
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByLabel('New password').fill('another lighthouse marmalade');
    await page.getByRole('button', { name: 'Change password' }).dblclick();
    await expectSeen(page, 'Your password has been changed. All other sessions have ended.');
    await page.waitForLoadState('networkidle');
    const changes = () =>
      service.charter.inside(async ({ log }) => {
        const types: string[] = [];
        for await (const { type } of log.readStream(`account-${id}`)) types.push(type);
        return types.filter((type) => type === 'PasswordChanged');
      });
    await eventually(async () => expect(await changes()).toEqual(['PasswordChanged']));
  });
});
