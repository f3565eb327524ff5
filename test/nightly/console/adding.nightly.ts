import { randomUUID } from 'node:crypto';
import { staged } from '../../journeys/browser/stage';
import { founding, member, moreUsers, plan, record } from './recorded';
import { commitButton, committed, expectStop, PASSWORD, pressed, query, seen, signedIn } from './stops';

const stage = staged();
const OLGA = 'olga@pier.example';
const pier = randomUUID();

beforeAll(async () => {
  const { charter, settle } = stage.service;
  const olga = await settle({ email: OLGA, name: 'Olga Owner', password: PASSWORD });
  const members = [member(olga, 'owner'), ...Array.from({ length: 5 }, () => member())];
  await record(charter, pier, [founding({ name: 'Pier' }), { command: [plan('teams'), moreUsers(1), ...members] }]);
}, 60_000);

describe('An owner who adds an entry by keyboard', () => {
  it('reads at the limit why no more users can join, and tries one more user', async () => {
    const visit = await signedIn(stage, OLGA, `/org/${pier}/members`);
    const { page } = visit;
    await page.getByRole('button', { name: 'Invite…' }).waitFor();
    await page.keyboard.press('i');
    await page.getByText('6 of 6 users are taken. No more can join.').waitFor();
    await pressed(page, page.getByRole('link', { name: 'Try one more user' }));
    const effect = page.getByRole('region', { name: 'Effect of the change' });
    await effect.getByText('6 → 7').waitFor();
    expect(query(page)).toBe('?try=additionalUser%3A2');
    await expectStop(visit);
  });

  it('sees both forms of a hostname before adding it, is refused the same hostname a second time, and undoes the addition', async () => {
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
    await page.reload(); // the result of the change is not in the address
    await expectStop(visit);

    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await pressed(page, page.locator('tbody tr').first());
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
  });
});
