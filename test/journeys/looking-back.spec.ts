import { randomUUID } from 'node:crypto';
import { atNight } from '../support/at-night';
import { expectBack, expectStop, PASSWORD, pressed, query, seen, signedIn, tabTo, typed } from './browser/stops';
import { staged } from './browser/stage';
import { founding, historyOfQuay, member, moreUsers, noonOf, plan, record, site } from './recorded';

const stage = staged();
const [OLGA, MIA] = ['olga@quay.example', 'mia@quay.example'];
const [quay, mill, corrected] = [randomUUID(), randomUUID(), randomUUID()];

beforeAll(async () => {
  const { charter, settle } = stage.service;
  const [olga, mia] = await Promise.all([
    settle({ email: OLGA, name: 'Olga Owner', password: PASSWORD }),
    settle({ email: MIA, name: 'Mia Member', password: PASSWORD }),
  ]);
  const owner = member(olga, 'owner');
  await record(charter, mill, [
    founding({ name: 'Mill' }),
    { command: plan('solo') },
    { command: moreUsers(3) }, // event #2
    { command: [owner, member(mia)] },
  ]);
  await record(charter, quay, historyOfQuay(owner));
  await record(charter, corrected, [
    founding({ name: 'Corrected', at: noonOf('2026-02-01') }),
    { command: plan('teams'), at: noonOf('2026-02-02') },
    { command: [owner, member(), member(), site('corrected.example')], at: noonOf('2026-02-03') }, // events #2 to #5
    { command: moreUsers(1), at: noonOf('2026-02-04') },
    { command: { type: 'RenameOrganization', data: { name: 'Correction' } }, at: noonOf('2026-06-01') }, // event #7
    { command: plan('solo', noonOf('2026-04-01')), at: noonOf('2026-06-02'), by: 'billing' }, // event #8
  ]);
}, 60_000);

const open = (id: string, page: string, email = OLGA) => signedIn(stage, email, `/org/${id}/${page}`);

// Journey 6 is in demo.spec.ts, because it visits an organization of the demo.
describe('Journeys 1, 2 and 11: a person at the keyboard', () => {
  it('1: a member reads why only two users may join, with each term of the sum; a member sees no time bar and no links', async () => {
    const visit = await open(mill, 'overview', MIA);
    const { page } = visit;
    await expectStop(visit);
    for (const key of ['g', 'm']) await page.keyboard.press(key);
    await seen(page, '2 of 2');
    await pressed(page, page.getByText('1 from Pulse Solo + 3 from User = 4; hard limit 2; so 2'));
    for (const term of ['1 from Pulse Solo', '3 from the add-on User × 3', 'Hard limit of Pulse Solo: 2'])
      await page.getByText(term, { exact: true }).waitFor();
    const terms = page.locator('details[open] ol');
    expect(await terms.getByRole('listitem').count()).toBe(3);
    expect(await terms.innerText()).toContain('#2');
    expect(await terms.getByRole('link').count()).toBe(0);
    await expectStop(visit);
    expect(await page.getByRole('button', { name: 'Look back' }).count()).toBe(0);
    await expectBack(visit);
  });

  it('2: an owner types a date, sees the overview of that date without controls that change data, and returns with two presses of Escape', async () => {
    const visit = await open(quay, 'overview');
    const { page } = visit;
    await seen(page, /^Now · #12/);
    await expectStop(visit);
    await typed(page, '2 May 2026 21:33');
    await seen(page, '5 (now 8) of 10');
    await seen(page, /^As recorded by #8, /);
    await page.getByRole('heading', { level: 1, name: 'Quay (now New Quay)' }).waitFor();
    expect(query(page)).toBe('?asOf=2026-05-02T21%3A33%3A00.000Z');
    const main = page.getByRole('main');
    expect(await main.locator('form, input:not([type=search], [type=radio]), select, textarea').count()).toBe(0);
    expect(await main.getByRole('button').count()).toBe(1);
    await main.getByRole('button', { name: 'Copy organization id' }).waitFor();
    await expectStop(visit);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await seen(page, /^Now · #12/);
    expect(query(page)).toBe('');
    await expectBack(visit);
  });

  atNight(() => {
    it('11: an owner chooses two events, compares them, and then compares the states in force at one moment', async () => {
      const visit = await open(corrected, 'history');
      const { page } = visit;
      await seen(page, 'PlanAssigned');
      await expectStop(visit);
      await tabTo(page, page.locator('tr[data-index="0"]')); // event #8
      await page.keyboard.press('Space');
      await page.keyboard.press('j');
      await page.keyboard.press('Space');
      await pressed(page, page.getByRole('link', { name: 'Compare first and last' }));
      const plans = page.getByRole('region', { name: 'Plan' });
      await plans.getByText(/^back-dated: in force from Apr 1, 2026/).waitFor();
      await plans.getByText(/Plan assigned by billing/).waitFor();
      expect(query(page)).toBe('?from=7&to=8');
      await expectStop(visit);

      await tabTo(page, page.getByLabel('Both in force at (optional)'));
      await page.keyboard.type('2 May 2026');
      await page.keyboard.press('Enter');
      await seen(page, /In force at May 2, 2026/);
      const limits = page.getByRole('region', { name: 'Limits' });
      await limits.getByRole('link', { name: '#8' }).first().waitFor();
      expect(new URL(page.url()).searchParams.get('valid')).toBe('2026-05-02T00:00:00.000Z');
      await expectStop(visit);

      await pressed(page, limits.getByRole('link', { name: 'All values' }).first());
      await page.getByRole('heading', { level: 1, name: 'Changes of one value' }).waitFor();
      await expectStop(visit);
      await expectBack(visit);
    });
  });
});
