import type { Page } from 'playwright-core';
import { atNight } from '../support/at-night';
import {
  chosenFor,
  expectBack,
  expectStop,
  PASSWORD,
  pressed,
  signedIn as signedInAt,
  tabTo,
  typedInto,
} from './browser/stops';
import { eventually } from './browser/eventually';
import { fields } from './browser/page-actions';
import { expectSeen } from './browser/visible-text';
import { staged, type Visit } from './browser/stage';
import { violationsOn } from './browser/violations';
import { linkIn } from './mailbox';

const stage = staged();
const [OLGA, ADA, BEN] = ['olga@harbour.example', 'ada@mill.example', 'ben@mill.example'];
let harbour: string;
let mill: string;
let owners: readonly string[];

beforeAll(async () => {
  const { settle, organization } = stage.service;
  const [olga, ...both] = await Promise.all([
    settle({ email: OLGA, name: 'Olga Owner', password: PASSWORD }),
    settle({ email: ADA, name: 'Ada Jansen', password: PASSWORD }),
    settle({ email: BEN, name: 'Ben Okafor', password: PASSWORD }),
  ]);
  harbour = await organization({
    name: 'Harbour',
    commands: [
      { type: 'AssignPlan', data: { line: 'second', plan: 'teams' } },
      { type: 'AddMember', data: { member: olga, role: 'owner' } },
    ],
  });
  owners = both;
  mill = await organization({
    name: 'Mill',
    commands: owners.map((member) => ({ type: 'AddMember', data: { member, role: 'owner' } })),
  });
}, 60_000);

const signedIn = (email: string, path: string) => signedInAt(stage, email, path);
const rowOf = (page: Page, text: string) => page.locator('tbody tr', { hasText: text });

/**
 * Opens the dialog of an invitation with the key `i`, types the address, and sends the form. Returns the number of keys
 * pressed, without the address.
 */
async function invite(page: Page, email: string): Promise<number> {
  await page.getByRole('button', { name: 'Invite…' }).waitFor();
  await page.keyboard.press('i');
  await page
    .getByRole('dialog')
    .getByText(/^Then \d of 5 users\.$/)
    .waitFor();
  await page.keyboard.type(email);
  await page.keyboard.press('Enter');
  await page.getByText(`\u2068${email}\u2069 is invited.`).waitFor();
  return ['i', 'Enter'].length;
}

/** Types a new password on the page of an invitation link, and submits the form. */
async function setPassword({ page }: Visit): Promise<void> {
  await typedInto(page, fields(page).newPassword, PASSWORD);
  await page.keyboard.press('Enter');
}

/** Reloads the page, which removes the message about the last change, and then checks the page with `expectStop`. */
async function expectFreshStop(visit: Visit): Promise<void> {
  await visit.page.reload();
  await expectStop(visit);
}

describe('Journeys 17 and 19: an owner at the keyboard', () => {
  it('17, U6, B18: invites a person with at most 4 key presses besides the address, and sees the acceptance without a reload', async () => {
    const visit = await signedIn(OLGA, `/org/${harbour}/overview`);
    const { page } = visit;
    await page.getByRole('heading', { level: 1, name: 'Harbour' }).waitFor();
    await expectStop(visit);
    await page.evaluate('window.isSamePage = true');
    const email = 'nina@harbour.example';
    const toMembers = ['g', 'm'];
    for (const key of toMembers) await page.keyboard.press(key);
    expect(toMembers.length + (await invite(page, email))).toBeLessThanOrEqual(4);
    await rowOf(page, email).getByText('Invited').waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Invite…');
    expect(await violationsOn(page)).toEqual([]);

    const other = await stage.visit(linkIn(await stage.service.mailbox.mailTo(email)));
    await expectSeen(other.page, 'You are invited to Harbour.'); // the owner has not accepted the membership
    expect(await violationsOn(other.page)).toEqual([]);
    await typedInto(other.page, fields(other.page).name, 'Nina Simone');
    await setPassword(other);
    await other.page.waitForURL((url) => url.pathname === `/org/${harbour}/overview`);
    await other.page.getByRole('heading', { level: 1, name: 'Harbour' }).waitFor();

    await rowOf(page, email).getByText('Active').waitFor();
    await rowOf(page, email).getByRole('link', { name: 'Nina Simone' }).waitFor();
    expect(await page.evaluate('window.isSamePage')).toBe(true);
    await expectFreshStop(visit);
    await expectBack(visit);
  });

  atNight(() => {
    it('17: sends a new link to an invited person, and withdraws the invitation', async () => {
      const visit = await signedIn(OLGA, `/org/${harbour}/members`);
      const { page } = visit;
      const email = 'otto@harbour.example';
      await invite(page, email);
      await chosenFor(page, rowOf(page, email), 's');
      await page.getByText(/A mail with a new link goes to .*, at most three times in 15 minutes\.$/).waitFor();
      const link = linkIn(await stage.service.mailbox.mailTo(email, 2));
      await expectFreshStop(visit);

      await chosenFor(page, rowOf(page, email), 't');
      const question = page.getByRole('alertdialog');
      await question.getByText(/The link in the mail will stop working\.$/).waitFor();
      expect(await violationsOn(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await question.waitFor({ state: 'detached' });
      await eventually(async () =>
        expect(await page.evaluate('document.activeElement.getAttribute("aria-haspopup")')).toBe('menu'),
      );
      await chosenFor(page, rowOf(page, email), 't');
      await question.locator(':focus').waitFor();
      await pressed(page, question.getByRole('button', { name: 'Take back' }));
      await rowOf(page, email).waitFor({ state: 'detached' });
      await expectFreshStop(visit);

      const late = await stage.visit(link);
      late.mayFail('/invitation', 400);
      await late.page.getByText('This invitation no longer works').waitFor();
      expect(await violationsOn(late.page)).toEqual([]);
    });
  });

  it('19: removes the other owner while that owner does the same; one of them reads why the service refused the second removal', async () => {
    const all = [await aboutToRemove(ADA), await aboutToRemove(BEN)];
    await Promise.all(all.map(({ page }) => page.keyboard.press('Enter')));
    const outcomes = await Promise.all(
      all.map(({ page, question }) =>
        Promise.any([
          page
            .getByText(/is not a member any more\.$/)
            .waitFor()
            .then(() => 'removed'),
          question
            .getByText(/^There is no such organization, or you have no access to it\.$/)
            .waitFor()
            .then(() => 'refused'),
        ]),
      ),
    );
    expect(outcomes.toSorted()).toEqual(['refused', 'removed']);
    const refused = all[outcomes.indexOf('refused')]!;
    await refused.question.getByText('Another person may have removed you. Ask an owner.').waitFor();
    await expectFreshStop(refused);
    const winner = all[outcomes.indexOf('removed')]!;
    await winner.page.locator('tbody tr').nth(1).waitFor({ state: 'detached' });
    await expectFreshStop(winner);
    await expectBack(winner);
  });
});

/**
 * Goes from the overview to the page Members, and opens the dialog that confirms the removal of the other owner. The
 * focus is on the button Remove.
 */
async function aboutToRemove(email: string) {
  const visit = await signedIn(email, `/org/${mill}/overview`);
  const { page, mayFail } = visit;
  await expectStop(visit);
  for (const key of ['g', 'm']) await page.keyboard.press(key);
  await rowOf(page, 'you').waitFor();
  await expectStop(visit);
  // The removed owner has no access any more, so this owner's page gets 404 for its further requests.
  const parts = ['', '/entitlements', '/standing', '/events', '/timeline', '/names', '/members'];
  for (const part of [...parts, ...owners.map((id) => `/members/${id}`)])
    mayFail(`/api/v1/organizations/${mill}${part}`, 404);
  const other = page.locator('tbody tr').filter({ hasNot: page.getByText('you', { exact: true }) });
  await chosenFor(page, other, 'r');
  const question = page.getByRole('alertdialog');
  await question.locator(':focus').waitFor();
  await tabTo(page, question.getByRole('button', { name: 'Remove' }));
  return { ...visit, question };
}
