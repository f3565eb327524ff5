import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { organizationStream } from '@charter/organization';
import { eventually } from '../../journeys/browser/eventually';
import { staged } from '../../journeys/browser/stage';
import { violationsOn } from '../../journeys/browser/violations';
import { tampered } from '../../support/stores/tampering';
import { founding, member, moreUsers, noonOf, plan, record, site } from '../../journeys/recorded';
import { expectBack, expectStop, PASSWORD, pressed, query, seen, signedIn, tabTo } from '../../journeys/browser/stops';

const stage = staged();
const [OLGA, AUD] = ['olga@mill.example', 'aud@mill.example'];
const [mill, growing, broken] = [randomUUID(), randomUUID(), randomUUID()];

beforeAll(async () => {
  const { charter, settle } = stage.service;
  const [olga] = await Promise.all([
    settle({ email: OLGA, name: 'Olga Owner', password: PASSWORD }),
    settle({ email: AUD, password: PASSWORD, role: 'auditor' }),
  ]);
  const owner = member(olga, 'owner');
  await record(charter, mill, [
    founding({ name: 'Mill', at: noonOf('2025-03-04') }),
    { command: plan('teams'), at: noonOf('2025-03-05') },
    { command: [owner, moreUsers(5), member(), site('mill.example')], at: noonOf('2025-03-06') }, // events #2 to #5
    { command: { type: 'RenameOrganization', data: { name: 'New Mill' } }, at: noonOf('2025-03-07') }, // event #6
  ]);
  await record(charter, growing, [
    founding({ name: 'Growing', at: noonOf('2025-03-04') }),
    { command: owner, at: noonOf('2025-03-05') },
    ...(['2025-06-01', '2025-12-31', '2026-01-02', '2026-03-04'] as const).map((day, index) => ({
      command: plan(index % 2 === 0 ? 'teams' : 'solo'),
      at: noonOf(day),
      by: 'billing' as const,
    })),
    { command: plan('teams'), at: noonOf('2026-04-05') }, // event #6, not by billing
  ]);
  await record(charter, broken, [
    founding({ name: 'Broken' }),
    { command: [owner, plan('teams'), plan('solo')] }, // events #1 to #3
  ]);
}, 60_000);

const open = (id: string, page: string, email = OLGA) => signedIn(stage, email, `/org/${id}/${page}`);
const rows = (page: Page) =>
  page
    .locator('tbody tr')
    .evaluateAll((all) => all.map((row) => [row.textContent, JSON.stringify(row.getBoundingClientRect())]));
const listIn = (page: Page) => page.locator('tbody tr').allInnerTexts();

describe('Journeys 8 to 10: a person at the keyboard', () => {
  it('8: filters the history, opens the same list in another browser by its link, and sees no row move when two events arrive', async () => {
    const visit = await open(growing, 'history');
    const { page } = visit;
    await seen(page, 'PlanAssigned');
    await expectStop(visit);
    await page.keyboard.press('/');
    await page.keyboard.type('type:plan actor:billing after:2026-01-01');
    await page.keyboard.press('Enter');
    await eventually(async () => expect(await page.locator('tbody tr').count()).toBe(2)); // events #4 and #5
    await expectStop(visit);
    const { page: elsewhere } = await open(growing, `history${query(page)}`, AUD);
    await eventually(async () => expect(await listIn(elsewhere)).toEqual(await listIn(page)));

    const before = await rows(page);
    await record(stage.service.charter, growing, [
      { command: plan('solo'), by: 'billing' },
      { command: plan('teams'), by: 'billing' },
    ]);
    const more = page.getByRole('button', { name: '2 new events ↑' });
    await eventually(async () => expect(await more.count()).toBe(1), 40_000);
    expect(await rows(page)).toEqual(before);
    await pressed(page, more);
    await eventually(async () => expect(await page.locator('tbody tr').count()).toBe(4));
    await expectStop(visit);
    await expectBack(visit);
  });

  it('9: sees a warning and the correct number from the service if `/steps` sends the page a wrong number', async () => {
    const visit = await open(mill, 'overview');
    const { page } = visit;
    await seen(page, /^Now · #6/);
    await expectStop(visit);
    let changed = 0;
    await page.route('**/steps?*', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as Steps;
      for (const line of body.steps.flatMap(({ entitlements }) => entitlements))
        if (line.path === '/limits/users/used') {
          line.value = Number(line.value) + 40;
          changed += 1;
        }
      await route.fulfill({ response, json: body });
    });
    await page.keyboard.press('t');
    await page.getByRole('slider').waitFor();
    await tabTo(page, page.getByRole('slider'));
    await page.keyboard.press('Home');
    await seen(page, /^As recorded by #0, /);
    for (let revision = 1; revision <= 4; revision += 1) await page.keyboard.press('ArrowRight');
    await page.getByText(/^The service answered differently than this page computed\./).waitFor();
    await eventually(() => expect(query(page)).toBe('?asOf=4'));
    await seen(page, '2 of 10');
    expect(changed).toBeGreaterThan(0);
    await expectStop(visit);
    await expectBack(visit);
  });

  it('10: opens one event, sees its hash and the changed values, and copies a curl command that prints the same JSON', async () => {
    const visit = await open(mill, 'history');
    const { page, context } = visit;
    await seen(page, 'SiteAdded');
    await expectStop(visit);
    await tabTo(page, page.locator('tr[data-index="0"]'));
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Event #5' }).waitFor();
    await seen(page, 'computed here: the same');
    await page.locator('main ins', { hasText: 'mill.example' }).first().waitFor();
    const siblings = page.getByRole('region', { name: 'Other events of the same request' });
    await siblings.getByRole('listitem').nth(2).waitFor();
    expect(await siblings.getByRole('link').allInnerTexts()).toEqual(['#2', '#3', '#4']);
    await expectStop(visit);

    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.keyboard.press('Control+.');
    const request = page
      .getByRole('complementary', { name: 'Requests' })
      .getByRole('listitem')
      .filter({ hasText: /events\?.*from=5/ });
    await pressed(page, request.getByRole('button', { name: /curl/ }));
    await eventually(async () => expect(await copied(page)).toMatch(/^curl /));
    const line = await copied(page);
    const { answer } = await stage.service.charter.json('keys', 'create', '--name', 'copy', '--scopes', 'audit:read');
    const { stdout } = spawnSync('sh', ['-c', line], { env: { ...process.env, CHARTER_KEY: answer.key } });
    const printed = JSON.parse(stdout.toString()) as { events: readonly object[] };
    const shown = await page.locator('pre').textContent();
    expect(printed.events).toEqual([JSON.parse(shown ?? '')]);
    await page.keyboard.press('Escape');
    await expectBack(visit);
  });
});

describe('Journey 13: a person at the keyboard', () => {
  it('13: sees that server and browser find the same flaw in an event that was altered in the store, while the overview still works', async () => {
    const visit = await open(broken, 'proof');
    const { page, mayFail } = visit;
    const verify = (where: string) => pressed(page, page.getByRole('button', { name: `Verify ${where}` }));
    await page.getByRole('button', { name: 'Verify on the server' }).first().waitFor();
    await expectStop(visit);
    tampered(
      stage.service.charter.events,
      "UPDATE events SET data = CAST(json_set(CAST(data AS TEXT), '$.plan', 'other') AS BLOB) WHERE revision = 2 AND stream = (SELECT id FROM streams WHERE name = ?)",
      organizationStream(broken),
    );
    mayFail(`/api/v1/organizations/${broken}/export`);
    const region = (name: string) => page.getByRole('region', { name });
    await verify('on the server');
    const reason = 'its hash does not match its content.';
    await region('Chain of events').getByText(`The chain is broken at #2: ${reason}`).waitFor();
    await verify('in this browser');
    await region('Your browser').getByText(`Line 3, revision 2: ${reason}`).waitFor();
    expect(await region('Your browser').getByRole('row').last().innerText()).toContain('PlanAssigned');
    expect(await violationsOn(page)).toEqual([]);
    for (const key of ['g', 'o']) await page.keyboard.press(key);
    await page.getByRole('heading', { level: 1, name: 'Broken' }).waitFor();
    await seen(page, /^Now · #3/);
    await expectStop(visit);
    await expectBack(visit);
  });

  it('sees at the second check that this device knows the signing key, and a warning about an export with another key', async () => {
    const { page } = await open(mill, 'proof');
    const own = page.getByRole('region', { name: 'Your browser' });
    const verify = () => pressed(page, page.getByRole('button', { name: 'Verify in this browser' }));
    await verify();
    await own.getByText(/^This device has not seen this key before/).waitFor();
    await verify();
    await own.getByText(/^Signed with the key that this device has known since /).waitFor();
    await page.evaluate(`localStorage.setItem(
      'charter-checkpoint-key.service',
      JSON.stringify({ fingerprint: 'ff'.repeat(32), since: '2026-01-02T03:04:05.000Z' }),
    )`);
    await verify();
    await own.getByText(/^This was not signed with the key that this device has known since Jan 2, 2026/).waitFor();
    await pressed(page, own.getByRole('button', { name: 'The operator confirmed the new key: remember it' }));
    await own.getByText(/^Signed with the key that this device has known since /).waitFor();
  });
});

type Steps = { steps: { entitlements: { path: string; value?: unknown }[] }[] };
const copied = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()');
