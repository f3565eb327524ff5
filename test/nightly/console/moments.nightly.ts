import { randomUUID } from 'node:crypto';
import { eventually } from '../../journeys/browser/eventually';
import { staged } from '../../journeys/browser/stage';
import { founding, member, moreUsers, plan, record, site } from './recorded';
import { expectStop, PASSWORD, pressed, query, seen, signedIn, tabTo, typed } from './stops';

const stage = staged();
const OLGA = 'olga@bakery.example';
const at = (day: string) => `${day}T12:00:00.000Z`;
const [quay, bakery, override] = [randomUUID(), randomUUID(), randomUUID()];

beforeAll(async () => {
  const { charter, settle } = stage.service;
  const olga = await settle({ email: OLGA, name: 'Olga Owner', password: PASSWORD });
  const owner = member(olga, 'owner');
  await record(charter, quay, [
    founding({ name: 'Quay', at: at('2025-03-04') }),
    { command: plan('teams'), at: at('2025-03-05') }, // event #1
    { command: moreUsers(5), at: at('2025-03-06') },
    { command: [owner, member(), member()], at: at('2025-04-01') }, // events #3 to #5
    { command: site('quay.example'), at: at('2025-05-01') }, // event #6
    { command: [member(), member()], at: '2026-05-02T21:32:59.000Z' }, // events #7 and #8
    { command: { type: 'RenameOrganization', data: { name: 'New Quay' } }, at: '2026-05-02T21:33:01.000Z' }, // event #9
    { command: [member(), member(), member()], at: at('2026-06-01') }, // events #10 to #12
  ]);
  await record(charter, bakery, [
    founding({ name: 'Bakery', at: at('2024-02-01') }),
    { command: plan('teams', at('2024-03-01')), at: at('2024-03-02') }, // event #1
    { command: [owner, member(), member(), member()], at: at('2024-04-01') }, // events #2 to #5
    { command: site('bakery.example'), at: at('2024-05-01') }, // event #6
    { command: site('shop.bakery.example'), at: at('2024-06-01') },
    { command: plan('solo'), at: at('2024-07-01') },
    { command: plan('solo', at('2024-04-01')), at: at('2024-08-01') }, // event #9, a correction
  ]);
  await record(charter, override, [
    founding({ name: 'Granary' }),
    { command: plan('solo') },
    { command: moreUsers(6) },
    {
      command: { type: 'OverrideHardLimits', data: { reason: 'Fair', until: '2098-12-31T00:00:00.000Z' } },
    },
    { command: [owner, member(), member(), member(), member()] },
  ]);
}, 60_000);

const open = (id: string, page: string) => signedIn(stage, OLGA, `/org/${id}/${page}`);

describe('The time bar', () => {
  it('is at most 200 px high while it is open, and stays at the top of the window while a person scrolls', async () => {
    const { page } = await open(quay, 'members?asOf=5');
    await seen(page, /^As recorded by #5, /);
    await page.evaluate("localStorage.setItem('charter-explained-questions', '3')"); // the explanation is a line more
    await page.reload();
    await seen(page, /^As recorded by #5, /);
    const place = async () => (await page.getByRole('region', { name: 'Time' }).boundingBox())!;
    expect((await place()).height).toBeLessThanOrEqual(48);
    await page.keyboard.press('t');
    await page.getByText('Legend').waitFor();
    expect((await place()).height).toBeLessThanOrEqual(200);
    await page.keyboard.press('Escape');
    await eventually(async () => {
      await page.evaluate('scrollTo(0, 200)'); // while the rows load, the page may be too short
      expect(await page.evaluate('scrollY')).toBe(200);
      expect((await place()).y).toBe(0);
    });
  });
});

describe('Journeys 2 to 7: a person at the keyboard', () => {
  it('2: types a date, sees the overview of that date without controls that change data, and returns by pressing Escape twice', async () => {
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
  });

  it('4: moves on the page Members only between events about members, and hears each event announced', async () => {
    const visit = await open(quay, 'members');
    const { page } = visit;
    await seen(page, /^Now · #12/);
    await typed(page, '#3');
    await seen(page, /^As recorded by #3, /);
    await page.keyboard.press('Escape');
    for (const [key, revision] of [
      ...[4, 5, 7, 8, 10, 11].map((next) => [']', next] as const),
      ['[', 10],
      ['[', 8],
    ] as const) {
      await page.keyboard.press(key);
      await seen(page, new RegExp(`^As recorded by #${revision}, Member added by `));
      await eventually(async () =>
        expect(await page.getByRole('region', { name: 'Time' }).getByRole('status').last().innerText()).toMatch(
          new RegExp(`^As recorded by #${revision}, Member added by `),
        ),
      );
    }
    expect(query(page)).toBe('?asOf=8');
    await expectStop(visit);
  });

  it('6: sees what was in force when the first site was added, and opens the event that was recorded later and changed it', async () => {
    const visit = await open(bakery, 'overview');
    const { page } = visit;
    await seen(page, /^Now · #9/);
    await typed(page, '#6');
    await seen(page, '4 of 5 (now 1)');
    await expectStop(visit);
    await tabTo(page, page.getByRole('radio', { name: 'Recorded' }));
    await page.keyboard.press('ArrowRight');
    await seen(page, /^4 of 1: over by 3/);
    expect(query(page)).toBe('?valid=2024-05-01T12%3A00%3A00.000Z');
    await seen(page, /^In force at .*, as recorded by #9, Plan assigned by /);
    await expectStop(visit);

    await pressed(page, page.locator('li', { hasText: 'Users' }).locator('summary').first());
    await pressed(page, page.locator('details[open]').getByRole('link', { name: '#9' }));
    await page.getByRole('heading', { level: 1, name: 'Event #9' }).waitFor();
    await seen(page, '(before it was recorded)');
    await expectStop(visit);
    await page.goBack();
    await seen(page, /^4 of 1: over by 3/);
  });

  it('7: chooses the day after the end of an override, and sees that the organization is three users over its limit', async () => {
    const visit = await open(override, 'overview');
    const { page } = visit;
    await seen(page, '5 of 7');
    await expectStop(visit);
    await page.keyboard.press('v');
    await typed(page, '1 Jan 2099');
    await seen(page, '5 of 2 (now 7): over by 3');
    await seen(page, 'In force at Jan 1, 2099');
    await expectStop(visit);
    await page.goBack();
    await seen(page, '5 of 7');
  });
});
