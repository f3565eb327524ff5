import { randomUUID } from 'node:crypto';
import { eventually } from '../../journeys/browser/eventually';
import { staged } from '../../journeys/browser/stage';
import { founding, historyOfQuay, member, moreUsers, plan, record } from '../../journeys/recorded';
import { expectBack, expectStop, PASSWORD, pressed, query, seen, signedIn, typed } from '../../journeys/browser/stops';

const stage = staged();
const OLGA = 'olga@bakery.example';
const [quay, override] = [randomUUID(), randomUUID()];

beforeAll(async () => {
  const { charter, settle } = stage.service;
  const olga = await settle({ email: OLGA, name: 'Olga Owner', password: PASSWORD });
  const owner = member(olga, 'owner');
  await record(charter, quay, historyOfQuay(owner));
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
  it('is at most 48 px high when closed and 200 px when open, and stays at the top of the window when a person scrolls', async () => {
    const { page } = await open(quay, 'members?asOf=5');
    await seen(page, /^As recorded by #5, /);
    // hides the explanation, which would add a line to the bar
    await page.evaluate("localStorage.setItem('charter-explained-questions', '3')");
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

describe('Journeys 3, 4 and 7: a person at the keyboard', () => {
  it('3: goes from Members to Sites to Plan at one moment, and sees this moment again after Back, Forward and a reload', async () => {
    const visit = await open(quay, 'members');
    const { page } = visit;
    await seen(page, /^Now · #12/);
    await typed(page, '#6');
    const shows = async (name: string, text: string | RegExp) => {
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await seen(page, text);
      await seen(page, /^As recorded by #6, Site added by /);
      expect(query(page)).toBe('?asOf=6');
    };
    await shows('Members', '3 (now 8) of 10');
    await expectStop(visit);
    await pressed(page, page.getByRole('navigation').getByRole('link', { name: 'Sites', exact: true }));
    await shows('Sites', 'quay.example');
    await expectStop(visit);
    await pressed(page, page.getByRole('navigation').getByRole('link', { name: 'Plan', exact: true }));
    await shows('Plan', 'User × 5');
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
    await expectStop(visit);
    await expectBack(visit); // the last page of this journey is Members
    await page.goForward();
    await shows('Sites', 'quay.example');
    await page.reload();
    await shows('Sites', 'quay.example');
    await page.goForward();
    await shows('Plan', 'User × 5');
    await page.keyboard.press('n');
    await seen(page, /^Now · #12/);
    await page.getByRole('heading', { level: 1, name: 'Plan' }).waitFor();
    expect(query(page)).toBe('');
  });

  it('reads that the address contains no valid moment, and goes to the founding of the organization', async () => {
    const { page } = await open(quay, 'overview?asOf=2026-02-30T00:00:00Z');
    await seen(page, 'The address contains no moment that exists.');
    await pressed(page, page.getByRole('button', { name: 'Go to the founding' }));
    await seen(page, /^As recorded by #0, Organization founded/);
  });

  it('4: moves on the page Members only between events about members; a status text for screen readers names each event', async () => {
    const visit = await open(quay, 'members');
    const { page } = visit;
    await seen(page, /^Now · #12/);
    await expectStop(visit);
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
    await expectBack(visit);
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
    await expectBack(visit);
    await seen(page, '5 of 7');
  });
});
