import { randomUUID } from 'node:crypto';
import { call } from '../../journeys/browser/page-actions';
import { staged } from '../../journeys/browser/stage';
import { violationsOn } from '../../journeys/browser/violations';
import { founding, member, moreUsers, plan, record, organizationOnTeams } from '../../journeys/recorded';
import {
  commitButton,
  committed,
  expectBack,
  expectStop,
  PASSWORD,
  pressed,
  query,
  seen,
  signedIn,
} from '../../journeys/browser/stops';

const stage = staged();
const [OLGA, NINA] = ['olga@pier.example', 'nina@pier.example'];
const pier = randomUUID();
let olga: string;
let nina: string;

beforeAll(async () => {
  const { charter, settle } = stage.service;
  [olga, nina] = await Promise.all([
    settle({ email: OLGA, name: 'Olga Owner', password: PASSWORD }),
    settle({ email: NINA, name: 'Nina Noor', password: PASSWORD }),
  ]);
  const members = [member(olga, 'owner'), ...Array.from({ length: 5 }, () => member())];
  await record(charter, pier, [founding({ name: 'Pier' }), { command: [plan('teams'), moreUsers(1), ...members] }]);
}, 60_000);

describe('Journeys 17, 18 and 20: an owner who adds an entry by keyboard', () => {
  it('17: invites a person with an account, who is a member at once, and sees that a second invitation changes nothing', async () => {
    const id = await organizationOnTeams(stage.service.charter, olga); // #0 to #2
    const visit = await signedIn(stage, OLGA, `/org/${id}/overview`);
    const { page } = visit;
    await page.getByRole('heading', { level: 1, name: 'Mill' }).waitFor();
    await expectStop(visit);
    for (const key of ['g', 'm']) await page.keyboard.press(key);
    const invite = async () => {
      await page.getByRole('button', { name: 'Invite…' }).waitFor();
      await page.keyboard.press('i');
      await page
        .getByRole('dialog')
        .getByText(/^Then \d of 5 users\.$/)
        .waitFor();
      await page.keyboard.type(NINA);
      await page.keyboard.press('Enter');
    };
    await invite();
    await seen(page, `\u2068${NINA}\u2069 is invited.`);
    await page.locator('tbody tr', { hasText: NINA }).getByText('Active').waitFor();
    await invite();
    await seen(page, `\u2068${NINA}\u2069 is a member already, with this role.`);
    expect(await violationsOn(page)).toEqual([]);
    const { body } = await call(page, 'GET', `/api/v1/organizations/${id}/events?from=3`);
    expect(body.events).toMatchObject([{ type: 'MemberAdded', data: { member: nina, role: 'member' } }]);
    await page.reload(); // the outcome of the invitation is not in the address
    await expectStop(visit);
    await expectBack(visit);
    expect(new URL(page.url()).pathname).toBe(`/org/${id}/overview`);
  });

  it('18: reads at the limit why no more users can join, and previews the purchase of one more user', async () => {
    const visit = await signedIn(stage, OLGA, `/org/${pier}/members`);
    const { page } = visit;
    await page.getByRole('button', { name: 'Invite…' }).waitFor();
    await expectStop(visit);
    await page.keyboard.press('i');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('6 of 6 users are taken. No more can join.').waitFor();
    await dialog.getByText(/^5 from Pulse Teams \+ 1 from .* = 6; hard limit 10; so 6$/).waitFor();
    expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^5 from Pulse Teams\s+#1\b/),
      expect.stringMatching(/^1 from the add-on User × 1\s+#2\b/),
      expect.stringMatching(/^Hard limit of Pulse Teams: 10\s+#1\b/),
    ]);
    expect(await violationsOn(page)).toEqual([]);
    await pressed(page, dialog.getByRole('link', { name: 'Try one more user' }));
    const effect = page.getByRole('region', { name: 'Effect of the change' });
    await effect.getByText('6 → 7').waitFor();
    expect(query(page)).toBe('?try=additionalUser%3A2');
    await expectStop(visit);
    await expectBack(visit);
    expect(new URL(page.url()).pathname).toBe(`/org/${pier}/members`);
  });

  it('20: sees the Unicode and ASCII form of a hostname before adding it, cannot add it twice, and undoes the addition with a link', async () => {
    const visit = await signedIn(stage, OLGA, `/org/${pier}/sites`);
    const { page } = visit;
    const open = async () => {
      await page.getByRole('button', { name: 'Add a site…' }).waitFor();
      await page.keyboard.press('i');
      await page.getByRole('textbox', { name: 'Hostname', exact: true }).waitFor();
      await page.keyboard.type('münchen.example');
    };
    await open();
    await page.getByRole('dialog').getByText('xn--mnchen-3ya.example').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText(/is added\.$/).waitFor();
    await page.locator('tbody tr', { hasText: 'xn--mnchen-3ya.example' }).waitFor();
    await open();
    await page
      .getByRole('dialog')
      .getByText(/is in this list already\./)
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByText(/is added\.$/).waitFor();
    expect(await violationsOn(page)).toEqual([]); // the outcome of the addition is not in the address

    await pressed(page, page.getByRole('link', { name: 'Undo…' }));
    await seen(page, 'These commands restore every value.');
    await commitButton(page).waitFor();
    await expectStop(visit);
    await committed(page);
    await seen(page, /^1 event, #/);
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await seen(page, /^0 of 2/);
    await expectStop(visit);
    await expectBack(visit);
  });
});
