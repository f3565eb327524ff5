import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { eventually } from './browser/eventually';
import { dropped } from './browser/page-actions';
import { staged } from './browser/stage';
import { atRest, mainOf, query, seen, signedIn } from './browser/stops';
import { violationsOn } from './browser/violations';
import { printedPerson, startDemo } from './demo-service';

const stage = staged(startDemo);
/** The last event of the Old Mill Bakery: a correction that took effect before the first site was added. */
const LAST = 9;
/** The width of the slider's thumb in pixels. */
const THUMB = 24;

/** Opens a path as the auditor of the demo, in a browser of its own. */
async function auditorAt(path: string) {
  await eventually(() => expect(stage.service.printed()).toContain(`Sign in at ${stage.service.url}`));
  const { email, password } = printedPerson(stage.service.printed(), /auditor/);
  return signedIn(stage, email, path, password);
}

/** Drags the thumb of the slider with the mouse from the present to this event. */
async function draggedTo(page: Page, revision: number): Promise<void> {
  const { x, y, width, height } = (await page.getByRole('slider').boundingBox())!;
  const at = (event: number) => x + THUMB / 2 + ((width - THUMB) * event) / LAST;
  await page.mouse.move(at(LAST), y + height / 2);
  await page.mouse.down();
  await page.mouse.move(at(revision), y + height / 2, { steps: 10 });
  await page.mouse.up();
}

const copied = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()');

/** Changes a byte in the line of an event. The first line of the file contains the event #0. */
function altered(file: string, revision: number): string {
  const lines = file.split('\n');
  const line = lines[revision]!.replace('bakery.example', 'bakerz.example');
  expect(line).not.toBe(lines[revision]);
  return lines.with(revision, line).join('\n');
}

describe('The auditor of the demo', () => {
  it('drags the slider to the first site of the bakery, shares the state in force, verifies the history, and finds an altered line of the export', async () => {
    const { page, context } = await auditorAt('/');
    await page.getByRole('link', { name: /Old Mill Bakery/ }).click();
    await seen(page, /^Now · #9/);
    await page.getByRole('button', { name: 'Look back' }).click();
    await page.getByText('Legend').waitFor();
    await draggedTo(page, 6);
    await seen(page, /^As recorded by #6, Site added by /);
    await eventually(() => expect(query(page)).toBe('?asOf=6'));
    await seen(page, '4 of 5 (now 1)');

    const users = page.locator('main li', { hasText: 'Users' });
    await users.locator('summary').first().click();
    const terms = page.locator('main details[open]', { hasText: '5 from Pulse Teams' });
    await terms.getByRole('link', { name: /^#2 / }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Event #2' }).waitFor();
    await seen(page, 'Plan Pulse Teams assigned');
    await page.goBack();
    await seen(page, '4 of 5 (now 1)');

    await page.getByText('In force', { exact: true }).click();
    await seen(page, /^4 of 1: over by 3/);
    await page.getByRole('button', { name: 'Copy link' }).waitFor();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await eventually(async () => expect(await copied(page)).toMatch(/[?&]valid=20\d\d-.*head=9\.[0-9a-f]{16}/));
    const link = new URL(await copied(page));
    const { page: other } = await auditorAt(link.pathname + link.search);
    await seen(other, 'This is the history with which the link was made.');
    await Promise.all([atRest(page), atRest(other)]);
    await eventually(async () => expect(await mainOf(other)).toBe(await mainOf(page)));
    expect(await mainOf(other)).toContain('4 of 1: over by 3');

    await page.getByRole('navigation').getByRole('link', { name: 'Proof' }).click();
    const key = await (await fetch(`${stage.service.url}/.well-known/charter-checkpoint-key`)).text();
    await page.getByLabel('Public key of the service, from elsewhere').fill(key.trim());
    await page.getByLabel('Keep the file, to save it afterwards').check();
    await page.getByRole('button', { name: 'Verify in this browser' }).click();
    await seen(page, '10 events, each unchanged, and signed as a whole.');
    await seen(page, 'Trusted: the key that you pasted has signed it.');
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Save the export' }).click();
    const file = readFileSync(await (await download).path(), 'utf8');

    await page.getByRole('link', { name: 'Check a saved file' }).click();
    await page.getByText('Or drop the file here.').waitFor();
    await page.waitForLoadState('networkidle');
    await dropped(page, 'bakery.ndjson', file);
    await seen(page, '10 events, each unchanged, and signed as a whole.');
    await dropped(page, 'altered.ndjson', altered(file, 6));
    await seen(page, 'Line 7, revision 6: its hash does not match its content.');
    expect(await violationsOn(page)).toEqual([]);
  });
});
