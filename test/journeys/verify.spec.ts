import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { staged } from './browser/stage';
import { violationsOn } from './browser/violations';

const stage = staged();
let file: string;
let key: string;
let lines: string[];

beforeAll(async () => {
  const { service } = stage;
  const id = await service.organization({
    name: 'Old Bakery',
    commands: ['teams', 'solo', 'teams', 'solo'].map((plan) => ({
      type: 'AssignPlan' as const,
      data: { line: 'second' as const, plan },
    })),
  });
  file = join(service.charter.data, 'bakery.ndjson');
  const { code, stderr } = await service.charter.run(['export', id, '--out', file]);
  if (code !== 0) throw new Error(stderr);
  lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  key = (await (await fetch(`${service.url}/.well-known/charter-checkpoint-key`)).text()).trim();
}, 60_000);

const altered = (name: string, text: string | Buffer) => {
  const path = join(stage.service.charter.data, name);
  writeFileSync(path, text);
  return path;
};
const joined = (all: readonly string[]) => `${all.join('\n')}\n`;
const choose = (page: Page, path: string) => page.getByLabel('Exported file').setInputFiles(path);

/** The checks that the public page and its copy in a single file must pass, both without a network. */
async function expectChecks(page: Page): Promise<void> {
  await choose(page, file);
  await page.getByText('Not yet trusted: this page does not know the key that signed the file.').waitFor();
  await page.getByLabel('Public key of the service, from elsewhere').fill(key);
  await page.getByText('Trusted: the key that you pasted has signed it.').waitFor();
  await page.getByText('5 events, each unchanged, and signed as a whole.').waitFor();

  const cases: readonly (readonly [string, string | Buffer, string])[] = [
    [
      'changed byte',
      joined(lines).replace('"plan":"solo"', '"plan":"sole"'),
      'Line 3, revision 2: its content is not what was hashed.',
    ],
    ['cut', joined(lines.slice(0, 4)), 'Line 5, revision 4: the checkpoint is missing: the file was cut off.'],
    ['binary', Buffer.alloc(100_000, 0xfe), 'Line 1: it does not end: the file was cut off.'],
    ['empty', '', 'The file is empty.'],
    [
      'reordered',
      joined([lines[0]!, lines[2]!, lines[1]!, ...lines.slice(3)]),
      'Line 2, revision 2: revision 1 is missing.',
    ],
  ];
  for (const [name, text, sentence] of cases) {
    await choose(page, altered(`${name}.ndjson`, text));
    await page.getByText(sentence).waitFor();
  }
  await choose(page, file); // the page keeps working
  await page.getByText('5 events, each unchanged, and signed as a whole.').waitFor();
}

describe('The public page that checks a file', () => {
  it('verifies a file without a network, and names the line and the revision of the first flaw in an altered file', async () => {
    const { page, context, requests } = await stage.visit('/verify');
    await page.getByRole('heading', { level: 1, name: 'Verify a history' }).waitFor();
    await page.waitForLoadState('networkidle');
    const before = requests.length;
    await context.setOffline(true);
    await expectChecks(page);
    expect(requests.slice(before).map((request) => request.url())).toEqual([]);
    await context.setOffline(false);
    expect(await violationsOn(page)).toEqual([]);
  });

  it('offers a copy of itself in a single file, which passes the same checks when a person opens it from a disk', async () => {
    const { page, context } = await stage.visit('/verify');
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Save the page as one file' }).press('Enter');
    const saved = await download;
    expect(saved.suggestedFilename()).toBe('charter-verify.html');
    const path = join(stage.service.charter.data, 'charter-verify.html');
    await saved.saveAs(path);
    await context.setOffline(true);
    await page.goto(pathToFileURL(path).href);
    await expectChecks(page);
    expect(await page.getByRole('link').count()).toBe(0);
    expect(await violationsOn(page)).toEqual([]);
    await context.setOffline(false);
  });

  it('checks a file that a person drops on it', async () => {
    const { page } = await stage.visit('/verify');
    const text = JSON.stringify(joined(lines));
    await page.getByText('Or drop the file here.').waitFor();
    await page.waitForLoadState('networkidle');
    await page.evaluate(`(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([${text}], 'dropped.ndjson'));
      const target = document.querySelector('input[type=file]').parentElement;
      for (const type of ['dragover', 'drop'])
        target.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: transfer }));
    })()`);
    await page.getByText('5 events form one chain. The key below signed the whole chain.').waitFor();
  });
});
