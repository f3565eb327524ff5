import type { OrganizationCommand } from '@charter/organization';
import { staged } from '../../journeys/browser/stage';
import { violationsOn } from '../../journeys/browser/violations';
import { draftAddress } from '../../../web/src/console/draft/address/draft-address';
import { record, rename, site, teamsOf } from './recorded';
import { commitButton, committed, eventNumber, expectStop, PASSWORD, pressed, seen, signedIn } from './stops';

const stage = staged();
const OLGA = 'olga@mill.example';
let olga: string;

beforeAll(async () => {
  olga = await stage.service.settle({ email: OLGA, name: 'Olga Owner', password: PASSWORD });
}, 60_000);

const organization = (...commands: readonly OrganizationCommand[]) => teamsOf(stage.service.charter, olga, ...commands);

describe('Journey 22 and other drafts: a person at the keyboard', () => {
  it('22: sees at line 3 of a draft why its command is refused, removes the line, and commits the other two commands together', async () => {
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
    await expectStop(visit);
    await committed(page);
    await seen(page, '2 events, #3 to #4');
    expect(await violationsOn(page)).toEqual([]);
    await pressed(page, eventNumber(page, 4));
    await page
      .getByRole('region', { name: 'Other events of the same request' })
      .getByRole('link', { name: '#3' })
      .waitFor();
    await expectStop(visit);
  });

  it("reads that nothing was executed after another person's change, sees both previews, and commits the new one", async () => {
    const id = await organization();
    const visit = await signedIn(stage, OLGA, await draftAddress(id, [rename('Old Mill')]));
    const { page, mayFail } = visit;
    mayFail(`/api/v1/organizations/${id}/commands`, 409);
    await commitButton(page).waitFor();
    await expectStop(visit);
    await record(stage.service.charter, id, [{ command: rename('New Mill') }]);
    await committed(page);
    await seen(page, 'Nothing was executed. Compare both previews, and commit the new effect if it is right.');
    await eventNumber(page, 3).waitFor();
    await page.getByRole('region', { name: 'As shown before' }).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await pressed(page, commitButton(page, 'Commit the new effect'));
    await seen(page, '1 event, #4');
    await pressed(page, eventNumber(page, 4));
    await page.getByRole('heading', { level: 1, name: 'Event #4' }).waitFor();
    await expectStop(visit);
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
    await committed(page);
    await seen(page, '1 event, #6');
  });
});
