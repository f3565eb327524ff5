import { signIn } from './browser/page-actions';
import { staged } from './browser/stage';
import { violationsOn } from './browser/violations';

const stage = staged();
const PASSWORD = 'lighthouse marmalade seventeen';
const [ADA, BEN] = ['ada@mill.example', 'ben@mill.example'];
let mill: string;
let owners: readonly string[];

beforeAll(async () => {
  const [ada, ben] = await Promise.all([
    stage.service.settle({ email: ADA, name: 'Ada Jansen', password: PASSWORD }),
    stage.service.settle({ email: BEN, name: 'Ben Okafor', password: PASSWORD }),
  ]);
  owners = [ada, ben];
  mill = await stage.service.organization({
    name: 'Mill',
    commands: owners.map((member) => ({ type: 'AddMember', data: { member, role: 'owner' } })),
  });
}, 60_000);

/** Opens the members, and the question before this person removes the other owner. */
async function aboutToRemove(email: string) {
  const visit = await stage.visit(`/org/${mill}/members`);
  const { page, mayFail } = visit;
  const parts = ['', 'entitlements', 'standing', 'events', 'timeline', 'names', 'members'];
  for (const part of [...parts, ...owners.map((id) => `members/${id}`)])
    mayFail(`/api/v1/organizations/${mill}${part && `/${part}`}`);
  await signIn(visit, email, PASSWORD);
  const own = page.locator('tbody tr', { hasText: 'you' });
  await own.waitFor();
  const other = page.locator('tbody tr').filter({ hasNot: page.getByText('you', { exact: true }) });
  await other.getByRole('button', { name: /^Change/ }).focus();
  for (const key of ['Enter', 'r', 'Enter']) await page.keyboard.press(key);
  const question = page.getByRole('alertdialog');
  await question.getByRole('button', { name: 'Remove' }).focus();
  return { page, question };
}

describe('Two owners who remove each other at the same time', () => {
  it('leave one owner, and the page says why the service refused the second removal', async () => {
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
    const { page, question } = all[outcomes.indexOf('refused')]!;
    await question.getByText('Another person may have removed you. Ask an owner.').waitFor();
    expect(await violationsOn(page)).toEqual([]);
    const winner = all[outcomes.indexOf('removed')]!.page;
    await winner.locator('tbody tr').nth(1).waitFor({ state: 'detached' });
  });
});
