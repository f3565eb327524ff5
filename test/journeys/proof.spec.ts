import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { atNight } from '../support/at-night';
import { eventually } from './browser/eventually';
import { dropped } from './browser/page-actions';
import { staged } from './browser/stage';
import {
  atRest,
  expectBack,
  expectStop,
  PASSWORD,
  pointers,
  pressed,
  query,
  seen,
  signedIn,
  tabTo,
} from './browser/stops';
import { violationsOn } from './browser/violations';
import { member, organizationOnTeams, plan, record } from './recorded';

const stage = staged();
const [OLGA, MIA, OTTO] = ['olga@mill.example', 'mia@mill.example', 'otto@charter.example'];
let mill: string;

beforeAll(async () => {
  const { charter, settle } = stage.service;
  const [olga, mia] = await Promise.all([
    settle({ email: OLGA, name: 'Olga Owner', password: PASSWORD }),
    settle({ email: MIA, name: 'Mia Member', password: PASSWORD }),
    settle({ email: OTTO, name: 'Otto Operator', password: PASSWORD, role: 'operator' }),
  ]);
  mill = await organizationOnTeams(charter, olga, member(mia), plan('solo'), plan('teams')); // events #0 to #5
}, 60_000);

const open = (page: string, email = OLGA) => signedIn(stage, email, `/org/${mill}/${page}`);
const region = (page: Page, name: string) => page.getByRole('region', { name });
const KEY = '/.well-known/charter-checkpoint-key';
const publishedKey = async () => (await (await fetch(`${stage.service.url}${KEY}`)).text()).trim();

/** Writes a file with this text into the data folder of the service, and returns its path. */
function written(name: string, text: string | Buffer): string {
  const path = join(stage.service.charter.data, name);
  writeFileSync(path, text);
  return path;
}
const isFocused = (element: { ownerDocument: { activeElement: unknown } }) =>
  element === element.ownerDocument.activeElement;
const joined = (all: readonly string[]) => `${all.join('\n')}\n`;

/** Moves the focus to the field for files with Tab, and chooses this file. */
async function chosenByKeyboard(page: Page, path: string): Promise<void> {
  const field = page.getByLabel('Exported file');
  await eventually(async () => expect(await field.isEnabled()).toBe(true));
  await tabTo(page, field);
  await field.setInputFiles(path); // the dialog of the system, which the space bar opens, is not part of the page
}

describe('Journeys 14 and 16: a person at the keyboard', () => {
  it('14: verifies the history on the server and, with a pasted key, in the browser; finds a changed byte of the saved file on /verify without a network', async () => {
    const visit = await open('proof');
    const { page, context, requests } = visit;
    await page.getByRole('button', { name: 'Verify on the server' }).first().waitFor();
    await expectStop(visit);
    await pressed(page, page.getByRole('button', { name: 'Verify on the server' }));
    await region(page, 'Chain of events')
      .getByText(/^6 events form one chain\./)
      .waitFor();
    await region(page, 'Answers equal a replay').getByText('Equal up to #5.').waitFor();

    await tabTo(page, page.getByLabel('Public key of the service, from elsewhere'));
    await page.keyboard.insertText(await publishedKey());
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space'); // chooses to save the file
    await pressed(page, page.getByRole('button', { name: 'Verify in this browser' }));
    const own = region(page, 'Your browser');
    await own.getByText('6 events, each unchanged, and signed as a whole.').waitFor();
    await own.getByText('Trusted: the key that you pasted has signed it.').waitFor();
    expect(await violationsOn(page)).toEqual([]);
    const download = page.waitForEvent('download');
    await pressed(page, page.getByRole('link', { name: 'Save the export' }));
    const file = readFileSync(await (await download).path(), 'utf8');
    expect(file.trimEnd().split('\n')).toHaveLength(7);

    await page.keyboard.press('Control+.');
    const drawer = page.getByRole('complementary', { name: 'Requests' });
    for (const path of [`/api/v1/organizations/${mill}/verify`, `/api/v1/organizations/${mill}/export`, KEY])
      await drawer.getByText(path, { exact: true }).waitFor();
    await page.keyboard.press('Escape');

    await pressed(page, page.getByRole('link', { name: 'Check a saved file' }));
    await page.waitForURL('**/verify');
    await page.waitForLoadState('networkidle');
    await expectStop(visit);
    const before = requests.length;
    await context.setOffline(true);
    await chosenByKeyboard(page, written('saved.ndjson', file));
    // the browser has stored the key on this device
    await seen(page, '6 events, each unchanged, and signed as a whole.');
    const altered = file.replace('"plan":"solo"', '"plan":"sole"');
    expect(altered).not.toBe(file);
    await chosenByKeyboard(page, written('altered.ndjson', altered));
    await seen(page, 'Line 5, revision 4: its hash does not match its content.');
    expect(requests.slice(before).map((request) => request.url())).toEqual([]);
    expect(await violationsOn(page)).toEqual([]);
    await context.setOffline(false);
    expect(await pointers(page)).toBe(0);
    await expectBack(visit);
  });

  it('requests the published key again for each check in the browser, so a second check can trust the key', async () => {
    const { page } = await open('proof');
    const verify = () => pressed(page, page.getByRole('button', { name: 'Verify in this browser' }));
    await page.route(`**${KEY}`, (route) => route.fulfill({ body: '' }));
    await verify();
    await seen(page, 'Not yet trusted: this page does not know the key that signed the file.');
    await page.unroute(`**${KEY}`);
    await verify();
    await seen(page, /^This device has not seen this key before, and stores it now\./);
  });

  it('the browser accepts neither the export of another organization nor an export that ends before the shown event', async () => {
    const { charter, settle } = stage.service;
    const owner = await settle({ email: 'orla@quay.example', name: 'Orla Owner', password: PASSWORD });
    const quay = await organizationOnTeams(charter, owner, plan('solo'));
    const { page } = await signedIn(stage, 'orla@quay.example', `/org/${quay}/proof`);
    const exportOf = async (id: string) => {
      const path = join(charter.data, `${id}.ndjson`);
      await charter.run(['export', id, '--out', path]);
      return readFileSync(path, 'utf8');
    };
    const [theirs, old] = [await exportOf(mill), await exportOf(quay)];
    const own = region(page, 'Your browser');
    const verify = async (body?: string) => {
      await page.unroute('**/export');
      if (body !== undefined) await page.route('**/export', (route) => route.fulfill({ body }));
      await pressed(page, own.getByRole('button', { name: 'Verify in this browser' }));
    };
    await verify(theirs);
    await own
      .getByText(`Line 1, revision 0: it belongs to organization-${mill}, not to organization-${quay}.`)
      .waitFor();
    await own.getByText('Broken', { exact: true }).waitFor();

    await record(charter, quay, [{ command: plan('teams') }]);
    await page.reload();
    await verify(old);
    await own.getByText('The export ends with #3, but this page shows #4.').waitFor();
    await own.getByText('Incomplete', { exact: true }).waitFor();
    await verify();
    await own.getByText('5 events, each unchanged, and signed as a whole.').waitFor();
  });

  it('if the last event was deleted, the service refuses the export, and the browser reports the history as not signed', async () => {
    const { page } = await open('proof');
    const refusal = { type: '/problems/broken-chain', at: 5, why: 'its event is missing' };
    await page.route('**/export', (route) => route.fulfill({ status: 500, json: refusal }));
    await page.route('**/events', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: joined((await response.text()).trimEnd().split('\n').slice(0, -1)) });
    });
    const own = region(page, 'Your browser');
    await pressed(page, own.getByRole('button', { name: 'Verify in this browser' }));
    await own
      .getByText(/^The server signs no export, because the history is broken at #5: its event is missing\./)
      .waitFor();
    await own.getByText('5 events, each unchanged. They have no signature.').waitFor();
    await own.getByText('Not signed', { exact: true }).waitFor();
  });

  atNight(() => {
    it("16: an owner sees within a minute that an operator exported the history, but not the operator's name; a member gets no list of readers", async () => {
      const { page: operator } = await open('proof', OTTO);
      await pressed(operator, operator.getByRole('button', { name: 'Verify in this browser' }));
      await seen(operator, /^6 events, each unchanged/);
      const readAt = Date.now();

      const visit = await open('proof');
      const { page, context } = visit;
      await expectStop(visit);
      await pressed(page, page.getByRole('link', { name: 'Readers of this history' }));
      const readers = async (one: Page) => {
        await one.getByRole('heading', { level: 1, name: 'Readers' }).waitFor();
        await one.getByRole('gridcell').or(one.getByText('No reads yet.')).first().waitFor();
        await atRest(one);
      };
      const exported = (one: Page) => one.getByRole('row', { name: /Operator exported$/ });
      await readers(page);
      while ((await exported(page).count()) === 0) {
        if (Date.now() - readAt > 60_000) throw new Error('The list does not show the export after a minute.');
        await page.waitForTimeout(500);
        await page.reload();
        await readers(page);
      }
      expect(await page.getByText('Otto Operator').count()).toBe(0);
      expect(await violationsOn(page)).toEqual([]);
      // The visits of this test also become rows in the list of readers, so a second page may show more rows.
      const again = await context.newPage();
      await again.goto(page.url());
      await exported(again).waitFor();
      await again.close();

      const rows = page.locator('tbody tr');
      await tabTo(page, rows.first());
      await page.keyboard.press('End');
      await eventually(async () => expect(await rows.last().evaluate(isFocused)).toBe(true));
      await page.keyboard.press('/');
      await eventually(async () => expect(await page.getByLabel('Day (UTC)').evaluate(isFocused)).toBe(true));
      await page.keyboard.type('01022020');
      await page.keyboard.press('Enter');
      await seen(page, 'No reads on that day.');
      expect(new URLSearchParams(query(page)).get('from')).toBe('2020-01-02T00:00:00.000Z');
      await expectStop(visit);
      await expectBack(visit);

      await operator.goto(`/org/${mill}/readers`);
      await operator.getByRole('row', { name: /Otto Operator · Operator exported$/ }).waitFor();
      expect(await violationsOn(operator)).toEqual([]);
      expect(await pointers(operator)).toBe(0);

      const membersVisit = await open('readers', MIA);
      const { page: members } = membersVisit;
      await seen(members, 'The list of readers is for owners of the organization, operators and auditors.');
      expect(await members.getByRole('link', { name: /Readers|Proof/ }).count()).toBe(0);
      await expectStop(membersVisit);
    });
  });
});

describe('The public page that checks a file', () => {
  it('checks a dropped file, checks chosen and altered files without a network, and offers a copy of the page that works from a disk', async () => {
    const path = join(stage.service.charter.data, 'mill.ndjson');
    const { code, stderr } = await stage.service.charter.run(['export', mill, '--out', path]);
    expect({ code, stderr }).toEqual({ code: 0, stderr });
    const text = readFileSync(path, 'utf8');
    const { page, context, requests } = await stage.visit('/verify');
    await page.getByText('Or drop the file here.').waitFor();
    await page.waitForLoadState('networkidle');
    await dropped(page, 'dropped.ndjson', text);
    await seen(page, '6 events form one chain. The key below signed the whole chain.');
    expect(await page.getByLabel('Exported file').inputValue()).toMatch(/dropped\.ndjson$/);
    const before = requests.length;
    await context.setOffline(true);
    await expectChecks(page, path);
    expect(requests.slice(before).map((request) => request.url())).toEqual([]);
    await context.setOffline(false);

    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Save the page as one file' }).press('Enter');
    const saved = await download;
    expect(saved.suggestedFilename()).toBe('charter-verify.html');
    const copy = join(stage.service.charter.data, 'charter-verify.html');
    await saved.saveAs(copy);
    await context.setOffline(true);
    await page.goto(pathToFileURL(copy).href);
    await expectChecks(page, path);
    expect(await page.getByRole('link').count()).toBe(0);
    expect(await violationsOn(page)).toEqual([]);
    await context.setOffline(false);
  });
});

/** Checks that a page without a network verifies this export, and names the first flaw of each altered copy. */
async function expectChecks(page: Page, path: string): Promise<void> {
  const choose = (file: string) => page.getByLabel('Exported file').setInputFiles(file);
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  await choose(path);
  await seen(page, 'Not yet trusted: this page does not know the key that signed the file.');
  await page.getByLabel('Public key of the service, from elsewhere').fill(await publishedKey());
  await seen(page, 'Trusted: the key that you pasted has signed it.');
  await seen(page, '6 events, each unchanged, and signed as a whole.');

  const cases: readonly (readonly [string, string | Buffer, string])[] = [
    [
      'changed byte',
      joined(lines).replace('"plan":"solo"', '"plan":"sole"'),
      'Line 5, revision 4: its hash does not match its content.',
    ],
    ['cut', joined(lines.slice(0, 5)), 'Line 6, revision 5: the checkpoint is missing: the file was cut off.'],
    ['binary', Buffer.alloc(100_000, 0xfe), 'Line 1: it does not end: the file was cut off.'],
    ['empty', '', 'The file is empty.'],
    [
      'reordered',
      joined([lines[0]!, lines[2]!, lines[1]!, ...lines.slice(3)]),
      'Line 2, revision 2: revision 1 is missing.',
    ],
  ];
  for (const [name, text, sentence] of cases) {
    await choose(written(`${name}.ndjson`, text));
    await seen(page, sentence);
  }
  await choose(path); // the page still checks a file without a network
  await seen(page, '6 events, each unchanged, and signed as a whole.');
}
