import type { OrganizationCommand } from '@charter/organization';
import type { Page } from 'playwright-core';
import { eventually } from '../../journeys/browser/eventually';
import { call } from '../../journeys/browser/page-actions';
import { staged, type Visit } from '../../journeys/browser/stage';
import { violationsOn } from '../../journeys/browser/violations';
import { draftAddress } from '../../../web/src/console/draft/address/draft-address';
import { member, rename, organizationOnTeams } from '../../journeys/recorded';
import {
  chosenFor,
  commitButton,
  committed,
  eventNumber,
  expectStop,
  PASSWORD,
  pressed,
  seen,
  signedIn,
  signInByKeyboard,
  tabTo,
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

const ownersOf = async ({ page }: Visit, id: string) => {
  const { body } = await call(page, 'GET', `/api/v1/organizations/${id}`);
  return (body.members as { role: string }[]).filter(({ role }) => role === 'owner');
};
const rowOfReader = (page: Page) => page.locator('tbody tr').filter({ has: page.getByText('you', { exact: true }) });
const otherRow = (page: Page) => page.locator('tbody tr').filter({ hasNot: page.getByText('you', { exact: true }) });

/** Opens the page Members. The service may refuse a change of a member that this page sends. */
async function onMembers(email: string, id: string): Promise<Visit> {
  const visit = await signedIn(stage, email, `/org/${id}/members`);
  await otherRow(visit.page).waitFor();
  await expectStop(visit);
  const [root, both] = [`/api/v1/organizations/${id}`, [olga, alma]];
  for (const path of ['', '/events', '/changes', '/entitlements', '/standing', '/timeline', '/names', '/members'])
    visit.mayFail(`${root}${path}`);
  for (const member of both) visit.mayFail(`${root}/members/${member}`);
  return visit;
}

type Press = Readonly<{ visit: Visit; id: string; press: () => Promise<unknown> }>;

/** Lets each person press a key, and holds the changes back until both browsers have sent theirs. */
async function sentAtOnce(all: readonly Press[]): Promise<void> {
  const sent: (() => Promise<void>)[] = [];
  for (const { visit, id } of all)
    await visit.page.route(`**/api/v1/organizations/${id}/members/*`, (route) => {
      if (route.request().method() === 'GET' || sent.length === all.length) return route.continue();
      sent.push(() => route.continue());
      return undefined;
    });
  await Promise.all(all.map(({ press }) => press()));
  await eventually(() => expect(sent).toHaveLength(all.length));
  await Promise.all(sent.map((go) => go()));
}

describe('Two browsers at once', () => {
  it('that both invite a person for the last seat add one member; the refused page shows the reason and keeps the address', async () => {
    const id = await organization(member(), member()); // #4, #5: four of five users
    const opened = async (email: string, address: string) => {
      const visit = await signedIn(stage, email, `/org/${id}/members`);
      const { page, mayFail } = visit;
      mayFail(`/api/v1/organizations/${id}/members`); // the later request gets 412, and its repetition 409
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
    await tabTo(page, dialog.getByLabel('E-mail address'));
    await page.keyboard.press('Enter');
    await dialog.getByText('Users: 5 of 5 are taken.').waitFor();
    expect(await dialog.getByLabel('E-mail address').inputValue()).toBe(address);
    expect(await violationsOn(page)).toEqual([]);
    expect(await eventsAfter(visit, id, 5)).toEqual(['MemberAdded']);
    await pressed(page, dialog.getByRole('link', { name: 'Try one more user' }));
    await seen(page, '5 → 6');
    await expectStop(visit);
  });

  it.each([
    { what: 'give up the role of owner', letter: 'a', button: 'Change my role', done: 'MemberRoleChanged' },
    { what: 'leave', letter: 'l', button: 'Leave', done: 'MemberRemoved' },
  ])(
    'that both let an owner $what record one event; the other dialog shows why the last owner cannot',
    async ({ letter, button, done }) => {
      const id = await organization(); // #3
      const opened = async (email: string) => {
        const visit = await onMembers(email, id);
        const { page } = visit;
        await chosenFor(page, rowOfReader(page), letter);
        const dialog = page.getByRole('alertdialog');
        await tabTo(page, dialog.getByRole('button', { name: button, exact: true }));
        return { visit, page, dialog };
      };
      const both = [await opened(OLGA), await opened(ALMA)];
      await sentAtOnce(both.map(({ visit }) => ({ visit, id, press: () => visit.page.keyboard.press('Enter') })));
      const overtaken = both.map(async ({ dialog }, index) => {
        await dialog.getByText(/^Nothing was changed, because other changes came first\./).waitFor();
        return index;
      });
      const { page, dialog, visit } = both[await Promise.any(overtaken)]!;
      expect(await violationsOn(page)).toEqual([]);
      await pressed(page, dialog.getByRole('button', { name: button, exact: true }));
      await dialog.getByText('This person is the last owner.').waitFor();
      await dialog.getByText('Make another member an owner first.').waitFor();
      expect(await violationsOn(page)).toEqual([]);
      expect(await eventsAfter(visit, id, 3)).toEqual([done]);
      expect(await ownersOf(visit, id)).toHaveLength(1);
    },
  );

  it('that both take the role of owner from the other person record one event; the other page shows who may change roles', async () => {
    const id = await organization(); // #3
    const both = [await onMembers(OLGA, id), await onMembers(ALMA, id)];
    await sentAtOnce(
      both.map((visit) => ({ visit, id, press: () => chosenFor(visit.page, otherRow(visit.page), 'm') })),
    );
    const outcomes = await Promise.all(
      both.map(({ page }) =>
        Promise.any([
          seen(page, /has the role Member now\.$/).then(() => 'done'),
          seen(page, 'You may not do this.').then(() => 'refused'),
        ]),
      ),
    );
    expect(outcomes.toSorted()).toEqual(['done', 'refused']);
    const refused = both[outcomes.indexOf('refused')]!;
    await seen(refused.page, /^Required role: /);
    expect(await violationsOn(refused.page)).toEqual([]);
    const winner = both[outcomes.indexOf('done')]!;
    expect(await eventsAfter(winner, id, 3)).toEqual(['MemberRoleChanged']);
    expect(await ownersOf(winner, id)).toHaveLength(1);
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

  it('execute no command of a draft about a person who is erased before the commit, and show why', async () => {
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
    await eventNumber(page, 5).waitFor(); // the event that ends the membership
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

  it('keep a draft in one browser if the other browser ends all other sessions before the commit', async () => {
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
