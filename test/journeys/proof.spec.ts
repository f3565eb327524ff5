import { readFileSync } from 'node:fs';
import { organizationStream } from '@charter/organization';
import type { Page } from 'playwright-core';
import { tampered } from '../support/stores/tampering';
import { eventually } from './browser/eventually';
import { signIn } from './browser/page-actions';
import { staged } from './browser/stage';
import { violationsOn } from './browser/violations';

const stage = staged();
const PASSWORD = 'lighthouse marmalade seventeen';
const at = (name: string) => `${name}@bakery.example`;
const plans = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    type: 'AssignPlan' as const,
    data: { line: 'second' as const, plan: index % 2 ? 'solo' : 'teams' },
  }));
let owner: string;
let bakery: string;

beforeAll(async () => {
  const { service } = stage;
  const [olga, mia] = await Promise.all([
    service.settle({ email: at('olga'), name: 'Olga Owner', password: PASSWORD }),
    service.settle({ email: at('mia'), name: 'Mia Member', password: PASSWORD }),
  ]);
  owner = olga;
  bakery = await service.organization({
    name: 'Old Bakery',
    commands: [
      ...plans(3),
      { type: 'AddMember', data: { member: olga, role: 'owner' } },
      { type: 'AddMember', data: { member: mia, role: 'member' } },
    ],
  });
}, 60_000);

async function proofOf(id: string, name = 'olga') {
  const visit = await stage.visit(`/login?redirect=/org/${id}/proof`);
  await signIn(visit, at(name), PASSWORD);
  await visit.page.getByRole('heading', { level: 1, name: 'Proof' }).waitFor();
  return visit;
}
const region = (page: Page, name: string) => page.getByRole('region', { name });
const KEY = '/.well-known/charter-checkpoint-key';
const publishedKey = async () => (await (await fetch(`${stage.service.url}${KEY}`)).text()).trim();

describe('The proof page', () => {
  it('lets a person verify with the keyboard alone: on the server and, with a pasted key, in the browser', async () => {
    const { page } = await proofOf(bakery);
    const key = await publishedKey();
    await page.getByRole('button', { name: 'Verify on the server' }).first().press('Enter');
    await region(page, 'Chain of events')
      .getByText(/^6 events form one chain\./)
      .waitFor();
    await region(page, 'Answers equal a replay').getByText('Equal up to #5.').waitFor();

    await page.getByLabel('Public key of the service, from elsewhere').focus();
    await page.keyboard.insertText(key);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space'); // chooses to save the file
    await page.getByRole('button', { name: 'Verify in this browser' }).press('Enter');
    const own = region(page, 'Your browser');
    await own.getByText('6 events, each unchanged, and signed as a whole.').waitFor();
    await own.getByText('Trusted: the key that you pasted has signed it.').waitFor();

    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Save the export' }).press('Enter');
    const file = readFileSync(await (await download).path(), 'utf8');
    expect(file.trimEnd().split('\n')).toHaveLength(7);

    await page.keyboard.press('Control+.');
    const requests = page.getByRole('complementary', { name: 'Requests' });
    for (const path of [`/api/v1/organizations/${bakery}/verify`, `/api/v1/organizations/${bakery}/export`, KEY])
      await requests.getByText(path, { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    expect(await violationsOn(page)).toEqual([]);
  });

  it('recognizes the key at the next check, and warns in the headline if another key signed the export', async () => {
    const { page } = await proofOf(bakery);
    const own = region(page, 'Your browser');
    await page.getByRole('button', { name: 'Verify in this browser' }).click();
    await own.getByText(/^This device has not seen this key before/).waitFor();
    await page.getByRole('button', { name: 'Verify in this browser' }).click();
    await own.getByText(/^Signed with the key that this device has known since /).waitFor();
    await page.evaluate(`localStorage.setItem(
      'charter-checkpoint-key.service',
      JSON.stringify({ fingerprint: 'ff'.repeat(32), since: '2026-01-02T03:04:05.000Z' }),
    )`);
    await page.getByRole('button', { name: 'Verify in this browser' }).click();
    await own.getByText(/^This was not signed with the key that this device has known since Jan 2, 2026/).waitFor();
    await own.getByRole('button', { name: 'The operator confirmed the new key: remember it' }).click();
    await own.getByText(/^Signed with the key that this device has known since /).waitFor();
  });

  it('shows no proof to members, and is not in their navigation', async () => {
    const { page } = await proofOf(bakery, 'mia');
    await page.getByText('The history and its proof are for owners and administrators.').waitFor();
    expect(await page.getByRole('link', { name: 'Proof' }).count()).toBe(0);
  });

  it('names the same revision and reason on the server and in the browser when the chain is broken in the store', async () => {
    const { service } = stage;
    const id = await service.organization({
      name: 'Broken Bakery',
      commands: [...plans(4), { type: 'AddMember', data: { member: owner, role: 'owner' } }],
    });
    const visit = await proofOf(id);
    const { page, mayFail } = visit;
    tampered(
      service.charter.events,
      "UPDATE events SET data = CAST(json_set(CAST(data AS TEXT), '$.plan', 'other') AS BLOB) WHERE revision = 2 AND stream = (SELECT id FROM streams WHERE name = ?)",
      organizationStream(id),
    );
    mayFail(`/api/v1/organizations/${id}/export`);
    await page.getByRole('button', { name: 'Verify on the server' }).first().click();
    await region(page, 'Chain of events')
      .getByText('The chain is broken at #2: its content is not what was hashed.')
      .waitFor();
    await page.getByRole('button', { name: 'Verify in this browser' }).click();
    const own = region(page, 'Your browser');
    await own.getByText('Line 3, revision 2: its content is not what was hashed.').waitFor();
    expect(await own.getByRole('row').last().innerText()).toContain('PlanAssigned');
    expect(await violationsOn(page)).toEqual([]);

    await page.getByRole('link', { name: 'Overview' }).click();
    await eventually(() => page.getByRole('heading', { level: 1, name: 'Broken Bakery' }).waitFor());
  });
});
