import type { OrganizationCommand } from '@charter/organization';
import { call } from '../../journeys/browser/page-actions';
import { staged, type Visit } from '../../journeys/browser/stage';
import { violationsOn } from '../../journeys/browser/violations';
import { draftAddress } from '../../../web/src/console/draft/address/draft-address';
import { member, rename, organizationOnTeams } from '../../journeys/recorded';
import {
  commitButton,
  committed,
  eventNumber,
  expectStop,
  PASSWORD,
  pressed,
  seen,
  signedIn,
  signInByKeyboard,
} from '../../journeys/browser/stops';

const stage = staged();
const [OLGA, ALMA, BEN] = ['olga@pier.example', 'alma@pier.example', 'ben@pier.example'];
let olga: string;
let alma: string;
let ben: string;

beforeAll(async () => {
  const { settle } = stage.service;
  [olga, alma, ben] = await Promise.all([
    settle({ email: OLGA, name: 'Olga Owner', password: PASSWORD }),
    settle({ email: ALMA, name: 'Alma Lund', password: PASSWORD }),
    settle({ email: BEN, name: 'Ben Okafor', password: PASSWORD }),
  ]);
}, 60_000);

/**
 * Founds an organization with the plan Teams and the owners Olga (event #2) and Alma (event #3), and then executes
 * these commands.
 */
const organization = (...commands: readonly OrganizationCommand[]) =>
  organizationOnTeams(stage.service.charter, olga, member(alma, 'owner'), ...commands);
const eventsAfter = async ({ page }: Visit, id: string, revision: number): Promise<readonly string[]> => {
  const { body } = await call(page, 'GET', `/api/v1/organizations/${id}/events?from=${revision + 1}`);
  return (body.events as { type: string }[]).map(({ type }) => type);
};

describe('Two browsers at once', () => {
  it('that both invite a person for the last seat add one member; the other page shows the reason and keeps the typed address', async () => {
    const id = await organization(member(), member()); // #4, #5: four of five users
    const opened = async (email: string, address: string) => {
      const visit = await signedIn(stage, email, `/org/${id}/members`);
      const { page, mayFail } = visit;
      mayFail(`/api/v1/organizations/${id}/members`); // 412 for the later request, and then 409
      await page.getByRole('button', { name: 'Invite…' }).waitFor();
      await expectStop(visit);
      await page.keyboard.press('i');
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Then 5 of 5 users.').waitFor();
      await page.keyboard.type(address);
      return { visit, page, dialog, address };
    };
    const both = [await opened(OLGA, 'nina@pier.example'), await opened(ALMA, 'otto@pier.example')];
    await Promise.all(both.map(({ page }) => page.keyboard.press('Enter')));
    const outcomes = await Promise.all(
      both.map(({ page, dialog }) =>
        Promise.any([
          seen(page, /is invited\.$/).then(() => 'invited'),
          dialog
            .getByText(/^Nothing was changed, because other changes came first\./)
            .waitFor()
            .then(() => 'refused'),
        ]),
      ),
    );
    expect(outcomes.toSorted()).toEqual(['invited', 'refused']);
    const { visit, page, dialog, address } = both[outcomes.indexOf('refused')]!;
    await dialog.getByLabel('E-mail address').press('Enter');
    await dialog.getByText('Users: 5 of 5 are taken.').waitFor();
    expect(await dialog.getByLabel('E-mail address').inputValue()).toBe(address);
    expect(await violationsOn(page)).toEqual([]);
    expect(await eventsAfter(visit, id, 5)).toEqual(['MemberAdded']);
    await pressed(page, dialog.getByRole('link', { name: 'Try one more user' }));
    await seen(page, '5 → 6');
    await expectStop(visit);
  });

  it('that commit the same draft record its events once, and the second person sees that nothing is left to do', async () => {
    const id = await organization(); // #3
    const address = await draftAddress(id, [rename('Old Pier')]);
    const opened = async (email: string) => {
      const visit = await signedIn(stage, email, address);
      visit.mayFail(`/api/v1/organizations/${id}/commands`, 409);
      await commitButton(visit.page).waitFor();
      await expectStop(visit);
      return visit;
    };
    const both = [await opened(OLGA), await opened(ALMA)];
    await Promise.all(both.map(({ page }) => committed(page)));
    const outcomes = await Promise.all(
      both.map(({ page }) =>
        Promise.any([
          seen(page, '1 event, #4').then(() => 'done'),
          seen(page, /^Nothing was executed\./).then(() => 'nothing'),
        ]),
      ),
    );
    expect(outcomes.toSorted()).toEqual(['done', 'nothing']);
    const second = both[outcomes.indexOf('nothing')]!;
    await eventNumber(second.page, 4).waitFor();
    await seen(second.page, 'These commands change nothing.');
    expect(await commitButton(second.page, 'Commit the new effect').count()).toBe(0);
    expect(await violationsOn(second.page)).toEqual([]);
    expect(await eventsAfter(second, id, 3)).toEqual(['OrganizationRenamed']);
  });

  it('execute no command of a draft about a person who is erased before the commit, and say which line of the draft fails', async () => {
    const id = await organization(member(ben)); // #4
    const commands = [{ type: 'ChangeRole', data: { member: ben, role: 'admin' } }, rename('Old Pier')];
    const visit = await signedIn(stage, OLGA, await draftAddress(id, commands));
    const { page, mayFail } = visit;
    mayFail(`/api/v1/organizations/${id}/commands`, 409);
    await commitButton(page).waitFor();
    await expectStop(visit);

    const other = await signedIn(stage, BEN, `/org/${id}/overview`);
    expect((await call(other.page, 'POST', '/api/v1/me/close', { password: PASSWORD })).status).toBe(200);
    other.end();
    await committed(page);
    await seen(page, /^Nothing was executed\./);
    await eventNumber(page, 5).waitFor(); // the end of the membership
    await seen(page, 'This person is not a member.');
    expect(await eventsAfter(visit, id, 4)).toEqual(['MemberRemoved']);
    const anew = await visit.context.newPage();
    await anew.goto(page.url());
    await seen(anew, /^Change the role of Erased person to Admin/);
    await anew.close();

    await pressed(page, page.getByRole('button', { name: 'Take out line 1' }));
    await commitButton(page).waitFor();
    await expectStop(visit);
    await committed(page);
    await seen(page, '1 event, #6');
  });

  it('keep a draft in one browser if the other browser ends its session before the commit', async () => {
    const id = await organization(); // #3
    const visit = await signedIn(stage, OLGA, await draftAddress(id, [rename('Old Pier')]));
    const { page, mayFail } = visit;
    await commitButton(page).waitFor();
    await expectStop(visit);
    const { href } = new URL(page.url());

    const other = await signedIn(stage, OLGA, '/me');
    await pressed(other.page, other.page.getByRole('button', { name: 'End all other sessions' }));
    await other.page.keyboard.type(PASSWORD);
    await other.page.keyboard.press('Enter');
    await seen(other.page, 'All other sessions have ended.');
    for (const path of ['commands', 'preview', 'events', 'entitlements', 'standing', ''])
      mayFail(`/api/v1/organizations/${id}${path && `/${path}`}`, 401);
    await committed(page);
    await page.waitForURL(({ pathname }) => pathname === '/login');
    await seen(page, 'You have been logged out. Log in again.');
    expect(await violationsOn(page)).toEqual([]);
    await signInByKeyboard(page, OLGA);
    await commitButton(page).waitFor();
    expect(page.url()).toBe(href);
    expect(await eventsAfter(visit, id, 3)).toEqual([]);
    await committed(page);
    await seen(page, '1 event, #4');
  });
});
