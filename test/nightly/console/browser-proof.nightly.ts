import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { servePages } from '../../support/pages/built-pages';
import { staged } from '../../journeys/browser/stage';
import { inConsole } from '../../journeys/pages/page-state';
import { NORTHWIND, people } from '../../journeys/pages/samples';
import { sampleExport, sampleKey } from '../../journeys/pages/samples/proof';

// Measures how long the browser takes to check 50,000 events, on two cores.
const EVENTS = 50_000;
const stage = staged(servePages, 'measures');
let text: Buffer;
beforeAll(async () => {
  text = Buffer.from(await sampleExport(EVENTS));
}, 300_000);

/**
 * Records how soon after the first click the page shows the number of checked events. Also records how long each
 * click waits for the next frame.
 */
const watch = `(() => {
  window.measured = { first: 0, delay: 0 };
  let began;
  addEventListener('click', () => (began ??= performance.now()), { capture: true });
  new MutationObserver(() => {
    if (!measured.first && /^[1-9][\\d,]* of/.test(document.querySelector('progress + p')?.textContent ?? ''))
      measured.first = performance.now() - began;
  }).observe(document.body, { childList: true, subtree: true, characterData: true });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) measured.delay = Math.max(measured.delay, duration);
  }).observe({ type: 'event', durationThreshold: 16 });
})()`;
type Measured = Readonly<{ first: number; delay: number }>;

const secondsOf = async (page: Page) =>
  Number(/([\d.]+) s\./.exec(await page.getByText(/Checked in /).innerText())?.[1]);

describe('The check of 50,000 events in the browser', () => {
  it('takes at most 6 s in a worker while the page still reacts to input; Stop ends the check within 200 ms', async () => {
    stage.service.become(
      inConsole(people.ada, ({ path }) => (path.endsWith('/export') ? { status: 200, text } : undefined)),
    );
    const { page } = await stage.visit(`/org/${NORTHWIND}/proof`);
    await page.route('**/charter-checkpoint-key', (route) => route.fulfill({ body: sampleKey }));
    const start = page.getByRole('button', { name: 'Verify in this browser' });
    await start.waitFor();
    await page.evaluate(watch);
    await start.click();
    const keep = page.getByLabel('Keep the file, to save it afterwards');
    for (let click = 0; click < 5; click += 1) await keep.click();
    await page.getByText('50,000 events, each unchanged, and signed as a whole.').waitFor({ timeout: 60_000 });
    const { first, delay } = await page.evaluate<Measured>('measured');
    const seconds = await secondsOf(page);

    await start.click();
    await page.getByText(/^[1-9][\d,]* of/).waitFor();
    const stopped = await page.evaluate<number>(`new Promise((resolve) => {
      const began = performance.now();
      [...document.querySelectorAll('button')].find((one) => one.textContent === 'Stop').click();
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)));
    })`);
    await page.getByText('Stopped', { exact: true }).waitFor();
    console.info(JSON.stringify({ seconds, first, delay, stopped }));
    expect(seconds).toBeLessThanOrEqual(6);
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThanOrEqual(300);
    expect(delay).toBeLessThanOrEqual(150);
    expect(stopped).toBeLessThanOrEqual(200);
  });

  it('takes at most 6 s on the public page, which checks the file in slices so that it still reacts to input', async () => {
    const { page } = await stage.visit('/verify');
    await page.waitForLoadState('networkidle');
    const file = join(tmpdir(), `charter-proof-${process.pid}.ndjson`);
    writeFileSync(file, text);
    await page.evaluate(watch);
    await page.getByLabel('Exported file').setInputFiles(file);
    const field = page.getByLabel('Public key of the service, from elsewhere');
    for (let click = 0; click < 5; click += 1) await field.click();
    await page
      .getByText('50,000 events form one chain. The key below signed the whole chain.')
      .waitFor({ timeout: 60_000 });
    const { delay } = await page.evaluate<Measured>('measured');
    const seconds = await secondsOf(page);
    console.info(JSON.stringify({ seconds, delay }));
    expect(seconds).toBeLessThanOrEqual(6);
    expect(delay).toBeLessThanOrEqual(150);
  });
});

/** The longest line that the check reads, in bytes. */
const LINE_MAX = 64 * 1024 * 1024;
const filled = (length: number) => Buffer.alloc(length, 'x');

describe('The check of a huge hostile file on the public page', () => {
  it.each<[string, () => Promise<Buffer>, string]>([
    [
      'one line of more than 64 MB',
      () => Promise.resolve(filled(LINE_MAX + 1)),
      'Line 1: it is too long to be a line of an export.',
    ],
    [
      'JSON of 63 MB in one line',
      () => Promise.resolve(Buffer.concat([Buffer.from('{"a":"'), filled(63e6), Buffer.from('"}\n')])),
      'Line 1: it is no event of an export.',
    ],
    [
      'a public key of 60 MB',
      async () => {
        const [before = '', after = ''] = (await sampleExport(5)).split(/(?<="key":")charter/);
        return Buffer.concat([Buffer.from(before), filled(60e6), Buffer.from(after)]);
      },
      'The key is damaged: its 8 hex digits do not match its name and key.',
    ],
    [
      'a checkpoint that claims 10 million events',
      async () => Buffer.from((await sampleExport(5)).replace('\\n5\\n', '\\n10000000\\n')),
      'The signature of charter does not match this text.',
    ],
  ])('takes at most 10 s: %s', async (...[name, make, sentence]) => {
    const { page } = await stage.visit('/verify');
    await page.waitForLoadState('networkidle');
    const file = join(tmpdir(), `charter-hostile-${process.pid}.ndjson`);
    writeFileSync(file, await make());
    await page.getByLabel('Exported file').setInputFiles(file);
    await page.getByText(sentence).waitFor({ timeout: 60_000 });
    const seconds = await secondsOf(page);
    rmSync(file);
    console.info(JSON.stringify({ name, seconds }));
    expect(seconds).toBeLessThanOrEqual(10);
  });
});
