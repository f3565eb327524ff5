import { randomUUID } from 'node:crypto';
import { signIn } from './browser/page-actions';
import { expectSeen } from './browser/visible-text';
import { eventually } from './browser/eventually';
import { staged } from './browser/stage';

const stage = staged();
const PASSWORD = 'lighthouse marmalade seventeen';
const at = (name: string) => `${name}@bakery.example`;
let bakery: string;

beforeAll(async () => {
  const { service } = stage;
  const [mia, olga] = await Promise.all([
    service.settle({ email: at('mia'), name: 'Mia Member', password: PASSWORD }),
    service.settle({ email: at('olga'), name: 'Olga Owner', password: PASSWORD }),
    service.settle({ email: at('aud'), password: PASSWORD, role: 'auditor' }),
  ]);
  bakery = await service.organization({
    name: 'Old Bakery',
    commands: [
      { type: 'AssignPlan', data: { line: 'second', plan: 'teams' } }, // event #1
      { type: 'AddMember', data: { member: olga, role: 'owner' } },
      { type: 'AddMember', data: { member: mia, role: 'member' } },
      { type: 'AddSite', data: { site: randomUUID(), hostname: 'shop.bakery.example' } }, // event #4
      { type: 'RenameOrganization', data: { name: 'New Bakery' } },
      { type: 'AssignPlan', data: { line: 'second', plan: 'solo' } }, // event #6
    ],
  });
}, 60_000);

async function signedIn(name: string, path: string) {
  const visit = await stage.visit(path);
  await signIn(visit, at(name), PASSWORD);
  return visit;
}
const overview = () => `/org/${bakery}/overview`;

describe('Looking back in the console', () => {
  it('moves the overview to an event by keyboard alone, and back', async () => {
    const { page } = await signedIn('olga', '/login');
    await page.getByRole('heading', { level: 1, name: 'New Bakery' }).waitFor();
    await page.getByText(/^Now · #6/).waitFor();
    await page.keyboard.press('t');
    await page.keyboard.type('#4');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Old Bakery (now New Bakery)' }).waitFor();
    await expectSeen(page, 'Pulse Teams (now Pulse Solo)');
    await page.getByText('2 of 5 (now 1)').waitFor();
    await page.getByText(/^As recorded by #4, Site added by /).waitFor();
    expect(new URL(page.url()).search).toBe('?asOf=4');

    await page.getByRole('slider').focus();
    await page.keyboard.press('ArrowLeft');
    await page.getByText('0 (now 1) of 2 (now 1)').waitFor();
    await eventually(() => expect(new URL(page.url()).search).toBe('?asOf=3'));
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByText(/^Now · #6/).waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  it('copies a link; a second browser then shows the same moment, and confirms that the history is the same', async () => {
    const { page } = await signedIn('olga', '/login');
    await page.getByText(/^Now · #6/).waitFor();
    await page.goto(`${page.url()}?asOf=4`);
    await page.getByText(/^As recorded by #4, Site added/).waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Look back' }).click();
    await page.getByRole('button', { name: 'Copy link' }).click();
    const link = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(link).toMatch(/[?&]asOf=4&head=4\.[0-9a-f]{16}$/);

    const { page: other } = await signedIn('aud', new URL(link).pathname + new URL(link).search);
    await other.getByRole('heading', { level: 1, name: 'Old Bakery (now New Bakery)' }).waitFor();
    await expectSeen(other, 'This is the history with which the link was made.');
  });

  it('shows what was in force at a moment, and shows a second person the same moment at the same address', async () => {
    const { page } = await signedIn('aud', `${overview()}?asOf=4`);
    await page.getByText(/^As recorded by #4, Site added/).waitFor();
    await page.keyboard.press('v');
    await page
      .getByText(/In force at /)
      .first()
      .waitFor();
    expect(new URL(page.url()).searchParams.get('valid')).toMatch(/^20\d\d-/);
    await page.keyboard.press('t');
    await page.getByRole('slider', { name: 'Moment in force' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('navigation').getByRole('link', { name: 'Domains' }).click();
    await page.getByRole('heading', { level: 1, name: 'Domains' }).waitFor();
    expect(new URL(page.url()).searchParams.get('valid')).toMatch(/^20\d\d-/);
    const { page: other } = await signedIn('olga', new URL(page.url()).pathname + new URL(page.url()).search);
    await other.getByRole('heading', { level: 1, name: 'Domains' }).waitFor();
    await other
      .getByText(/In force at /)
      .first()
      .waitFor();
  });

  it('is not offered to a member, who sees the limits but no time bar', async () => {
    const { page } = await signedIn('mia', overview());
    await page.getByRole('heading', { level: 1, name: 'New Bakery' }).waitFor();
    await page.getByText(/^2 of 1/).waitFor();
    await page.waitForTimeout(500);
    expect(await page.getByRole('button', { name: 'Look back' }).count()).toBe(0);
  });

  it('explains that a moment does not exist, and offers to go to the founding', async () => {
    const { page } = await signedIn('aud', `${overview()}?asOf=2026-02-30T00:00:00Z`);
    await page.getByText('The address contains no moment that exists.').last().waitFor();
    await page.getByRole('button', { name: 'Go to the founding' }).click();
    await page.getByText(/^As recorded by #0, Organization founded/).waitFor();
  });
});
