import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../../support/pages/browser';
import { type BuiltService, startBuiltService } from '../../journeys/built-service';
import { times } from '../length';

/** The browser simulates slow 4G and a processor that is four times slower (`design.md` 10). */
const LATENCY_MS = 150;
const BYTES_PER_SECOND = 1_600_000 / 8;
const SLOWER = 4;
/** After a page has loaded, the test measures it for this time. */
const WATCHED_MS = 1_500;
const rounds = times(5, 15);

type Paint = Readonly<{ first: number; largest: number; shift: number; usable: number }>;

let service: BuiltService;
let browser: Browser;
let still: Server;
beforeAll(async () => {
  [service, browser] = await Promise.all([startBuiltService(), openBrowser()]);
  const page = await (await fetch(`${service.url}/login`)).text();
  still = await stillServer(await withoutScripts(page));
}, 300_000);
afterAll(async () => {
  await browser.close();
  await service.close();
  still.close();
});

/** The same page as one compressed static file that contains its styles and no scripts. */
async function withoutScripts(page: string): Promise<string> {
  const links = [...page.matchAll(/<link[^>]*rel="stylesheet"[^>]*href="([^"]+)"[^>]*>/g)];
  let still = page
    .replaceAll(/<script[^>]*>[^<]*<\/script>/g, '')
    .replaceAll(/<link[^>]*rel="modulepreload"[^>]*>/g, '');
  for (const [link, href] of links)
    still = still.replace(link, `<style>${await (await fetch(`${service.url}${href!}`)).text()}</style>`);
  return still;
}

async function stillServer(page: string): Promise<Server> {
  const body = gzipSync(page);
  const server = createServer((request, response) => {
    if (request.url !== '/login') return response.writeHead(204).end();
    return response
      .writeHead(200, {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Encoding': 'gzip',
        'Content-Length': body.length,
      })
      .end(body);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return server;
}

/** Measures one visit with an empty cache, in milliseconds since the navigation began. The layout shift has no unit. */
async function painted(url: string): Promise<Paint> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const chrome = await context.newCDPSession(page);
  await chrome.send('Network.enable');
  await chrome.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: BYTES_PER_SECOND,
    uploadThroughput: BYTES_PER_SECOND,
  });
  await chrome.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.addInitScript(watching);
  await page.goto(`${url}/login`);
  await page.waitForTimeout(WATCHED_MS);
  const seen = await page.evaluate<Paint>('window.painted');
  await context.close();
  return seen;
}

/** A script that records paints, layout shifts, and the first moment at which the button Log in is enabled. */
const watching = `
  window.painted = { first: 0, largest: 0, shift: 0, usable: 0 };
  const on = (type, note) => new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  on('paint', ({ name, startTime }) => { if (name === 'first-contentful-paint') painted.first = startTime; });
  on('largest-contentful-paint', ({ startTime }) => { painted.largest = startTime; });
  on('layout-shift', ({ value }) => { painted.shift += value; });
  const sample = () => {
    const button = document.querySelector('form [type=submit]');
    if (button && !button.disabled) painted.usable ||= performance.now();
    else requestAnimationFrame(sample);
  };
  requestAnimationFrame(sample);
`;

const median = (values: readonly number[]) => [...values].sort((one, other) => one - other)[values.length >> 1]!;

it('The first paint of the sign-in page takes at most 1.6 times as long as on a static page, and its layout does not shift', async () => {
  const stillUrl = `http://localhost:${(still.address() as AddressInfo).port}`;
  await painted(service.url);
  await painted(stillUrl);
  const ours: Paint[] = [];
  const theirs: Paint[] = [];
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await painted(service.url));
    theirs.push(await painted(stillUrl));
  }
  const of = (paints: readonly Paint[], what: keyof Paint) => median(paints.map((paint) => paint[what]));
  const figures = {
    first: of(ours, 'first'),
    firstOfStill: of(theirs, 'first'),
    ratio: median(ours.map(({ first }, round) => first / theirs[round]!.first)),
    largest: of(ours, 'largest'),
    usable: of(ours, 'usable'),
    load: readFileSync('/proc/loadavg', 'utf8').slice(0, 4),
  };
  process.stderr.write(`Paint, ${rounds} rounds: ${JSON.stringify(figures)}\n`);
  expect(figures.firstOfStill).toBeGreaterThan(LATENCY_MS);
  expect(figures.ratio).toBeLessThanOrEqual(1.6);
  expect(figures.largest).toBeLessThanOrEqual(1_800);
  expect(Math.max(...ours.map(({ shift }) => shift))).toBe(0);
});
