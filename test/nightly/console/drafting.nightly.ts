import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { eventually } from '../../journeys/browser/eventually';
import { call } from '../../journeys/browser/page-actions';
import { staged } from '../../journeys/browser/stage';
import { violationsOn } from '../../journeys/browser/violations';
import { member, organizationOnTeams } from '../../journeys/recorded';
import {
  commitButton,
  committed,
  expectBack,
  expectStop,
  PASSWORD,
  pressed,
  seen,
  signedIn,
  tabTo,
  typedInto,
} from '../../journeys/browser/stops';

const stage = staged();
const OLGA = 'olga@mill.example';
const [ben, cara, dora] = [randomUUID(), randomUUID(), randomUUID()];
let olga: string;

beforeAll(async () => {
  olga = await stage.service.settle({ email: OLGA, name: 'Olga Owner', password: PASSWORD });
}, 60_000);

const panel = (page: Page) => page.getByRole('complementary', { name: 'Draft' });
const linesOf = (page: Page) => page.getByRole('listitem').filter({ has: page.locator('[data-act=take-out]') });
/** The types of the commands in the draft, in their order. */
const typesIn = async (page: Page) =>
  (await linesOf(page).locator('code').allInnerTexts()).filter((text) => /^[A-Z][A-Za-z]+$/.test(text));
const expectTypes = (page: Page, ...types: readonly string[]) =>
  eventually(async () => expect(await typesIn(page)).toEqual(types));
const rowOf = (page: Page, id: string) => page.locator('tbody tr', { hasText: id });
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const open = async (page: Page, key: string, heading: string) => {
  for (const one of ['g', key]) await page.keyboard.press(one);
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
};
const focusedText = (page: Page) => page.evaluate<string>('document.activeElement.textContent');

describe('A draft that an owner makes from the pages, by keyboard alone,', () => {
  it('contains a role change, a new site and the removal of chosen members; the owner reorders the commands, takes one out, and commits the rest', async () => {
    // the members are added by events #3 to #5
    const id = await organizationOnTeams(stage.service.charter, olga, member(ben), member(cara), member(dora));
    const visit = await signedIn(stage, OLGA, `/org/${id}/members`);
    const { page } = visit;
    await button(page, 'Start a draft').waitFor();
    await page.keyboard.press('e');
    await panel(page).getByText('The draft is open.', { exact: false }).waitFor();
    await expectStop(visit);

    await pressed(page, rowOf(page, ben).getByRole('button', { name: /^Change/ }));
    await page.getByRole('menu').waitFor();
    for (const key of ['a', 'Enter']) await page.keyboard.press(key); // Administrator
    await expectTypes(page, 'ChangeRole');
    await seen(page, '1 of 20 commands');
    expect(await focusedText(page)).toMatch(/^Change/);
    await expectStop(visit);

    await open(page, 's', 'Sites');
    await page.keyboard.press('i');
    await page.getByRole('textbox', { name: 'Hostname', exact: true }).waitFor();
    await page.keyboard.type('mill.example');
    await page.getByRole('dialog').getByText('Stored as:').waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await expectTypes(page, 'ChangeRole', 'AddSite');
    expect(await focusedText(page)).toBe('Add a site…');
    await expectStop(visit);

    await open(page, 'm', 'Members');
    for (const chosen of [cara, dora]) {
      await tabTo(page, rowOf(page, chosen).getByRole('checkbox'));
      await page.keyboard.press('Space');
    }
    expect(await violationsOn(page)).toEqual([]);
    await typedInto(page, page.getByRole('combobox', { name: '2 members chosen' }), 'Remove');
    await pressed(page, button(page, 'Add to the draft'));
    await expectTypes(page, 'ChangeRole', 'AddSite', 'RemoveMember', 'RemoveMember');
    await seen(page, '4 of 20 commands');
    expect(await focusedText(page)).toBe('List of members'); // the pressed button is gone
    expect(await page.locator('main').innerText()).toContain('4 of 20 commands'); // each stop compares the panel, too
    await expectStop(visit);

    await pressed(page, button(page, 'Move line 2 up'));
    await expectTypes(page, 'AddSite', 'ChangeRole', 'RemoveMember', 'RemoveMember');
    await pressed(page, button(page, 'Take out line 4'));
    await expectTypes(page, 'AddSite', 'ChangeRole', 'RemoveMember');
    await expectStop(visit);
    await page.goBack(); // Back puts the removed line into the draft again
    await expectTypes(page, 'AddSite', 'ChangeRole', 'RemoveMember', 'RemoveMember');
    await page.goForward();
    await expectTypes(page, 'AddSite', 'ChangeRole', 'RemoveMember');

    await page.keyboard.press('e');
    await page.getByRole('heading', { level: 1, name: /^Draft for/ }).waitFor();
    await commitButton(page).waitFor();
    await expectStop(visit);
    await committed(page);
    await seen(page, '3 events, #6 to #8');
    expect(await violationsOn(page)).toEqual([]);
    const { body } = await call(page, 'GET', `/api/v1/organizations/${id}/events?from=6`);
    expect((body.events as { type: string; data: object }[]).map(({ type, data }) => [type, data])).toMatchObject([
      ['SiteAdded', { hostname: 'mill.example' }],
      ['MemberRoleChanged', { member: ben, role: 'admin' }],
      ['MemberRemoved', { member: cara }],
    ]);

    await open(page, 'm', 'Members');
    await button(page, 'Start a draft').waitFor();
    await rowOf(page, cara).waitFor({ state: 'detached' });
    await rowOf(page, dora).waitFor();
    await expectStop(visit);
    await expectBack(visit);
  });

  it('is not in an address without a draft to which Back leads, also after an undo', async () => {
    const id = await organizationOnTeams(stage.service.charter, olga, member(ben)); // #3
    const { page } = await signedIn(stage, OLGA, `/org/${id}/members`);
    const expectNoDraft = async (path: string) => {
      await eventually(async () => expect(await panel(page).count()).toBe(0));
      await button(page, 'Start a draft').waitFor();
      const { pathname, hash } = new URL(page.url());
      expect(pathname + hash).toBe(`/org/${id}${path}`);
    };
    await button(page, 'Start a draft').waitFor();
    await page.keyboard.press('e');
    await panel(page).waitFor();
    await page.goBack();
    await expectNoDraft('/members');

    await page.goto(`/org/${id}/history/3`);
    await pressed(page, page.getByRole('link', { name: 'Undo…' }));
    await commitButton(page).waitFor();
    await page.goBack();
    await expectNoDraft('/history/3');
  });
});
