import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { smallerPng } from '../../support/pages/smaller-png';
import { eventually } from '../browser/eventually';
import { signIn } from '../browser/page-actions';
import { staged } from '../browser/stage';
import { atRest, seen, typed } from '../browser/stops';
import { printedPerson, startDemo } from '../demo-service';

// The pictures of the tour in README.md, which shows the demo.
const stage = staged(startDemo);
const folder = join(__dirname, '../../../screenshots');

async function savePicture(page: Page, name: string): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 900 });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.png`), smallerPng(await page.screenshot()));
}

it('Screenshots show Old Mill Bakery with the values in force at a past moment, its history, and an altered export on /verify', async () => {
  await eventually(() => expect(stage.service.printed()).toContain(`Sign in at ${stage.service.url}`), 60_000);
  const { email, password } = printedPerson(stage.service.printed(), /auditor/);
  const visit = await stage.visit('/');
  const { page } = visit;
  await signIn(visit, email, password);
  await page.getByRole('link', { name: /Old Mill Bakery/ }).click();
  await seen(page, /^Now · #9/);
  await typed(page, '#6');
  await seen(page, '4 of 5 (now 1)');
  await page.getByRole('radio', { name: 'Recorded' }).focus();
  await page.keyboard.press('ArrowRight');
  await seen(page, /^4 of 1: over by 3/);
  await atRest(page);
  await savePicture(page, 'tour-in-force');

  await page.goto(new URL(page.url()).pathname.replace('overview', 'history'));
  await seen(page, 'SiteAdded');
  await savePicture(page, 'tour-history');
  await page.goto(new URL(page.url()).pathname.replace('history', 'proof'));
  await page.getByLabel(/^Keep/).check();
  await page.getByRole('button', { name: 'Verify in this browser' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Save the export' }).click();
  const file = readFileSync(await (await download).path(), 'utf8');
  await page.goto('/verify');
  await page.waitForLoadState('networkidle');
  await page.getByLabel('Exported file').setInputFiles({
    ...{ name: 'bakery.ndjson', mimeType: 'application/x-ndjson' },
    buffer: Buffer.from(file.replace('"hostname":"bakery.example"', '"hostname":"bakers.example"')),
  });
  await seen(page, 'Line 7, revision 6: its hash does not match its content.');
  await savePicture(page, 'tour-verify');
});
