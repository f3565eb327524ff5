import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { organizationStream } from '@charter/organization';
import { eventually } from '../../journeys/browser/eventually';
import { staged } from '../../journeys/browser/stage';
import { violationsOn } from '../../journeys/browser/violations';
import { tampered } from '../../support/stores/tampering';
import { founding, member, moreUsers, plan, record, site } from './recorded';
import { atRest, expectStop, PASSWORD, pointers, pressed, query, seen, signedIn, tabTo } from './stops';

const stage = staged();
const [OLGA, AUD] = ['olga@mill.example', 'aud@mill.example'];
const [mill, growing, corrected, broken] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
const at = (day: string) => `${day}T12:00:00.000Z`;

beforeAll(async () => {
  const { charter, settle } = stage.service;
  const [olga] = await Promise.all([
    settle({ email: OLGA, name: 'Olga Owner', password: PASSWORD }),
    settle({ email: AUD, password: PASSWORD, role: 'auditor' }),
  ]);
  const owner = member(olga, 'owner');
  await record(charter, mill, [
    founding({ name: 'Mill', at: at('2025-03-04') }),
    { command: plan('teams'), at: at('2025-03-05') },
    { command: [owner, moreUsers(5), member(), site('mill.example')], at: at('2025-03-06') }, // events #2 to #5
    { command: { type: 'RenameOrganization', data: { name: 'New Mill' } }, at: at('2025-03-07') }, // event #6
  ]);
  await record(charter, growing, [
    founding({ name: 'Growing', at: at('2025-03-04') }),
    { command: owner, at: at('2025-03-05') },
    ...(['2025-06-01', '2025-12-31', '2026-01-02', '2026-03-04'] as const).map((day, index) => ({
      command: plan(index % 2 === 0 ? 'teams' : 'solo'),
      at: at(day),
      by: 'billing' as const,
    })),
    { command: plan('teams'), at: at('2026-04-05') }, // event #6, not by billing
  ]);
  await record(charter, corrected, [
    founding({ name: 'Corrected', at: at('2026-02-01') }),
    { command: plan('teams'), at: at('2026-02-02') },
    { command: [owner, member(), member(), site('corrected.example')], at: at('2026-02-03') }, // events #2 to #5
    { command: moreUsers(1), at: at('2026-02-04') },
    { command: { type: 'RenameOrganization', data: { name: 'Correction' } }, at: at('2026-06-01') }, // event #7
    { command: plan('solo', at('2026-04-01')), at: at('2026-06-02'), by: 'billing' }, // event #8
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

describe('Journeys 8 to 10: a person at the keyboard', () => {
  it('8: filters the history, opens the same list in another browser by its link, and sees no row move when two events arrive', async () => {
    const visit = await open(growing, 'history');
    const { page } = visit;
    await seen(page, 'PlanAssigned');
    await page.keyboard.press('/');
    await page.keyboard.type('type:plan actor:billing after:2026-01-01');
    await page.keyboard.press('Enter');
    await eventually(async () => expect(await page.locator('tbody tr').count()).toBe(2)); // events #4 and #5
    await expectStop(visit);
    const { page: elsewhere } = await open(growing, `history${query(page)}`, AUD);
    await eventually(async () => expect(await elsewhere.locator('tbody tr').count()).toBe(2));

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
  });

  it('9: sees a warning and the service’s own answer, after the page has got a wrong number from `/steps`', async () => {
    const visit = await open(mill, 'overview');
    const { page } = visit;
    await seen(page, /^Now · #6/);
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
  });

  it('10: opens one event, sees what it changed and its hash, and copies a curl command that prints the same JSON', async () => {
    const visit = await open(mill, 'history');
    const { page, context } = visit;
    await seen(page, 'SiteAdded');
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
  });
});

describe('Journeys 11 and 13: a person at the keyboard', () => {
  it('11: chooses two events, compares them, and then compares the states in force at one moment', async () => {
    const visit = await open(corrected, 'history');
    const { page } = visit;
    await seen(page, 'PlanAssigned');
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
    await page.goBack();
    await seen(page, /In force at May 2, 2026/);
  });

  it('13: reads the same revision and reason from the server and from the browser after a change in the store; the overview still works', async () => {
    const { page, mayFail } = await open(broken, 'proof');
    tampered(
      stage.service.charter.events,
      "UPDATE events SET data = CAST(json_set(CAST(data AS TEXT), '$.plan', 'other') AS BLOB) WHERE revision = 2 AND stream = (SELECT id FROM streams WHERE name = ?)",
      organizationStream(broken),
    );
    mayFail(`/api/v1/organizations/${broken}/export`);
    const region = (name: string) => page.getByRole('region', { name });
    await pressed(page, page.getByRole('button', { name: 'Verify on the server' }));
    const reason = 'its content is not what was hashed.';
    await region('Chain of events').getByText(`The chain is broken at #2: ${reason}`).waitFor();
    await pressed(page, page.getByRole('button', { name: 'Verify in this browser' }));
    await region('Your browser').getByText(`Line 3, revision 2: ${reason}`).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    for (const key of ['g', 'o']) await page.keyboard.press(key);
    await page.getByRole('heading', { level: 1, name: 'Broken' }).waitFor();
    await seen(page, /^Now · #3/);
    await atRest(page);
    expect(await pointers(page)).toBe(0);
  });
});

type Steps = { steps: { entitlements: { path: string; value?: unknown }[] }[] };
const copied = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()');

describe('Journey 14: a person who checks a proof by keyboard alone', () => {
  it('14: verifies an export with a pasted key, and finds a changed byte of the saved file on /verify without a network', async () => {
    const visit = await open(mill, 'proof');
    const { page, context } = visit;
    const key = await (await fetch(`${stage.service.url}/.well-known/charter-checkpoint-key`)).text();
    await tabTo(page, page.getByLabel('Public key of the service, from elsewhere'));
    await page.keyboard.insertText(key.trim());
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space'); // chooses to save the file
    await pressed(page, page.getByRole('button', { name: 'Verify in this browser' }));
    await seen(page, 'Trusted: the key that you pasted has signed it.');
    const download = page.waitForEvent('download');
    await pressed(page, page.getByRole('link', { name: 'Save the export' }));
    const file = readFileSync(await (await download).path());
    await pressed(page, page.getByRole('link', { name: 'Check a saved file' }));
    await page.waitForURL('**/verify');
    await page.waitForLoadState('networkidle');

    await context.setOffline(true);
    await dropped(page, file.toString());
    await seen(page, /^7 events, each unchanged/);
    const altered = file.toString().replace('mill.example', 'mull.example');
    expect(altered).not.toBe(file.toString());
    await dropped(page, altered);
    await seen(page, 'Line 6, revision 5: its content is not what was hashed.');
    await context.setOffline(false);
    expect(await pointers(page)).toBe(0);
  });
});

/** Drops a file with this text on the page. */
const dropped = (page: Page, text: string) =>
  page.evaluate(`(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([${JSON.stringify(text)}], 'dropped.ndjson'));
    const target = document.querySelector('input[type=file]').parentElement;
    for (const type of ['dragover', 'drop'])
      target.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: transfer }));
  })()`);
