import { randomUUID } from 'node:crypto';
import type { OrganizationCommand } from '@charter/organization';
import type { Page } from 'playwright-core';
import { eventually } from '../../journeys/browser/eventually';
import { staged } from '../../journeys/browser/stage';
import { draftAddress, type KnownCommand } from '../../../web/src/console/draft/address/draft-address';
import { founding, member, moreUsers, plan, record, site } from './recorded';
import { expectStop, PASSWORD, pressed, seen, signedIn } from './stops';

const stage = staged();
const [OLGA, OPAL, BEN] = ['olga@mill.example', 'opal@charter.example', 'ben@mill.example'];
let olga: string;
let ben: string;

beforeAll(async () => {
  const { settle } = stage.service;
  [olga, ben] = await Promise.all([
    settle({ email: OLGA, name: 'Olga Owner', password: PASSWORD }),
    settle({ email: BEN, name: 'Ben Okafor', password: PASSWORD }),
    settle({ email: OPAL, password: PASSWORD, role: 'operator' }),
  ]);
}, 60_000);

/** A new organization on Teams whose owner is Olga (#0 to #2), and then these commands. */
async function organization(...commands: readonly OrganizationCommand[]): Promise<string> {
  const id = randomUUID();
  await record(stage.service.charter, id, [
    founding({ name: 'Mill' }),
    { command: plan('teams') },
    { command: member(olga, 'owner') },
    ...commands.map((command) => ({ command })),
  ]);
  return id;
}
const rename = (name: string): KnownCommand & OrganizationCommand => ({
  ...{ type: 'RenameOrganization', data: { name } },
});
const commitButton = (page: Page, name = 'Commit exactly this') => page.getByRole('button', { name });
const eventNumber = (page: Page, number: number) => page.getByRole('link', { name: `#${number}`, exact: true });

describe('A draft in the console, by keyboard', () => {
  it('of three commands shows the refusal of the third at its line, and without this line records one block', async () => {
    const id = await organization();
    const commands = [
      rename('Old Mill'),
      { type: 'AddSite', data: { hostname: 'mill.example' } },
      { type: 'RemoveMember', data: { member: olga } },
    ] as const;
    const visit = await signedIn(stage, OLGA, await draftAddress(id, commands));
    const { page } = visit;
    await seen(page, 'Make another member an owner first.');
    expect(await commitButton(page).count()).toBe(0);
    await expectStop(visit);
    await pressed(page, page.getByRole('button', { name: 'Take out line 3' }));
    await commitButton(page).waitFor();
    await page.keyboard.press('Control+Enter');
    await seen(page, '2 events, #3 to #4');
    await eventNumber(page, 4).waitFor();
  });

  it("is not executed after another person's change: it shows both previews, and a second press commits the new one", async () => {
    const id = await organization();
    const visit = await signedIn(stage, OLGA, await draftAddress(id, [rename('Old Mill')]));
    const { page, mayFail } = visit;
    mayFail(`/api/v1/organizations/${id}/commands`);
    await commitButton(page).waitFor();
    await record(stage.service.charter, id, [{ command: rename('New Mill') }]);
    await page.keyboard.press('Control+Enter');
    await seen(page, 'Nothing was executed. Compare both previews, and commit the new one if it is right.');
    await eventNumber(page, 3).waitFor();
    await page.getByRole('region', { name: 'As shown before' }).waitFor();
    await pressed(page, commitButton(page, 'Commit the new one'));
    await seen(page, '1 event, #4');
  });

  it('restores a value that a site had in the past', async () => {
    const added = site('mill.example');
    const shop = (added.data as { site: string }).site;
    const logo = (isOn: boolean): OrganizationCommand => ({
      ...{ type: 'ChangeSiteFeatures', data: { site: shop, features: { logo: isOn } } },
    });
    const id = await organization(added, logo(false), logo(true)); // #3 to #5
    const visit = await signedIn(stage, OLGA, `/org/${id}/changes?path=/sites/${shop}/features/logo`);
    const { page } = visit;
    await eventNumber(page, 5).waitFor();
    const row = page.locator('li', { has: eventNumber(page, 4) });
    await pressed(page, row.getByRole('link', { name: 'Make it so again…' }));
    await seen(page, 'These commands restore every value.');
    await commitButton(page).waitFor();
    await expectStop(visit);
    await page.keyboard.press('Control+Enter');
    await seen(page, '1 event, #6');
  });

  it('that undoes the cancellation of an add-on shows the new purchase id, and buys the add-on on its old terms', async () => {
    const bought = moreUsers(2);
    const { purchase } = bought.data as { purchase: string };
    const id = await organization(bought, { type: 'CancelAddOn', data: { purchase } }); // #3, #4
    const visit = await signedIn(stage, OPAL, `/org/${id}/history/4`);
    const { page } = visit;
    await pressed(page, page.getByRole('link', { name: 'Undo…' }));
    await seen(page, /the add-on comes back as a new purchase\. New purchase id: /);
    await seen(page, /^Buy User × 2 on the terms of event #3/);
    await commitButton(page).waitFor();
    await expectStop(visit);
    await page.keyboard.press('Control+Enter');
    await seen(page, '1 event, #5');
  });

  it('that undoes the removal of an erased person says that the person does not become a member again', async () => {
    const id = await organization(member(ben), { type: 'RemoveMember', data: { member: ben } }); // #3, #4
    const { code } = await stage.service.charter.json('accounts', 'erase', ben, '--yes');
    expect(code).toBe(0);
    const { page } = await signedIn(stage, OLGA, `/org/${id}/draft?undo=4`);
    await seen(page, /an erased person does not become a member again/);
    await eventually(async () => expect(await commitButton(page).count()).toBe(0));
  });
});
