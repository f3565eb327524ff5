import type { Page, Response } from 'playwright-core';
import { eventually } from '../../journeys/browser/eventually';
import { staged } from '../../journeys/browser/stage';
import { startBuiltService } from '../../journeys/built-service';
import { longHistory } from './long-history';
import {
  atRest,
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
const LAST = EVENTS - 1;
/** The number of events that one request may fetch. */
const BLOCK = 200;
/** The number of blocks that the page loads ahead of the slider. */
const AHEAD = 2;
/** The width of the slider's thumb in pixels. */
const THUMB = 24;
const STOPS = 20;

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
const random = (below: number) => Math.floor(Math.random() * below);
const p95 = (all: readonly number[]) => all.toSorted((a, b) => a - b)[Math.ceil(all.length * 0.95) - 1]!;
const rounded = (milliseconds: number) => Math.round(milliseconds * 10) / 10;

/** A function that returns the coordinates of the slider's thumb at a revision. */
async function placesOn(page: Page) {
  const { x, y, width, height } = (await page.getByRole('slider').boundingBox())!;
  const at = (revision: number) => x + THUMB / 2 + ((width - THUMB) * revision) / LAST;
  return { at, middle: y + height / 2 };
}

describe('A history of 50,000 events', () => {
  it('journey 5: can be seen from the first to the last event with Page Down, a typed number and the slider; the service refuses no request', async () => {
    const visit = await opened();
    const { page, answers, refusals, slider } = visit;
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
      await page.keyboard.press('Escape'); // closes the bar, so that the next t is no text in its field
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
    await eventually(() => expect(query(page)).toMatch(/^\?asOf=49\d\d\d$/));
    await atRest(page);
    const byDragging = answers.length - typedTo;
    console.info(JSON.stringify({ byPageDown, byDragging, refusals: refusals() }));
    expect(byPageDown).toBeLessThanOrEqual(EVENTS / BLOCK);
    expect(byDragging).toBeLessThanOrEqual((2 * EVENTS) / BLOCK);
    expect(refusals()).toEqual([]);
    expect(await differs(page)).toBe(0);
  });

  it('journey 5: looks the same at 20 random moments on two pages: the page with the moved slider, and a second page with the same address', async () => {
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

  it('U3: is shown at a pasted moment after three key presses, within 300 ms', async () => {
    const { page } = await opened();
    const times: number[] = [];
    for (let time = 0; time < STOPS; time += 1) {
      const revision = random(LAST);
      await page.keyboard.press('t');
      await page.keyboard.insertText(`#${revision}`); // one press: Ctrl V
      await page.evaluate(`(${timing})(${JSON.stringify(numberOf(revision))})`);
      await page.keyboard.press('Enter');
      times.push(await page.evaluate<number>('settling'));
      await page.keyboard.press('Escape');
    }
    console.info(JSON.stringify({ check: 'U3', p95: rounded(p95(times)), times: times.map(rounded) }));
    expect(p95(times)).toBeLessThanOrEqual(300);
  });

  it('U4: stays responsive while the slider moves for 60 s; few requests are sent, none is refused, and the page agrees with the service', async () => {
    const { page, answers, refusals } = await opened();
    await page.keyboard.press('t');
    await page.getByRole('slider').waitFor();
    await page.evaluate(measureSteps);
    const before = answers.length;
    const moves = await page.evaluate<number>(scrubbing);
    const requests = answers.length - before; // without the requests of the page at rest
    await eventually(() => expect(query(page)).toMatch(/asOf=/));
    await atRest(page);
    const steps = await page.evaluate<readonly { from: number; to: number; took: number; shown: boolean }[]>('steps');
    const visited = steps.reduce((sum, { from, to }) => sum + Math.abs(to - from), 0);
    const figures = { visited, requests, refusals: refusals().length, differences: await differs(page) };
    const took = steps.filter(({ shown }) => shown).map((step) => step.took);
    console.info(
      JSON.stringify({
        check: 'U4',
        moves,
        steps: steps.length,
        shown: took.length,
        p50: rounded(took.toSorted((a, b) => a - b)[took.length >> 1]!),
        p95: rounded(p95(took)),
        blockMs: rounded(p95(answers.slice(before).map((answer) => answer.request().timing().responseEnd))),
        ...figures,
      }),
    );
    expect(took.length).toBeGreaterThan(steps.length / 2);
    expect(requests).toBeLessThanOrEqual(Math.ceil((visited + 1) / BLOCK) + AHEAD); // + 1: the first event
    expect(figures).toMatchObject({ refusals: 0, differences: 0 });
    expect(p95(took)).toBeLessThanOrEqual(16);
  });
});

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
 * For 60 s, moves the slider back by 14 events every 16 ms, from the last event through all 50,000 events. Resolves
 * with the number of moves.
 */
const scrubbing = `new Promise((resolve) => {
  const slider = document.querySelector('input[type=range]');
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
  const began = performance.now();
  let [place, moves] = [49999, 0];
  const move = () => {
    if (performance.now() - began > 60000) return resolve(moves);
    place = place > 14 ? place - 14 : 49999 - 14;
    set.call(slider, place);
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    moves += 1;
    setTimeout(move, 16);
  };
  move();
})`;

/**
 * Measures the milliseconds from each change of the slider until the page has rendered, and whether the page then shows
 * the new revision. A page shows a revision after its block has loaded.
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
      const shown = document.querySelector('main').textContent.includes('revision ' + to.toLocaleString('en'));
      steps.push({ from, to, took, shown });
    };
    port2.postMessage(0);
  }, { capture: true });
})()`;
