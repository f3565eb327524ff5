import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { eventually } from '../../journeys/browser/eventually';
import { staged } from '../../journeys/browser/stage';
import { startBuiltService } from '../../journeys/built-service';
import { shareOfDifferentPixels } from '../../support/pages/different-pixels';
import { founding, member, moreUsers, plan, record, site } from '../../journeys/recorded';
import { slowDown } from './slow-device';
import { atRest, mainOf, PASSWORD, pressed, query, seen, signedIn, tabTo } from '../../journeys/browser/stops';

// The checks U1 (time of the first answer), U7 (links to views) and U10 (announcements of the time bar) of the console.
const stage = staged(startBuiltService, 'measures');
jest.setTimeout(400_000);
const OLGA = 'olga@answer.example';
const [id, guest] = [randomUUID(), randomUUID()];

beforeAll(async () => {
  const { charter, settle } = stage.service;
  const olga = await settle({ email: OLGA, name: 'Olga Owner', password: PASSWORD });
  await record(charter, id, [
    founding({ name: 'Answer' }),
    { command: plan('solo') },
    { command: moreUsers(3) },
    { command: [member(olga, 'owner'), member(guest), site('answer.example')] }, // events #3 to #5
    { command: plan('teams') }, // event #6
    ...Array.from({ length: 60 }, (_, index) => ({
      command: { type: 'RenameOrganization', data: { name: `Answer ${index}` } } as const,
    })),
    { command: plan('solo') }, // event #67
  ]);
}, 60_000);

const open = (path: string) => signedIn(stage, OLGA, `/org/${id}/${path}`);

describe('The console', () => {
  it('U1: shows within 2.5 s on a slow device whether another user may join; one key press then shows the reasons', async () => {
    const { page: first, context } = await open('overview');
    await seen(first, '2 of 2');
    const page = await context.newPage();
    await slowDown(page);
    await page.addInitScript(answering);
    await page.addInitScript(countPresses);
    await page.goto(`/org/${id}/overview`, { waitUntil: 'commit' });
    const answered = await page.evaluate<number>('answered');
    expect(await presses(page)).toBe(0);
    await page.keyboard.press('Shift+W');
    await page.getByText('Hard limit of Pulse Solo: 2', { exact: true }).waitFor();
    console.info(JSON.stringify({ check: 'U1', answered: Math.round(answered), presses: await presses(page) }));
    expect(await presses(page)).toBe(1);
    expect(answered).toBeLessThanOrEqual(2_500);
  });

  it('U7: shows each of 40 views with at most 0.1 % other pixels when a fresh browser opens the link of the view', async () => {
    await signed();
    const { page } = await open('overview');
    const { page: fresh } = await open('overview');
    for (const one of [page, fresh]) await one.setViewportSize(HIGH);
    const moments = ['', 'asOf=7', `valid=${new Date().toISOString()}`];
    const views = [
      ...['overview', 'members', `members/${guest}`, 'sites', 'domains', 'plan', 'settings', 'history', 'history/5']
        .concat('changes?path=/name', 'proof')
        .flatMap((one) => moments.map((moment) => joined(one, moment))),
      ...['overview?asOf=40&vs=none', 'overview?asOf=7&why=users'],
      ...['members?role=owner', 'members?state=active#q=olga', 'history?type=PlanAssigned'],
      ...['plan?try=second/teams', 'compare?from=3&to=67'],
    ];
    const other: string[] = [];
    let most = 0;
    for (const view of views) {
      await page.evaluate(
        `history.pushState(null, '', '/org/${id}/${view}'); dispatchEvent(new PopStateEvent('popstate'));`,
      );
      await fresh.goto('about:blank'); // a change of the fragment alone would not open the link again
      await fresh.goto(`/org/${id}/${view}`);
      await atRest(page);
      await atRest(fresh);
      const isSame = eventually(async () => {
        expect(await mainOf(fresh)).toBe(await mainOf(page));
        const share = shareOfDifferentPixels(await pictureOf(fresh), await pictureOf(page));
        most = Math.max(most, share <= TOLERATED_SHARE ? share : 0);
        expect(share).toBeLessThanOrEqual(TOLERATED_SHARE);
      });
      await isSame.catch((error: unknown) => other.push(`${view}: ${String(error)}`));
    }
    console.info(JSON.stringify({ check: 'U7', views: views.length, other: other.length, greatestShare: most }));
    expect(views).toHaveLength(40);
    expect(other).toEqual([]);
  });

  it('U7: fails the comparison of pixels if the background of one heading changes', async () => {
    const { page } = await open('overview');
    await page.setViewportSize(HIGH);
    await seen(page, '2 of 2');
    await atRest(page);
    const before = await eventually(async () => {
      const picture = await pictureOf(page);
      expect(shareOfDifferentPixels(picture, await pictureOf(page))).toBe(0);
      return picture;
    });
    await page.evaluate("document.querySelector('main h1').style.background = 'black'");
    expect(shareOfDifferentPixels(before, await pictureOf(page))).toBeGreaterThan(TOLERATED_SHARE);
  });

  it('U10: announces nothing while a person moves the slider, and announces the moment once after the last move', async () => {
    const { page } = await open('overview?asOf=3');
    await seen(page, /^As recorded by #3, /);
    await page.keyboard.press('t');
    await tabTo(page, page.getByRole('slider'));
    await page.waitForTimeout(800); // waits longer than the pause before an announcement
    await page.evaluate(listening);
    for (let revision = 4; revision <= 60; revision += 1) await page.keyboard.press('ArrowRight');
    await eventually(() => expect(query(page)).toBe('?asOf=60'));
    await page.waitForTimeout(800);
    const moved = await announced(page);
    console.info(JSON.stringify({ check: 'U10', steps: 57, moved }));
    expect(moved.map((text) => /#\d+/.exec(text)?.[0])).toEqual(['#60']);
    await pressed(page, page.getByRole('button', { name: 'Back to now' }));
    await seen(page, /^Now · #67/);
  });
});

/** The maximum share of different pixels in two pictures of the same view, between 0 and 1. */
const TOLERATED_SHARE = 0.001;

/**
 * The size of a window that shows each view of U7 as a whole. Chromium resets the fonts that Playwright has set for a
 * page when it takes a picture of more than the window. The page keeps these other fonts until it loads a new document.
 */
const HIGH = { width: 1280, height: 6_000 };

/**
 * A screenshot of the main region down to its last element, because the empty rest of the region would lower the share
 * of different pixels. The picture hides the time at which the page asked the service. @throws if the window does not
 * show the whole region
 */
async function pictureOf(page: Page): Promise<Buffer> {
  await page.evaluate('document.activeElement.blur()'); // a link does not contain the focus, which has an outline
  const { x, y, width, height } = (await page.locator('main').boundingBox())!;
  if (y < 0 || y + height > HIGH.height) throw new Error('The window is too low for the main region.');
  const clip = { x, y, width, height: (await page.evaluate<number>(lowestPixel)) - y };
  return page.screenshot({ animations: 'disabled', caret: 'hide', clip, mask: [page.getByText(/^as of /)] });
}

/** The lower edge of the lowest element without children in the main region, in pixels from the top of the window. */
const lowestPixel = `Math.ceil(Math.max(
  ...[...document.querySelectorAll('main :not(:has(*))')].map((element) => element.getBoundingClientRect().bottom),
))`;

/**
 * Waits until the service has signed its first checkpoint, within a minute of its start. A page shows the newest
 * checkpoint that it has fetched, so two pages agree only if no checkpoint is signed between their requests.
 */
const signed = () =>
  eventually(async () => {
    const { status } = await fetch(`${stage.service.url}/.well-known/charter-checkpoint`);
    expect(status).toBe(200);
  }, 60_000);

const joined = (page: string, moment: string) =>
  moment === '' ? page : `${page}${page.includes('?') ? '&' : '?'}${moment}`;

/** Records when the limit and its reason are visible, in milliseconds from the request of the page. */
const answering = `window.answered = new Promise((resolve) => {
  const look = () => {
    const text = document.querySelector('main')?.innerText ?? '';
    if (text.includes('2 of 2') && text.includes('hard limit 2; so 2')) resolve(performance.now());
  };
  const changes = { attributes: true, characterData: true, childList: true, subtree: true };
  new MutationObserver(look).observe(document, changes); // a check at each frame would slow the page down
})`;

/** Counts the key presses, Tab among them. A modifier key counts together with the key that it modifies. */
const countPresses = `(() => {
  window.presses = 0;
  const count = ({ key }) => { if (!['Shift', 'Control', 'Alt', 'Meta'].includes(key)) window.presses += 1; };
  addEventListener('keydown', count, { capture: true });
})()`;
const presses = (page: Page) => page.evaluate<number>('presses');

/** Records each text that the time bar announces. */
const listening = `(() => {
  window.announced = [];
  const status = document.querySelector('section[aria-label=Time] > [role=status]');
  new MutationObserver(() => { if (status.textContent) announced.push(status.textContent); })
    .observe(status, { childList: true, characterData: true, subtree: true });
})()`;
const announced = (page: Page) => page.evaluate<readonly string[]>('announced');
