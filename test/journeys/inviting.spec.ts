import type { Page } from 'playwright-core';
import { fields, signIn } from './browser/page-actions';
import { eventually } from './browser/eventually';
import { staged } from './browser/stage';
import { violationsOn } from './browser/violations';
import { linkIn } from './mailbox';

const stage = staged();
const PASSWORD = 'lighthouse marmalade seventeen';
const OLGA = 'olga@harbour.example';
let harbour: string;

beforeAll(async () => {
  const olga = await stage.service.settle({ email: OLGA, name: 'Olga Owner', password: PASSWORD });
  harbour = await stage.service.organization({
    name: 'Harbour',
    commands: [
      { type: 'AssignPlan', data: { line: 'second', plan: 'teams' } },
      { type: 'AddMember', data: { member: olga, role: 'owner' } },
    ],
  });
}, 60_000);

const rowOf = (page: Page, text: string) => page.locator('tbody tr', { hasText: text });
const toggles = (page: Page, email: string) => rowOf(page, email).getByRole('button', { name: /^Change/ });

/** Opens the invitation with its key, types the address, and sends the form. */
async function invite(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Invite…' }).waitFor();
  await page.keyboard.press('i');
  await page
    .getByRole('dialog')
    .getByText(/^Then \d of 5 users\.$/)
    .waitFor();
  await page.keyboard.type(email);
  await page.keyboard.press('Enter');
  await page.getByText(`${email} is invited.`.replace(email, `\u2068${email}\u2069`)).waitFor();
}

/** Opens the menu of a member by keyboard, and chooses the item with these first letters. */
async function choose(page: Page, email: string, letters: string): Promise<void> {
  await toggles(page, email).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menu').waitFor();
  await page.keyboard.press(letters);
  await page.keyboard.press('Enter');
}

describe('An owner who invites people by keyboard', () => {
  it('sees the new row at once, and sees without a reload that the person has accepted', async () => {
    const visit = await stage.visit(`/org/${harbour}/members`);
    const { page } = visit;
    await signIn(visit, OLGA, PASSWORD);
    await page.evaluate('window.isSamePage = true');
    const email = 'nina@harbour.example';
    await invite(page, email);
    await rowOf(page, email).getByText('Invited').waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Invite…');
    expect(await violationsOn(page)).toEqual([]);

    const link = linkIn(await stage.service.mailbox.mailTo(email));
    const { page: other } = await stage.visit(link);
    await fields(other).newPassword.fill(PASSWORD);
    await fields(other).save.click();
    await other.waitForURL((url) => url.pathname === '/login');

    await page.evaluate("window.dispatchEvent(new Event('focus'))"); // the owner returns to this window
    await rowOf(page, email).getByText('Active').waitFor();
    expect(await page.evaluate('window.isSamePage')).toBe(true);
  });

  it('can send the link again, and can take the invitation back', async () => {
    const visit = await stage.visit(`/org/${harbour}/members`);
    const { page } = visit;
    await signIn(visit, OLGA, PASSWORD);
    const email = 'otto@harbour.example';
    await invite(page, email);
    await rowOf(page, email).waitFor();
    await choose(page, email, 's');
    await page.getByText(/gets a new link\.$/).waitFor();
    const link = linkIn(await stage.service.mailbox.mailTo(email, 2));

    await choose(page, email, 't');
    const question = page.getByRole('alertdialog');
    await question.getByText(/The link in the mail stops working\.$/).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await eventually(async () =>
      expect(await page.evaluate('document.activeElement.getAttribute("aria-haspopup")')).toBe('menu'),
    );
    await choose(page, email, 't');
    await question.getByRole('button', { name: 'Take back' }).focus();
    await page.keyboard.press('Enter');
    await rowOf(page, email).waitFor({ state: 'detached' });

    const late = await stage.visit(link);
    late.mayFail('/reset');
    await fields(late.page).newPassword.fill(PASSWORD);
    await fields(late.page).save.click();
    await late.page.getByText('This link no longer works').waitFor();
  });
});
