import { createHash } from 'node:crypto';
import type { Page, Response } from 'playwright-core';
import { eventually } from '../../journeys/browser/eventually';
import { staged } from '../../journeys/browser/stage';
import { times as milliseconds } from '../length';
import { startBuiltService } from '../../journeys/built-service';
import { seed } from '../../projections/seed';
import { longHistory } from './long-history';
import {
  atRest,
  expectBack,
  expectStop,
  mainOf,
  PASSWORD,
  query,
  seen,
  signedIn,
  tabTo,
  typed,
} from '../../journeys/browser/stops';

// Journey 5 and the checks U3 and U4 of the console, over 50,000 events.
const EVENTS = 50_000;
/** The memory that a page may need after ten minutes of moving the slider; the shortened run takes a minute. */
const HEAP_MIB = 120;
const LAST = EVENTS - 1;
/** The number of events that one request may fetch. */
const BLOCK = 200;
/** The number of blocks of events that the page loads ahead of the slider. */
const AHEAD = 2;
/** The width of the slider's thumb in pixels. */
const THUMB = 24;
const STOPS = 20;
/** The number of moments in U3, so that five of them may be slower than its bound. */
const MOMENTS = 100;

const stage = staged(startBuiltService, 'measures');
jest.setTimeout(300_000);
const OLGA = 'olga@long.example';
let long: string;
let leaves: number;

beforeAll(async () => {
  const { charter, settle } = stage.service;
  const [owner, ben] = await Promise.all([
    settle({ email: OLGA, name: 'Olga Owner', password: PASSWORD }),
    settle({ email: 'ben@long.example', name: 'Ben Okafor', password: PASSWORD }),
  ]);
  const began = Date.now();
  ({ id: long, leaves } = await longHistory(charter, { events: EVENTS, owner, ben }));
  console.info(JSON.stringify({ recordedInMs: Date.now() - began }));
}, 600_000);

async function opened() {
  const visit = await signedIn(stage, OLGA, `/org/${long}/overview`);
  const { page } = visit;
  await seen(page, /^Now · #49,999/);
  await page.getByRole('region', { name: 'Latest changes' }).getByRole('listitem').first().waitFor();
  // the first page waits until the service has read the whole history once
  await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached', timeout: 60_000 });
  const answers: Response[] = [];
  page.on('response', (answer) => {
    if (new URL(answer.url()).pathname.startsWith('/api/')) answers.push(answer);
  });
  const refusals = () => answers.filter((answer) => answer.status() >= 400).map((answer) => answer.status());
  return { ...visit, answers, refusals, slider: page.getByRole('slider') };
}
const differs = (page: Page) => page.getByText(/^The service answered differently/).count();
const numberOf = (revision: number) => revision.toLocaleString('en');
const shows = (page: Page, revision: number) => seen(page, new RegExp(`^As recorded by #${numberOf(revision)}, `));
let drawn = 0;
/** A whole number from 0 to `below` - 1: the next one of the sequence that the seed begins. */
const random = (below: number) =>
  createHash('sha256')
    .update(`${seed} ${(drawn += 1)}`)
    .digest()
    .readUInt32BE() % below;
const p95 = (all: readonly number[]) => all.toSorted((a, b) => a - b)[Math.ceil(all.length * 0.95) - 1]!;
const rounded = (milliseconds: number) => Math.round(milliseconds * 10) / 10;

/**
 * Returns the y coordinate of the slider's thumb, and a function `at` that returns the x coordinate at a revision.
 */
async function placesOn(page: Page) {
  const { x, y, width, height } = (await page.getByRole('slider').boundingBox())!;
  const at = (revision: number) => x + THUMB / 2 + ((width - THUMB) * revision) / LAST;
  return { at, middle: y + height / 2 };
}

describe('A history of 50,000 events', () => {
  it('journey 5: can be seen from the first to the last event with Page Down, a typed number and the slider, without a refused request', async () => {
    const visit = await opened();
    const { page, answers, refusals, slider } = visit;
    await expectStop(visit);
    await page.keyboard.press('t');
    await tabTo(page, slider);
    await page.keyboard.press('Home');
    await shows(page, 0);
    await eventually(() => expect(query(page)).toBe('?asOf=0'));
    const before = answers.length;
    for (let press = 0; press < 120; press += 1) await page.keyboard.press('PageDown');
    await seen(page, /^Now · #49,999/);
    const byPageDown = answers.length - before;

    await page.keyboard.press('Escape');
    for (const revision of [0, 12_345, leaves, LAST - 1]) {
      await typed(page, `#${revision}`);
      await shows(page, revision);
      await eventually(() => expect(query(page)).toBe(`?asOf=${revision}`));
      await page.keyboard.press('Escape'); // closes the bar, so that the next key does not type into it
    }
    await expectStop(visit);
    await page.keyboard.press('t');
    const typedTo = answers.length;

    await slider.waitFor();
    const { at, middle } = await placesOn(page);
    await page.mouse.move(at(LAST), middle);
    await page.mouse.down();
    for (let step = 1; step <= 100; step += 1) await page.mouse.move(at(LAST - (LAST * step) / 100), middle);
    for (let step = 1; step <= 100; step += 1) await page.mouse.move(at((LAST * step) / 101), middle);
    await page.mouse.up();
    await eventually(() => expect(query(page)).toMatch(/^\?asOf=49[45]\d\d$/));
    await atRest(page);
    const byDragging = answers.length - typedTo;
    console.info(JSON.stringify({ byPageDown, byDragging, refusals: refusals() }));
    expect(byPageDown).toBeLessThanOrEqual(EVENTS / BLOCK);
    expect(byDragging).toBeLessThanOrEqual((2 * EVENTS) / BLOCK);
    expect(refusals()).toEqual([]);
    expect(await differs(page)).toBe(0);
    await expectBack(visit);
  });

  it('journey 5: looks the same at 20 random moments on the page with the moved slider and on a second page with the same address', async () => {
    const { page, context, refusals } = await opened();
    await page.keyboard.press('t');
    await page.getByRole('slider').waitFor();
    const fresh = await context.newPage();
    let place = LAST;
    for (let stop = 0; stop < STOPS; stop += 1) {
      const known = query(page);
      place = (place + 2_000 + random(LAST - 5_000)) % (LAST - 100); // a click on the thumb would not move the slider
      const { at, middle } = await placesOn(page); // a longer sentence above the slider moves the slider down
      await page.mouse.click(at(place), middle);
      for (let step = random(5); step > 0; step -= 1) await page.keyboard.press('ArrowRight');
      await eventually(() => expect(query(page)).not.toBe(known));
      await page.waitForTimeout(300);
      await shows(page, Number(query(page).replace('?asOf=', '')));
      expect(await differs(page)).toBe(0);
      await atRest(page);
      await fresh.goto(page.url());
      await eventually(async () => expect(await mainOf(fresh)).toBe(await mainOf(page)));
    }
    expect(refusals()).toEqual([]);
  });

  it('U3: is shown at a pasted event number after three key presses, within 300 ms in 95 of 100 cases', async () => {
    const { page } = await opened();
    const times: number[] = [];
    for (let time = 0; time < MOMENTS; time += 1) {
      const revision = random(LAST);
      await page.keyboard.press('t');
      await page.keyboard.insertText(`#${revision}`); // counts as one key press: Ctrl V
      await page.evaluate(`(${timing})(${JSON.stringify(numberOf(revision))})`);
      await page.keyboard.press('Enter');
      times.push(await page.evaluate<number>('settling'));
      await page.keyboard.press('Escape');
    }
    console.info(JSON.stringify({ check: 'U3', p95: rounded(p95(times)), most: rounded(Math.max(...times)) }));
    expect(p95(times)).toBeLessThanOrEqual(300);
  });

  it('U4: moves the slider for one or ten minutes in at most 16 ms for 95 of 100 steps; few requests are sent, none is refused, the memory stays small, and the page agrees with the service', async () => {
    const { page, answers, refusals } = await opened();
    await page.keyboard.press('t');
    await page.getByRole('slider').waitFor();
    await page.evaluate(measureSteps);
    const before = answers.length;
    const moves = await page.evaluate<number>(scrubbing(milliseconds(60_000, 600_000)));
    const requests = answers.length - before; // without the requests of the page at rest
    await eventually(() => expect(query(page)).toMatch(/asOf=/));
    await atRest(page);
    const steps = await page.evaluate<readonly Step[]>('steps');
    const heapMiB = await heapOf(page);
    const visited = steps.reduce((sum, { from, to }) => sum + Math.abs(to - from), 0);
    const figures = { visited, requests, refusals: refusals().length, differences: await differs(page) };
    const took = steps.map((step) => step.took);
    const shown = steps.filter(({ isShown }) => isShown).map((step) => step.took);
    const unnamed = steps.filter(({ isNamed }) => !isNamed).map(({ to }) => to);
    console.info(
      JSON.stringify({
        check: 'U4',
        moves,
        steps: steps.length,
        shown: shown.length,
        unnamed: unnamed.length,
        p50: rounded(took.toSorted((a, b) => a - b)[took.length >> 1]!),
        p95: rounded(p95(took)),
        p95Shown: rounded(p95(shown)),
        heapMiB: rounded(heapMiB),
        blockMs: rounded(p95(answers.slice(before).map((answer) => answer.request().timing().responseEnd))),
        ...figures,
      }),
    );
    expect(steps).toHaveLength(moves);
    expect(unnamed).toEqual([]); // the bar names the event of each step, also before the step's block has loaded
    expect(shown.length).toBeGreaterThan(steps.length / 2);
    expect(requests).toBeLessThanOrEqual(Math.ceil((visited + 1) / BLOCK) + AHEAD); // + 1: the first event
    expect(figures).toMatchObject({ refusals: 0, differences: 0 });
    expect(heapMiB).toBeLessThanOrEqual(HEAP_MIB);
    expect(p95(took)).toBeLessThanOrEqual(16);
    expect(p95(shown)).toBeLessThanOrEqual(16); // a step whose block has not loaded yet takes less time
  });

  it('scrolls through the history by wheel, by keyboard and by jumps without a long pause, with few requests, and without a refused request', async () => {
    const { page, answers, refusals } = await opened();
    await page.goto(`/org/${long}/history?order=oldest`);
    const grid = page.getByRole('grid');
    const row = (revision: number) => grid.getByText(`#${numberOf(revision)}`, { exact: true });
    await row(0).waitFor();
    await page.evaluate(measureFrames);
    const before = answers.length;
    await grid.hover();
    for (let turn = 0; turn < TURNS; turn += 1) await page.mouse.wheel(0, (EVENTS * ROW) / TURNS);
    await row(LAST).waitFor();
    await grid.locator('tbody tr').last().focus();
    const byWheel = await page.evaluate<Frames>(framesSoFar);
    await page.keyboard.press('Home');
    await row(0).waitFor();
    for (let press = 0; press < PAGE_DOWNS; press += 1) await page.keyboard.press('PageDown');
    await page.keyboard.press('End');
    await row(LAST).waitFor();
    const byKeyboard = await page.evaluate<Frames>(framesSoFar);
    for (let jump = 0; jump < STOPS; jump += 1) {
      const revision = random(LAST);
      await grid.evaluate((element, top) => element.parentElement!.scrollTo({ top }), revision * ROW);
      await row(revision).waitFor();
    }
    const byJumps = await page.evaluate<Frames>(framesSoFar);
    const requests = answers.length - before;
    console.info(JSON.stringify({ check: 'scrolling', byWheel, byKeyboard, byJumps, requests, refusals: refusals() }));
    expect(requests).toBeLessThanOrEqual(MAX_PAGES);
    expect(refusals()).toEqual([]);
    for (const { frames, longestTask } of [byWheel, byKeyboard, byJumps]) {
      expect(frames).toBeGreaterThan(0);
      expect(longestTask).toBeLessThanOrEqual(PAUSE_MS);
    }
  });
});

type Step = Readonly<{ from: number; to: number; took: number; isShown: boolean; isNamed: boolean }>;

/** The height of a row of the history list in pixels. */
const ROW = 56;
/** The number of turns of the wheel from the first to the last event. */
const TURNS = 500;
const PAGE_DOWNS = 200;
/**
 * The bound for requests while the list scrolls. The wheel and the keyboard pass each page of 100 events at most once.
 * A place at which the list rests needs at most three pages.
 */
const MAX_PAGES = (2 * EVENTS) / 100 + 3 * STOPS;
/** No task of the page may take longer while the list scrolls: the console's bound for INP. */
const PAUSE_MS = 150;

/** The frames of a page in a stretch of time, in milliseconds. */
type Frames = Readonly<{ frames: number; longestGap: number; longTasks: number; longestTask: number }>;

/** Measures the gaps between the frames of the page, and its tasks of at least 50 ms. */
const measureFrames = `(() => {
  window.gaps = [];
  window.tasks = [];
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask' });
  let last;
  const frame = (now) => {
    if (last !== undefined) gaps.push(now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})()`;
/** Returns the figures since the last call. */
const framesSoFar = `(() => {
  const [frames, long] = [gaps.splice(0), tasks.splice(0)];
  const most = (all) => Math.round(Math.max(0, ...all));
  return { frames: frames.length, longestGap: most(frames), longTasks: long.length, longestTask: most(long) };
})()`;

/**
 * Measures the milliseconds from the press of Enter until the time bar and the overview show the revision, and no
 * request is open.
 */
const timing = `(revision) => {
  window.settling = new Promise((resolve) => {
    let began;
    addEventListener('keydown', () => (began ??= performance.now()), { capture: true, once: true });
    const look = () => {
      const main = document.querySelector('main');
      const bar = document.querySelector('section[aria-label=Time]').innerText;
      const isSettled = began !== undefined && bar.includes('#' + revision) &&
        main.innerText.includes('revision ' + revision) && !main.querySelector('[aria-busy=true]');
      if (isSettled) resolve(performance.now() - began);
      else requestAnimationFrame(look);
    };
    look();
  });
}`;

/**
 * Moves the slider back by 14 events every 16 ms, from the last event through all 50,000 events, for `ms` milliseconds.
 * Resolves with the number of moves.
 */
const scrubbing = (ms: number) => `new Promise((resolve) => {
  const slider = document.querySelector('input[type=range]');
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
  const began = performance.now();
  let [place, moves] = [49999, 0];
  const move = () => {
    if (performance.now() - began > ${ms}) return resolve(moves);
    place = place > 14 ? place - 14 : 49999 - 14;
    set.call(slider, place);
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    moves += 1;
    setTimeout(move, 16);
  };
  move();
})`;

/**
 * Measures the milliseconds from each change of the slider until the page has rendered. `isNamed`: the time bar then
 * names the revision. `isShown`: the page then shows the revision, which it does after the revision's block has loaded.
 */
const measureSteps = `(() => {
  window.steps = [];
  let known = 49999;
  addEventListener('input', ({ target }) => {
    const [from, to, began] = [known, Number(target.value), performance.now()];
    known = to;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      const took = performance.now() - began;
      const name = to.toLocaleString('en');
      const isShown = document.querySelector('main').textContent.includes('revision ' + name);
      const bar = document.querySelector('section[aria-label=Time]');
      steps.push({ from, to, took, isShown, isNamed: bar.textContent.includes('#' + name) });
    };
    port2.postMessage(0);
  }, { capture: true });
})()`;

/** The memory of the page's objects after a garbage collection, in MiB. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 2 ** 20;
}
