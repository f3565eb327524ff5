import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { eventually } from '../../journeys/browser/eventually';
import { staged } from '../../journeys/browser/stage';
import { atRest, PASSWORD, signedIn } from '../../journeys/browser/stops';
import { startBuiltService } from '../../journeys/built-service';
import { sampleExport } from '../../journeys/pages/samples/proof';
import { longHistory } from './long-history';

// The browser checks 50,000 events of a built service, on two cores.
const EVENTS = 50_000;
const CHECK_S = 6;
const FIRST_FIGURE_MS = 300;
const RESPONSE_MS = 150;
const STOP_MS = 200;
const STOPS = 5;
const VERIFIED = '50,000 events, each unchanged, and signed as a whole.';

const OLGA = 'olga@proof.example';
const stage = staged(startBuiltService, 'measures');
let id: string;
let file: string;
beforeAll(async () => {
  const { charter, settle } = stage.service;
  const [owner, ben] = await Promise.all([
    settle({ email: OLGA, name: 'Olga Owner', password: PASSWORD }),
    settle({ email: 'ben@proof.example', name: 'Ben Okafor', password: PASSWORD }),
  ]);
  ({ id } = await longHistory(charter, { events: EVENTS, owner, ben }));
  file = join(charter.data, 'long.ndjson');
  const { code, stderr } = await charter.run(['export', id, '--out', file]);
  expect({ code, stderr }).toEqual({ code: 0, stderr });
}, 600_000);

/**
 * Records how soon after the first click the page shows the number of checked events. Also records how long each click
 * and key press waits for the next frame, and each task that occupies the page for longer than 50 ms.
 */
const watch = `(() => {
  window.measured = { first: 0, responses: [], tasks: [] };
  let began;
  addEventListener('click', () => (began ??= performance.now()), { capture: true });
  new MutationObserver(() => {
    if (!measured.first && /^[1-9][\\d,]* of/.test(document.querySelector('progress + p')?.textContent ?? ''))
      measured.first = performance.now() - began;
  }).observe(document.body, { childList: true, subtree: true, characterData: true });
  const observe = (type, note, options) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, ...options });
  const note = (list) => (entry) => {
    if (entry.interactionId !== 0) list.push({ name: entry.name, at: entry.startTime - began, took: entry.duration });
  };
  observe('event', note(measured.responses), { durationThreshold: 16 });
  observe('longtask', note(measured.tasks));
})()`;
/** A response or a task. `at` is the time from the first click to its beginning. Both times are in milliseconds. */
type Timed = Readonly<{ name: string; at: number; took: number }>;
type Measured = Readonly<{ first: number; responses: readonly Timed[]; tasks: readonly Timed[] }>;

const secondsOf = async (page: Page) =>
  Number(/([\d.]+) s\./.exec(await page.getByText(/Checked in /).innerText())?.[1]);

/** Repeats an action until the page shows a text. Resolves with the number of repetitions. */
async function repeated(page: Page, act: () => Promise<unknown>, sentence: string): Promise<number> {
  let count = 0;
  for (; (await page.getByText(sentence).count()) === 0; count += 1) await act();
  return count;
}

/** Checks that the spec acted often enough, and that no response and no task took longer than `RESPONSE_MS`. */
async function expectQuickResponses(page: Page, actions: number): Promise<void> {
  await page.waitForTimeout(300); // the browser reports an interaction after the next paint
  const { responses, tasks } = await page.evaluate<Measured>('measured');
  const slowest = (all: readonly Timed[]) => all.toSorted((a, b) => b.took - a.took).slice(0, 5);
  console.info(JSON.stringify({ actions, responses: slowest(responses), tasks: slowest(tasks) }));
  expect(actions).toBeGreaterThanOrEqual(10);
  expect([...responses, ...tasks].filter(({ took }) => took > RESPONSE_MS)).toEqual([]);
}

async function openedProof() {
  const { page } = await signedIn(stage, OLGA, `/org/${id}/proof`);
  const start = page.getByRole('button', { name: 'Verify in this browser' });
  await start.waitFor();
  await page.getByText(/^Now · #49,999/).waitFor();
  await atRest(page);
  return { page, start, keep: page.getByLabel('Keep the file, to save it afterwards') };
}

describe('The check of 50,000 events in the browser', () => {
  it('takes at most 6 s in a worker, while the page answers clicks and keys within 150 ms', async () => {
    const { page, start, keep } = await openedProof();
    await page.evaluate(watch);
    await start.click();
    const act = async () => {
      await keep.click();
      await page.keyboard.press('Tab');
    };
    const actions = await repeated(page, act, VERIFIED);
    const { first } = await page.evaluate<Measured>('measured');
    const seconds = await secondsOf(page);
    console.info(JSON.stringify({ seconds, first }));
    await expectQuickResponses(page, actions);
    expect(seconds).toBeLessThanOrEqual(CHECK_S);
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThanOrEqual(FIRST_FIGURE_MS);
  });

  it('ends within 200 ms after each press of Stop: the page says so, and the worker is gone', async () => {
    const { page, start } = await openedProof();
    const closings: number[] = [];
    page.on('worker', (worker) => worker.on('close', () => closings.push(Date.now())));
    const took: number[] = [];
    for (let round = 0; round < STOPS; round += 1) {
      await start.click();
      await page.locator('progress + p', { hasText: /^[1-9][\d,]* of/ }).waitFor();
      await pause(round * 200); // presses Stop in different parts of the check
      await page.evaluate(observeStop);
      await page.getByRole('button', { name: 'Stop', exact: true }).click();
      const { pressed, shown } = await page.evaluate<Stopped>('stopped');
      await eventually(() => expect(closings).toHaveLength(round + 1));
      took.push(shown - pressed, closings.at(-1)! - pressed);
      expect(await page.locator('progress').count()).toBe(0);
    }
    console.info(JSON.stringify({ stopped: took.map(Math.round) }));
    expect(Math.max(...took)).toBeLessThanOrEqual(STOP_MS);
    await start.click(); // the page can begin again
    await page.getByText(VERIFIED).waitFor({ timeout: 60_000 });
  });

  it('takes at most 6 s on the public page, which checks the file in slices so that it still reacts to input', async () => {
    const { page } = await stage.visit('/verify');
    await page.waitForLoadState('networkidle');
    await page.evaluate(watch);
    await page.getByLabel('Exported file').setInputFiles(file);
    const field = page.getByLabel('Public key of the service, from elsewhere');
    const act = async () => {
      await field.click();
      await page.keyboard.press('Tab');
    };
    const actions = await repeated(page, act, '50,000 events form one chain. The key below signed the whole chain.');
    const seconds = await secondsOf(page);
    console.info(JSON.stringify({ seconds }));
    await expectQuickResponses(page, actions);
    expect(seconds).toBeLessThanOrEqual(CHECK_S);
  });
});

/** When the spec pressed Stop, and when the page showed that the check had ended: in milliseconds since 1970. */
type Stopped = Readonly<{ pressed: number; shown: number }>;

/** After the next press of a button, the promise `stopped` resolves when the page has painted the word `Stopped`. */
const observeStop = `(() => {
  window.stopped = new Promise((resolve) => {
    addEventListener('pointerdown', ({ timeStamp }) => {
      const pressed = performance.timeOrigin + timeStamp;
      const isShown = () => document.querySelector('main').innerText.includes('Stopped');
      const painted = () => setTimeout(() => resolve({ pressed, shown: performance.timeOrigin + performance.now() }));
      const check = () => (isShown() ? painted() : requestAnimationFrame(check));
      requestAnimationFrame(check);
    }, { once: true, capture: true });
  });
})()`;

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
