import { randomUUID } from 'node:crypto';
import { signIn } from './browser/page-actions';
import { expectSeen } from './browser/visible-text';
import { eventually } from './browser/eventually';
import { staged } from './browser/stage';

const stage = staged();
const PASSWORD = 'lighthouse marmalade seventeen';
const at = (name: string) => `${name}@harbour.example`;
let harbour: string;

beforeAll(async () => {
  const { service } = stage;
  const [olga] = await Promise.all([
    service.settle({ email: at('olga'), name: 'Olga Owner', password: PASSWORD }),
    service.settle({ email: at('aud'), password: PASSWORD, role: 'auditor' }),
  ]);
  harbour = await service.organization({
    name: 'Old Harbour',
    commands: [
      { type: 'AddMember', data: { member: olga, role: 'owner' } }, // event #1
      { type: 'AssignPlan', data: { line: 'second', plan: 'teams' } },
      { type: 'AddSite', data: { site: randomUUID(), hostname: 'shop.harbour.example' } },
      { type: 'RenameOrganization', data: { name: 'New Harbour' } }, // event #4
      {
        type: 'PurchaseAddOn',
        data: { purchase: 'si_1', addOn: 'additionalUser', quantity: 2, effectiveAt: '2026-01-02T00:00:00.000Z' },
      },
    ],
  });
}, 60_000);

async function signedIn(name: string, path: string) {
  const visit = await stage.visit(path);
  await signIn(visit, at(name), PASSWORD);
  return visit;
}
const path = (rest: string) => `/org/${harbour}/${rest}`;

describe('The history in the console', () => {
  it('can be filtered by keyboard alone; the address of the filtered list opens the same list for another person', async () => {
    const { page } = await signedIn('olga', path('history'));
    await expectSeen(page, 'SiteAdded');
    await page.keyboard.press('/');
    await page.keyboard.type('type:plan,add-ons after:2026-01-01');
    await page.keyboard.press('Enter');
    await eventually(() => expect(new URL(page.url()).searchParams.get('type')).toContain('PlanAssigned'));
    await eventually(async () => expect(await page.getByRole('row').count()).toBe(3)); // the headers, and two events

    const address = new URL(page.url());
    const { page: other } = await signedIn('aud', address.pathname + address.search);
    await eventually(async () => expect(await other.getByRole('row').count()).toBe(3));
    expect(await other.getByRole('combobox', { name: 'Filter' }).inputValue()).toBe(
      'type:plan,add-ons after:2026-01-01',
    );
    await page.goBack();
    await expectSeen(page, 'SiteAdded');
  });

  it('opens an event by keyboard, and computes the hash of the event in the browser', async () => {
    const { page } = await signedIn('olga', path('history'));
    await expectSeen(page, 'SiteAdded');
    await page.locator('tr[data-index="0"]').focus();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Event #4' }).waitFor();
    await page.getByText('computed here: the same').waitFor();
    await page.getByText('follows on #3').waitFor();
    await page.locator('del', { hasText: 'Old Harbour' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(path('history/4'));
    await page.goBack();
    await page.getByRole('grid', { name: 'History' }).waitFor();
  });

  it('compares two events, shows causes and back-dated changes, and then compares the states in force at one moment', async () => {
    const { page } = await signedIn('aud', path('compare?from=4&to=5'));
    await page.getByRole('region', { name: 'Plan' }).waitFor();
    await page
      .getByText(/^back-dated: in force from Jan 2, 2026/)
      .first()
      .waitFor();
    await page.getByRole('link', { name: '#5' }).first().waitFor();
    await page.getByLabel('Both in force at (optional)').fill('3 Jan 2030');
    await page.keyboard.press('Enter');
    await page
      .getByText(/In force at Jan 3, 2030/)
      .first()
      .waitFor();
    expect(new URL(page.url()).searchParams.get('valid')).toBe('2030-01-03T00:00:00.000Z');
  });

  it('shows all values that a field had', async () => {
    const { page } = await signedIn('aud', path('changes?path=/name'));
    await page.getByRole('link', { name: '#4' }).waitFor();
    await page.locator('ins', { hasText: 'New Harbour' }).waitFor();
    await page.getByRole('link', { name: 'Look at that moment' }).first().click();
    await page.getByText(/^As recorded by #4/).waitFor();
  });
});
