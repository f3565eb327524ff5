import { randomUUID } from 'node:crypto';
import type { OrganizationCommand } from '@charter/organization';
import { eventually } from '../../journeys/browser/eventually';
import { call } from '../../journeys/browser/page-actions';
import { staged } from '../../journeys/browser/stage';
import { violationsOn } from '../../journeys/browser/violations';
import { draftAddress } from '../../../web/src/console/draft/address/draft-address';
import { founding, member, plan, record, rename, site, organizationOnTeams } from '../../journeys/recorded';
import {
  commitButton,
  committed,
  eventNumber,
  expectBack,
  expectStop,
  PASSWORD,
  pressed,
  seen,
  signedIn,
} from '../../journeys/browser/stops';

const stage = staged();
const OLGA = 'olga@mill.example';
let olga: string;

beforeAll(async () => {
  olga = await stage.service.settle({ email: OLGA, name: 'Olga Owner', password: PASSWORD });
}, 60_000);

const organization = (...commands: readonly OrganizationCommand[]) =>
  organizationOnTeams(stage.service.charter, olga, ...commands);

describe('Journeys 12, 22 and 23: a person at the keyboard', () => {
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
    await expectBack(visit);
  });

  it('23: reads that nothing was executed, because another person changed the organization; sees the old and the new preview, and commits the new one', async () => {
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
    await expectBack(visit);
  });

  it("12: sees all earlier values of a site's feature switch, and restores the value of March", async () => {
    const id = randomUUID();
    const added = site('mill.example');
    const shop = (added.data as { site: string }).site;
    const logo = (isOn: boolean): OrganizationCommand => ({
      ...{ type: 'ChangeSiteFeatures', data: { site: shop, features: { logo: isOn } } },
    });
    await record(stage.service.charter, id, [
      founding({ name: 'Mill', at: '2026-01-05T12:00:00.000Z' }),
      { command: [plan('teams'), member(olga, 'owner'), added], at: '2026-02-05T12:00:00.000Z' }, // #1 to #3
      { command: logo(false), at: '2026-03-05T12:00:00.000Z' },
      { command: logo(true), at: '2026-04-05T12:00:00.000Z' },
    ]);
    const visit = await signedIn(stage, OLGA, `/org/${id}/sites/${shop}`);
    const { page } = visit;
    const logoOf = page.getByRole('group', { name: 'Logo' });
    await logoOf.getByText('Its own value').first().waitFor();
    await expectStop(visit);

    await pressed(page, logoOf.locator('summary'));
    await pressed(page, logoOf.getByRole('link', { name: 'All values (Logo)' }));
    const values = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Make it so again…' }) });
    await eventually(async () =>
      expect(await values.allInnerTexts()).toEqual([
        expect.stringMatching(/^#5 [^]*\boff\s[^]*\bon\s[^]*Apr 5, 2026/),
        expect.stringMatching(/^#4 [^]*\bon\s[^]*\boff\s[^]*Mar 5, 2026/),
        expect.stringMatching(/^#3 Site added[^]*\bon\s[^]*Feb 5, 2026/),
      ]),
    );
    await expectStop(visit);

    await pressed(page, values.filter({ has: eventNumber(page, 4) }).getByRole('link', { name: 'Make it so again…' }));
    await seen(page, 'These commands restore every value.');
    await commitButton(page).waitFor();
    await expectStop(visit);
    await committed(page);
    await seen(page, '1 event, #6');
    const { body } = await call(page, 'GET', `/api/v1/organizations/${id}`);
    expect(body.sites[0].features.logo).toBe(false);
    await expectBack(visit);
    expect(new URL(page.url()).pathname).toBe(`/org/${id}/sites/${shop}`);
  });
});
