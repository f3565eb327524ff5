import type { Page } from 'playwright-core';
import { signIn } from './browser/page-actions';
import { staged } from './browser/stage';
import { violationsOn } from './browser/violations';

const stage = staged();
const PASSWORD = 'lighthouse marmalade seventeen';
const at = (name: string) => `${name}@bakery.example`;
let bakery: string;

beforeAll(async () => {
  const { service } = stage;
  const [olga, mia] = await Promise.all([
    service.settle({ email: at('olga'), name: 'Olga Owner', password: PASSWORD }),
    service.settle({ email: at('mia'), name: 'Mia Member', password: PASSWORD }),
    service.settle({ email: at('otto'), name: 'Otto Operator', password: PASSWORD, role: 'operator' }),
  ]);
  bakery = await service.organization({
    name: 'Old Bakery',
    commands: [
      { type: 'AssignPlan', data: { line: 'second', plan: 'teams' } },
      { type: 'AddMember', data: { member: olga, role: 'owner' } },
      { type: 'AddMember', data: { member: mia, role: 'member' } },
    ],
  });
}, 60_000);

async function signedIn(name: string, path: string) {
  const visit = await stage.visit(path);
  await signIn(visit, at(name), PASSWORD);
  return visit;
}
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const exported = (page: Page) => page.getByRole('row', { name: /Operator exported$/ });

describe('The page of readers', () => {
  // journey 16 of the console
  it('shows the owner within a minute, by keyboard alone, that an operator exported the history; only operators see the name of this operator', async () => {
    const { page: operator } = await signedIn('otto', `/org/${bakery}/proof`);
    await title(operator, 'Proof');
    await operator.getByRole('button', { name: 'Verify in this browser' }).press('Enter');
    await operator.getByText(/^4 events, each unchanged/).waitFor();
    const readAt = Date.now();

    const { page } = await signedIn('olga', `/org/${bakery}/proof`);
    await title(page, 'Proof');
    await page.getByRole('link', { name: 'Readers of this history' }).press('Enter');
    await title(page, 'Readers');
    while ((await exported(page).count()) === 0) {
      if (Date.now() - readAt > 60_000) throw new Error('The list does not show the export after a minute.');
      await page.waitForTimeout(500);
      await page.reload();
      await title(page, 'Readers');
      await page.getByRole('cell').or(page.getByText('No reads yet.')).first().waitFor();
    }
    expect(await page.getByText('Otto Operator').count()).toBe(0);
    expect(await violationsOn(page)).toEqual([]);

    const day = page.getByLabel('Day (UTC)');
    await day.focus();
    await page.keyboard.type('01022020');
    await page.keyboard.press('Enter');
    await page.getByText('No reads on that day.').waitFor();
    expect(await violationsOn(page)).toEqual([]);
    const address = page.url();
    expect(new URL(address).searchParams.get('from')).toBe('2020-01-02T00:00:00.000Z');
    await page.goBack();
    await exported(page).waitFor();

    const { page: again } = await signedIn('otto', address.slice(stage.service.url.length));
    await again.getByText('No reads on that day.').waitFor();
    await again.goto(`${stage.service.url}/org/${bakery}/readers`);
    await again.getByRole('row', { name: /Otto Operator · Operator exported$/ }).waitFor();
    expect(await violationsOn(again)).toEqual([]);
  });

  it('shows a member only who may read the list, and no link leads a member to the page', async () => {
    const { page } = await signedIn('mia', `/org/${bakery}/readers`);
    await page.getByText('The list of readers is for owners of the organization, operators and auditors.').waitFor();
    expect(await page.getByRole('link', { name: /Readers|Proof/ }).count()).toBe(0);
    expect(await violationsOn(page)).toEqual([]);
  });
});
