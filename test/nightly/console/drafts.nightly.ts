import { randomUUID } from 'node:crypto';
import type { OrganizationCommand } from '@charter/organization';
import type { Page } from 'playwright-core';
import { eventually } from '../../journeys/browser/eventually';
import { call } from '../../journeys/browser/page-actions';
import { staged } from '../../journeys/browser/stage';
import { violationsOn } from '../../journeys/browser/violations';
import { draftAddress } from '../../../web/src/console/draft/address/draft-address';
import { founding, member, moreUsers, plan, record, rename, site, organizationOnTeams } from '../../journeys/recorded';
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
const [OLGA, OPAL, BEN, MIA] = ['olga@mill.example', 'opal@charter.example', 'ben@mill.example', 'mia@mill.example'];
let olga: string;
let ben: string;
let mia: string;

beforeAll(async () => {
  const { settle } = stage.service;
  [olga, ben, mia] = await Promise.all([
    settle({ email: OLGA, name: 'Olga Owner', password: PASSWORD }),
    settle({ email: BEN, name: 'Ben Okafor', password: PASSWORD }),
    settle({ email: MIA, name: 'Mia Member', password: PASSWORD }),
    settle({ email: OPAL, password: PASSWORD, role: 'operator' }),
  ]);
}, 60_000);

const organization = (...commands: readonly OrganizationCommand[]) =>
  organizationOnTeams(stage.service.charter, olga, ...commands);

/**
 * The values of an organization and of its entitlements. Event numbers, moments, ids of purchases, and the switch of
 * the product are left out, because an undo does not restore them.
 */
async function valuesOf(page: Page, id: string): Promise<object> {
  const root = `/api/v1/organizations/${id}`;
  const { name, members, sites, plans, addOns } = (await call(page, 'GET', root)).body;
  const { limits, features } = (await call(page, 'GET', `${root}/entitlements`)).body;
  const left = new Set(['since', 'roleSince', 'effectiveAt', 'because', 'purchase']);
  const text = JSON.stringify({ name, members, sites, plans, addOns, limits, features }, (key, value: unknown) =>
    left.has(key) ? undefined : value,
  );
  const values = JSON.parse(text) as { members: { _id: string }[] };
  return { ...values, members: values.members.toSorted((one, other) => (one._id < other._id ? -1 : 1)) };
}

describe('Journeys 12, 22 and 23: a person at the keyboard', () => {
  it('22: sees at line 3 of a draft why the service refuses the command, removes the line, and commits the other two commands together', async () => {
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

  it('23: executes nothing after another person has added a member; compares the old and the new preview, and commits the new one', async () => {
    const id = await organization();
    const visit = await signedIn(stage, OPAL, await draftAddress(id, [plan('solo')]));
    const { page, mayFail } = visit;
    mayFail(`/api/v1/organizations/${id}/commands`, 409);
    await seen(page, '5 → 1');
    await commitButton(page).waitFor();
    expect(await page.getByText(/over by/).count()).toBe(0);
    await expectStop(visit);

    const { page: other } = await signedIn(stage, OLGA, `/org/${id}/members`);
    await other.getByRole('button', { name: 'Invite…' }).waitFor();
    await other.keyboard.press('i');
    await other.getByRole('dialog').getByText('Then 2 of 5 users.').waitFor();
    await other.keyboard.type(BEN);
    await other.keyboard.press('Enter');
    await seen(other, /is invited\.$/);

    await committed(page);
    await seen(page, 'Nothing was executed. Compare both previews, and commit the new effect if it is right.');
    await eventNumber(page, 3).waitFor();
    const [before, now] = ['As shown before', 'As it would be now'].map((name) => page.getByRole('region', { name }));
    await now!.getByText(/^2 are here: over by 1\./).waitFor();
    await before!.getByText('5 → 1').waitFor();
    expect(await before!.getByText(/over by/).count()).toBe(0);
    expect(await violationsOn(page)).toEqual([]);
    const { body } = await call(page, 'GET', `/api/v1/organizations/${id}`);
    expect([body.revision, body.plans.second.plan]).toEqual([3, 'teams']);

    await pressed(page, commitButton(page, 'Commit the new effect'));
    await seen(page, '1 event, #4');
    await pressed(page, eventNumber(page, 4));
    await page.getByRole('heading', { level: 1, name: 'Event #4' }).waitFor();
    await expectStop(visit);
    await expectBack(visit);
  });

  it('undoes a commit with seven kinds of events: reads which values do not come back and why, commits the undo, and the state is as before', async () => {
    const [bought, added] = [moreUsers(2), site('mill.example')];
    const { purchase } = bought.data as { purchase: string };
    const id = await organization(member(ben), member(mia), bought, added); // #3 to #6
    const commands = [
      rename('Old Mill'),
      { type: 'ChangeRole', data: { member: mia, role: 'admin' } },
      { type: 'RemoveMember', data: { member: ben } },
      { type: 'RenameSite', data: { site: (added.data as { site: string }).site, name: 'Old Shop' } },
      { type: 'CancelAddOn', data: { purchase } },
      plan('solo'),
      { type: 'EnableProduct', data: {} },
    ] as const;
    const visit = await signedIn(stage, OPAL, await draftAddress(id, commands));
    const { page } = visit;
    const before = await valuesOf(page, id);
    await commitButton(page).waitFor();
    await expectStop(visit);
    await committed(page);
    await seen(page, '7 events, #7 to #13');
    expect(await valuesOf(page, id)).not.toEqual(before);

    await page.keyboard.press('u');
    await seen(page, 'Undo of events 7 to 13');
    await seen(page, /the add-on comes back as a new purchase\. New purchase id: /);
    await seen(page, /no command restores the state before the product was first switched on or off\.$/);
    for (const line of [/^Assign Pulse Teams on the terms of event #1/, /^Buy User × 2 on the terms of event #5/])
      await seen(page, line);
    await commitButton(page).waitFor();
    await expectStop(visit);
    await committed(page);
    await eventNumber(page, 14).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    expect(await valuesOf(page, id)).toEqual(before);
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
