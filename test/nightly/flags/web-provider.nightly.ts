import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, BrowserContext } from 'playwright-core';
import { openFlagSite } from '../../openfeature/flag-page';
import { openBrowser } from '../../support/pages/browser';
import { founded } from '../../support/requests/organizations';
import { keyId, type Served, serving, settled, until } from '../../support/serving';
import { times } from '../length';
import { quantile } from '../timing/mann-whitney';
import { changeDelays, limitProgram, openFollowingPage } from './followed-changes';

// OpenFeature's own web provider in Chromium: many changes, and the minute after a ticket expires or a key is revoked

const HOUR = 60 * 60_000;
const MINUTE = 60_000;

let site: Awaited<ReturnType<typeof openFlagSite>>;
let served: Served;
let browser: Browser;
let context: BrowserContext;
let all: string;
beforeAll(async () => {
  site = await openFlagSite();
  const environment = { FLAGS_ORIGINS: site.origin, RATE_LIMITS: 'off' };
  [served, browser] = await Promise.all([serving({ environment }), openBrowser(true)]);
  all = await served.key();
}, 300_000);
beforeEach(async () => void (context = await browser.newContext()));
afterEach(() => context.close());
afterAll(async () => {
  await browser.close();
  await site.close();
  await served.close();
});

/** A page that follows a new organization with its own API key. */
async function follower() {
  const [id, key] = [await founded(served, { by: all }), await served.key({ scopes: ['flags:read'] })];
  await settled(served);
  site.program = limitProgram(served.url, key, id);
  return { id, key, ...(await openFollowingPage(context, site.origin)) };
}

// V4
it('OpenFeature’s web provider shows 99 % of many changes within half a second after their acknowledgement', async () => {
  const page = await follower();
  const changes = times(300, 1_000);
  const delays = await changeDelays(page, served, { key: all, id: page.id, changes });
  const [p50, p99] = [quantile(delays, 0.5), quantile(delays, 0.99)];
  console.info(`V4: p50 ${p50} ms, p99 ${p99} ms, slowest ${Math.max(...delays)} ms`);
  expect(delays).toHaveLength(changes);
  expect(p99).toBeLessThanOrEqual(500);
});

describe('V6: A page that follows its flags', () => {
  /** The answers within a minute after the first answer of this kind. */
  async function minuteAfter(answers: readonly string[], from: number, first: string) {
    await until(() => answers.slice(from).includes(first), 15_000);
    await pause(MINUTE);
    return answers.slice(answers.indexOf(first, from));
  }

  it('gets one 200, and sends at most three more requests, in the minute after its ticket expired in a sleeping browser', async () => {
    const { page, answers } = await follower();
    const cdp = await context.newCDPSession(page);
    await cdp.send('Page.setWebLifecycleState', { state: 'frozen' });
    const before = answers.length;
    served.clock.advance(2 * HOUR);
    await pause(10_000); // Charter has ended the stream
    await cdp.send('Page.setWebLifecycleState', { state: 'active' });
    const seen = await minuteAfter(answers, before, 'bulk 200');
    expect([seen.filter((answer) => answer === 'bulk 200'), seen.at(-1)]).toEqual([['bulk 200'], 'stream 200']);
    expect(seen.length - 1).toBeLessThanOrEqual(3);
  });

  it('gets one 200, and sends at most three more requests, in the minute after it opens with an answer that is 29 days old', async () => {
    const { page } = await follower();
    await page.close();
    served.clock.advance(29 * 24 * HOUR);
    const { answers } = await openFollowingPage(context, site.origin);
    const seen = await minuteAfter(answers, 0, 'bulk 200');
    expect(seen.filter((answer) => answer.endsWith(' 200')).toSorted()).toEqual(['bulk 200', 'stream 200']);
    expect(seen.length - 1).toBeLessThanOrEqual(3);
  });

  it('gets 401 within ten seconds after the revocation of its API key, and its provider waits longer after each 401', async () => {
    const { key, answers } = await follower();
    const before = answers.length;
    await served.charter.database.keys.revoke(await keyId(served, key), served.clock.now());
    await until(() => answers.slice(before).some((answer) => answer.endsWith(' 401')), 10_000);
    // the provider itself tries again after 1, 2, 4, … and finally 60 seconds
    await pause(MINUTE);
    const inMinute = answers.slice(before);
    expect(new Set(inMinute)).toEqual(new Set(['stream 401', 'bulk 401']));
    expect(inMinute.length).toBeLessThanOrEqual(8);
    const between = answers.length;
    await pause(MINUTE);
    expect(answers.length - between).toBeLessThanOrEqual(2);
  });
});
