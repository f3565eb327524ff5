import { randomUUID } from 'node:crypto';
import { staged, type Visit } from '../../journeys/browser/stage';
import { atRest, PASSWORD, seen, signedIn } from '../../journeys/browser/stops';
import { times } from '../length';
import { quantile } from '../timing/mann-whitney';
import { slowDown } from './slow-device';
import { startBuiltService } from '../../journeys/built-service';
import { founding, member, moreUsers, plan, record, rename, site } from '../../journeys/recorded';

// The budgets of the console for the largest paint, the layout shift, the response to clicks and keys, and the time
// from a key press to the next page.
const LARGEST_PAINT_MS = 2_000;
const SHIFT = 0.02;
const RESPONSE_MS = 150;
const ROUTE_CHANGE_MS = 200;
const ATTEMPTS = 5;
const widths = [1280, 320] as const;

const stage = staged(startBuiltService, 'measures');
jest.setTimeout(600_000);
const [id, guest, place, longId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
const [OLGA, ANNA, NINA] = ['olga@vitals.example', 'anna@vitals.example', 'nina@vitals.example'] as const;

beforeAll(async () => {
  const { charter, settle } = stage.service;
  const olga = await settle({ email: OLGA, name: 'Olga Owner', password: PASSWORD });
  const anna = await settle({ email: ANNA, name: 'Anna Auditor', password: PASSWORD, role: 'auditor' });
  const nina = await settle({ email: NINA, name: 'Nina New', password: PASSWORD });
  expect(anna).not.toBe(olga);
  await record(charter, id, [
    founding({ name: 'Vitals' }),
    { command: plan('teams') },
    { command: moreUsers(3) },
    { command: [member(olga, 'owner'), member(guest), member(nina), site('vitals.example')] },
    { command: { type: 'AddSite', data: { site: place, hostname: 'shop.vitals.example' } } },
    ...Array.from({ length: 30 }, (_, index) => ({ command: rename(`Vitals ${index}`) })),
    { command: plan('solo') },
  ]);
  const longName = (number: number) =>
    `Association of the Independent Bakeries of the Northern Coast, Branch ${number}`;
  await record(charter, longId, [
    founding({ name: longName(0) }),
    { command: [member(olga, 'owner')] },
    ...Array.from({ length: 10 }, (_, index) => ({ command: rename(longName(index + 1)) })),
  ]);
}, 60_000);

/** The pages of an organization, each now and in the past. */
const views = [
  ...['overview', 'members', `members/${guest}`, 'sites', `sites/${place}`, 'domains', 'plan', 'settings', 'history']
    .concat('history/5', 'changes?path=/name', 'proof', 'readers', 'draft')
    .flatMap((one) => [one, `${one}${one.includes('?') ? '&' : '?'}asOf=9`]),
  'compare?from=3&to=30',
];

const LATE_MS = 1_000;
/** The requests of a page of an organization. In each run, the answers to the requests of one pattern are late. */
const lateAnswers = [
  /\/organizations\/[^/?]+$/,
  /\/organizations\/[^/?]+\?/,
  /\/entitlements$/,
  /\/entitlements\?/,
  /\/(standing|me)$/,
  /\/events\?/,
];

describe('A page of the console', () => {
  for (const width of widths) {
    it(`shifts by 0.02 at most while it loads on a slow device, at ${width} px`, async () => {
      expect(await shiftsOf(await opened(OLGA, width), width, views)).toEqual([]);
    });

    it(`shifts by 0.02 at most for an auditor, and for a member without the right to audit, at ${width} px`, async () => {
      for (const email of [ANNA, NINA])
        expect(await shiftsOf(await opened(email, width), width, ['overview', 'members', 'plan'])).toEqual([]);
    });

    it(`shifts by 0.02 at most if the organization has a long name and an answer arrives late, at ${width} px`, async () => {
      const visit = await opened(OLGA, width);
      const shifts: string[] = [];
      for (const view of ['overview', 'overview?asOf=9', 'overview?asOf=9&vs=8', 'draft'])
        for (const late of lateAnswers) {
          const { shift, moved } = await vitalsOf(visit, width, view, { organization: longId, late });
          if (shift > SHIFT) shifts.push(`${view}, late ${String(late)}: ${shift.toFixed(3)}: ${moved.join('; ')}`);
        }
      expect(shifts).toEqual([]);
    });

    it(`paints its largest part within 2 s if it is the overview, at ${width} px`, async () => {
      const visit = await opened(NINA, width);
      const paints: number[] = [];
      // Other work of the machine can only delay a paint.
      while (paints.length < ATTEMPTS && !paints.some((paint) => paint <= LARGEST_PAINT_MS))
        paints.push((await vitalsOf(visit, width, 'overview')).paint);
      console.info(JSON.stringify({ check: 'LCP', width, paints: paints.map(Math.round) }));
      expect(Math.min(...paints)).toBeLessThanOrEqual(LARGEST_PAINT_MS);
    });
  }

  it('answers clicks and keys within 150 ms', async () => {
    const slow = [];
    for (const width of widths) slow.push(...(await slowResponses(width)));
    expect(slow).toEqual([]);
  });

  it('shows the next page within 200 ms after the key press in 95 of 100 cases, except at the first visit', async () => {
    const { page } = await opened(OLGA, 1280);
    const took: number[] = [];
    for (let round = 0; round <= times(5, 20); round += 1)
      for (const [letter, heading] of pagesByKey) {
        await page.keyboard.press('g');
        await page.evaluate(`(${timingRoute})(${JSON.stringify(heading)})`);
        await page.keyboard.press(letter);
        const shown = await page.evaluate<number>('routeShown');
        if (round > 0) took.push(shown); // the first round loads the scripts
        await atRest(page);
      }
    const figures = {
      changes: took.length,
      p50: quantile(took, 0.5),
      p95: quantile(took, 0.95),
      longest: Math.max(...took),
    };
    console.info(JSON.stringify({ check: 'route change', ...figures }));
    expect(figures.p95).toBeLessThanOrEqual(ROUTE_CHANGE_MS);
  });
});

/**
 * Prepares the measurement of a route change: the promise `routeShown` resolves with the milliseconds from the next key
 * press to the paint of the complete page with this heading.
 */
const timingRoute = `(heading) => {
  window.routeShown = new Promise((resolve) => {
    addEventListener('keydown', () => {
      const began = performance.now();
      const isShown = () =>
        document.querySelector('main h1')?.textContent === heading &&
        document.querySelector('main :is([aria-busy=true], [data-waits])') === null;
      const check = () => isShown() ? resolve(performance.now() - began) : requestAnimationFrame(check);
      requestAnimationFrame(check);
    }, { once: true, capture: true });
  });
}`;

async function opened(email: string, width: number): Promise<Visit> {
  const visit = await signedIn(stage, email, `/org/${id}/overview`);
  await visit.page.setViewportSize({ width, height: 800 });
  await atRest(visit.page);
  return visit;
}

type Vitals = Readonly<{ paint: number; largest: string; shift: number; moved: readonly string[] }>;

/** Opens pages on a slow device. Returns the shifts that exceed the budget, in words. */
async function shiftsOf(visit: Visit, width: number, paths: readonly string[]): Promise<readonly string[]> {
  const shifts: string[] = [];
  for (const view of paths) {
    const { paint, largest, shift, moved } = await vitalsOf(visit, width, view);
    console.info(JSON.stringify({ check: 'vitals', width, view, paint: Math.round(paint), largest, shift, moved }));
    if (shift > SHIFT) shifts.push(`${view}, ${width} px: ${shift.toFixed(3)}: ${moved.join('; ')}`);
  }
  return shifts;
}

type Opening = Readonly<{
  /** The id of the organization whose page opens. */
  organization?: string;
  /** The requests whose answers the page gets a second later. All other answers arrive without a delay. */
  late?: RegExp;
}>;

async function vitalsOf({ context }: Visit, width: number, view: string, opening: Opening = {}): Promise<Vitals> {
  const { organization = id, late } = opening;
  const page = await context.newPage();
  await page.setViewportSize({ width, height: 800 });
  if (late)
    await page.route(late, async (route) => {
      await page.waitForTimeout(LATE_MS);
      await route.continue();
    });
  else await slowDown(page);
  await page.addInitScript(observing);
  await page.goto(`/org/${organization}/${view}`, { waitUntil: 'commit' });
  await atRest(page);
  await page.waitForTimeout(1_500); // the latest changes and the live updates appear after the rest of the page
  const vitals = await page.evaluate<Vitals>('vitals');
  await page.close();
  return vitals;
}

/**
 * Uses the main controls of each page with the keyboard and the mouse. Returns the visit's response to interactions in
 * words, if it exceeds the budget. As the standard defines it, the response is the longest time from an interaction to
 * the next paint, without one interaction of each 50.
 */
async function slowResponses(width: number): Promise<readonly string[]> {
  const { page } = await opened(OLGA, width);
  const observed = async () => {
    await page.waitForTimeout(300); // the browser reports an interaction after the next paint
    return page.evaluate<readonly Interaction[]>('interactions');
  };
  await page.evaluate(observingInteractions);
  await page.keyboard.press('Shift+W');
  await page.keyboard.press('t');
  await page.getByRole('slider').waitFor();
  await page.keyboard.type('#9');
  await page.keyboard.press('Enter');
  await seen(page, /^As recorded by #9, /);
  await page.keyboard.press('Escape'); // closes the bar, whose field had the focus
  for (const key of ['d', 'd', 'v', 'v', ']', '[', 'n']) await page.keyboard.press(key);
  await page
    .getByText(/^Now · /)
    .first()
    .waitFor({ state: 'attached' });
  for (const [letter, heading] of pagesByKey) {
    await page.keyboard.press('g');
    await page.keyboard.press(letter);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await atRest(page);
    const summaries = page.locator('main summary:visible');
    for (let index = 0; index < Math.min(3, await summaries.count()); index += 1) await summaries.nth(index).click();
    const search = page.locator('main input[type=search]:visible');
    if ((await search.count()) > 0) {
      await search.first().click();
      await page.keyboard.type('olga');
      for (let index = 0; index < 4; index += 1) await page.keyboard.press('Backspace');
      await page.evaluate('document.activeElement.blur()');
    }
  }
  await page.keyboard.press('Control+k');
  await page.keyboard.type('mem');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+.');
  await page.keyboard.press('Escape');
  const all = (await observed()).toSorted((a, b) => b.took - a.took);
  const count = await page.evaluate<number>('performance.interactionCount');
  const response = all[Math.floor(count / 50)]!;
  console.info(JSON.stringify({ check: 'INP', width, interactions: count, response, slowest: all.slice(0, 5) }));
  expect(count).toBeGreaterThan(30);
  return response.took > RESPONSE_MS ? [`${width} px: ${response.took} ms after ${response.by}`] : [];
}

type Interaction = Readonly<{ took: number; by: string }>;

/** The second key after `g`, and the heading of the page that both keys open. */
const pagesByKey = [
  ['m', 'Members'],
  ['s', 'Sites'],
  ['d', 'Domains'],
  ['p', 'Plan'],
  ['h', 'History'],
  ['r', 'Proof'],
  ['x', 'Settings'],
] as const;

/**
 * Records the largest paint in milliseconds, and the sum of the layout shifts without those after an input. Also
 * records which elements moved, with their place before and after.
 */
const observing = `(() => {
  window.vitals = { paint: 0, largest: '', shift: 0, moved: [] };
  const observe = (type, note) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  observe('largest-contentful-paint', ({ startTime, element }) => {
    vitals.paint = startTime;
    vitals.largest = element ? nameOf(element) : 'gone';
  });
  const boxOf = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ');
  const nameOf = (node) => node === null ? 'removed' : node.nodeType === 3 ? 'text ' + node.data
    : node.tagName.toLowerCase() + '.' + node.className + ' ' + (node.textContent ?? '').slice(0, 30);
  observe('layout-shift', ({ hadRecentInput, value, startTime, sources }) => {
    if (hadRecentInput) return;
    vitals.shift += value;
    const names = sources.map(({ node, previousRect, currentRect }) =>
      nameOf(node) + ' from ' + boxOf(previousRect) + ' to ' + boxOf(currentRect));
    vitals.moved.push(value.toFixed(3) + ' at ' + Math.round(startTime) + ' ms: ' + names.join(', '));
  });
})()`;

/** Records each click, tap and key press with the milliseconds from it to the next paint. */
const observingInteractions = `(() => {
  window.interactions = [];
  new PerformanceObserver((list) => {
    for (const { interactionId, duration, name, target } of list.getEntries())
      if (interactionId > 0) interactions.push({ took: duration, by: name + ' on ' + (target?.tagName ?? 'an element that is gone') + ' ' + location.pathname });
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });
})()`;
