import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { signIn } from './browser/page-actions';
import { eventually } from './browser/eventually';
import { staged } from './browser/stage';
import { violationsOn } from './browser/violations';

const stage = staged();
const PASSWORD = 'lighthouse marmalade seventeen';
const at = (name: string) => `${name}@mill.example`;
let mill: string;

beforeAll(async () => {
  const { service } = stage;
  const [olga, mia] = await Promise.all([
    service.settle({ email: at('olga'), name: 'Olga Owner', password: PASSWORD }),
    service.settle({ email: at('mia'), name: 'Mia Member', password: PASSWORD }),
  ]);
  mill = await service.organization({
    name: 'Water Mill',
    commands: [
      { type: 'AssignPlan', data: { line: 'second', plan: 'solo' } }, // event #1
      { type: 'PurchaseAddOn', data: { purchase: randomUUID(), addOn: 'additionalUser', quantity: 3 } }, // event #2
      { type: 'AddMember', data: { member: olga, role: 'owner' } }, // event #3
      { type: 'AddSite', data: { site: randomUUID(), hostname: 'mill.example', name: 'Mill' } }, // event #4
      { type: 'AddMember', data: { member: mia, role: 'member' } }, // event #5
      { type: 'AssignPlan', data: { line: 'second', plan: 'teams' } }, // event #6
      { type: 'AddSite', data: { site: randomUUID(), hostname: 'shop.mill.example', name: 'Shop' } }, // event #7
      { type: 'AssignPlan', data: { line: 'second', plan: 'solo' } }, // event #8
    ],
  });
}, 60_000);

async function signedIn(name: string, path: string) {
  const visit = await stage.visit(path);
  await signIn(visit, at(name), PASSWORD);
  return visit;
}
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const query = (page: Page) => new URL(page.url()).search;

/** The pages that the journey visits at a past moment, each with a text that the page shows only at this moment. */
const stops = [
  { page: 'Members', seen: '1 (now 2) of 2' },
  { page: 'Sites', seen: 'added later' },
  { page: 'Plan', seen: 'User × 3' },
] as const;

async function expectStop(page: Page, { page: name, seen }: (typeof stops)[number]): Promise<void> {
  await heading(page, name);
  await page.getByText(seen).first().waitFor();
  await page
    .getByText(/^As recorded by #4, Site added by/)
    .first()
    .waitFor();
  expect(query(page)).toBe('?asOf=4');
}

describe('The pages of an organization', () => {
  it('show a member why only two users may join, with each term of the sum, but without a time bar and without links', async () => {
    const { page } = await signedIn('mia', `/org/${mill}/members`);
    await page.getByText('2 of 2').waitFor();
    const sum = page.getByText('1 from Pulse Solo + 3 from User = 4; hard limit 2; so 2');
    await sum.focus();
    await page.keyboard.press('Enter');
    for (const term of ['1 from Pulse Solo', '3 from the add-on User × 3', 'Hard limit of Pulse Solo: 2'])
      await page.getByText(term, { exact: true }).waitFor();
    const terms = page.locator('details ol');
    expect(await terms.getByRole('listitem').count()).toBe(3);
    expect(await terms.innerText()).toContain('#2');
    expect(await terms.getByRole('link').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Look back' }).count()).toBe(0);
    expect(await violationsOn(page)).toEqual([]);
  });

  it('keep the moment from Members to Sites to Plan; Back, Forward and a reload show each page at this moment again', async () => {
    const { page } = await signedIn('olga', `/org/${mill}/members?asOf=4`);
    await expectStop(page, stops[0]);
    for (const stop of stops.slice(1)) {
      await page.getByRole('link', { name: stop.page, exact: true }).focus();
      await page.keyboard.press('Enter');
      await expectStop(page, stop);
      expect(await violationsOn(page)).toEqual([]);
    }
    await page.goBack();
    await expectStop(page, stops[1]);
    await page.goBack();
    await expectStop(page, stops[0]);
    await page.goForward();
    await expectStop(page, stops[1]);
    await page.reload();
    await expectStop(page, stops[1]);
    await page.goForward();
    await expectStop(page, stops[2]);
    expect(await page.locator('main').getByRole('button').count()).toBe(0);
  });

  it('show the same content when a person opens their addresses in a new window', async () => {
    const { page, context } = await signedIn('olga', `/org/${mill}/overview`);
    await heading(page, 'Water Mill');
    for (const stop of stops) {
      const other = await context.newPage();
      await other.goto(`/org/${mill}/${stop.page.toLowerCase()}?asOf=4`);
      await expectStop(other, stop);
      await other.close();
    }
  });

  it('change to the present by keyboard, while the person stays on the same page', async () => {
    const { page } = await signedIn('olga', `/org/${mill}/sites?asOf=4`);
    await expectStop(page, stops[1]);
    await page.keyboard.press('n');
    await page.getByText(/^Now · #8/).waitFor();
    await eventually(() => expect(query(page)).toBe(''));
    await heading(page, 'Sites');
    await page.getByRole('link', { name: 'Shop' }).waitFor();
    expect(await page.getByText('added later').count()).toBe(0);
  });
});
