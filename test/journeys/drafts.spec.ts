import type { OrganizationCommand } from '@charter/organization';
import { atNight } from '../support/at-night';
import { draftAddress } from '../../web/src/console/draft/address/draft-address';
import { member, moreUsers, plan, organizationOnTeams } from './recorded';
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
} from './browser/stops';
import { otherCatalogue } from '../support/other-catalogue';
import { eventually } from './browser/eventually';
import { call } from './browser/page-actions';
import { staged } from './browser/stage';
import { violationsOn } from './browser/violations';

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

const organization = (...commands: readonly OrganizationCommand[]) =>
  organizationOnTeams(stage.service.charter, olga, ...commands);

describe('Journey 25: an undo by keyboard', () => {
  it('buys a cancelled add-on again on its old terms, and shows the new purchase id', async () => {
    const bought = moreUsers(2);
    const { purchase } = bought.data as { purchase: string };
    const id = await organization(bought, { type: 'CancelAddOn', data: { purchase } }); // #3, #4
    const visit = await signedIn(stage, OPAL, `/org/${id}/history/4`);
    const { page } = visit;
    await page.getByRole('link', { name: 'Undo…' }).waitFor();
    await expectStop(visit);
    await pressed(page, page.getByRole('link', { name: 'Undo…' }));
    await seen(page, /the add-on comes back as a new purchase\. New purchase id: /);
    await seen(page, /^Buy User × 2 on the terms of event #3/);
    await commitButton(page).waitFor();
    await expectStop(visit);
    await committed(page);
    await seen(page, '1 event, #5');
    expect(await violationsOn(page)).toEqual([]);
    await expectBack(visit);
  });

  atNight(() => {
    it('says that an erased person does not become a member again, and has no button to commit', async () => {
      const id = await organization(member(ben), { type: 'RemoveMember', data: { member: ben } }); // #3, #4
      const { code } = await stage.service.charter.json('accounts', 'erase', ben, '--yes');
      expect(code).toBe(0);
      const visit = await signedIn(stage, OLGA, `/org/${id}/history/4`);
      const { page } = visit;
      await page.getByRole('link', { name: 'Undo…' }).waitFor();
      await expectStop(visit);
      await pressed(page, page.getByRole('link', { name: 'Undo…' }));
      await seen(page, /an erased person does not become a member again/);
      await eventually(async () => expect(await commitButton(page).count()).toBe(0));
      await expectStop(visit);
      await expectBack(visit);
    });
  });
});

describe('Journeys 24 and 25: a draft by keyboard', () => {
  atNight(() => {
    it('is refused if only the catalogue has changed since the preview; a second press commits the new preview, and its undo restores the old terms', async () => {
      const id = await organization(member()); // #3
      const visit = await signedIn(stage, OPAL, await draftAddress(id, [plan('solo')]));
      const { page, mayFail } = visit;
      await seen(page, '5 → 1');
      await commitButton(page).waitFor();
      await expectStop(visit);

      mayFail(`/api/v1/organizations/${id}/events`); // the restart of the service breaks the feed
      mayFail(`/api/v1/organizations/${id}/commands`, 409);
      await stage.service.restart(
        otherCatalogue(stage.service.charter.data, ({ plans }) => {
          plans['second/solo'].limits.users = 2;
          plans['second/teams'].limits.users = 9;
        }),
      );
      await committed(page);
      await seen(page, 'Nothing was executed. Compare both previews, and commit the new effect if it is right.');
      await seen(page, 'The terms of Pulse Solo in the catalogue have changed since the preview.');
      await page.getByRole('region', { name: 'As shown before' }).getByText('5 → 1').waitFor();
      await page.getByRole('region', { name: 'As it would be now' }).getByText('5 → 2').waitFor();
      expect(await violationsOn(page)).toEqual([]);
      const { body } = await call(page, 'GET', `/api/v1/organizations/${id}`);
      expect([body.revision, body.plans.second.plan]).toEqual([3, 'teams']);

      await pressed(page, commitButton(page, 'Commit the new effect'));
      await seen(page, '1 event, #4');
      await eventNumber(page, 4).waitFor();

      await pressed(page, page.getByRole('link', { name: 'Undo…' }));
      await seen(page, /^Assign Pulse Teams on the terms of event #1/);
      await seen(page, '2 → 5'); // with today's terms, the page would show 9
      await seen(page, 'These commands restore every value.');
      await commitButton(page).waitFor();
      await expectStop(visit);
      await committed(page);
      await seen(page, '1 event, #5');
      const { body: entitlements } = await call(page, 'GET', `/api/v1/organizations/${id}/entitlements`);
      expect(entitlements.limits.users.limit).toBe(5);
      await expectBack(visit);
    });
  });
});
