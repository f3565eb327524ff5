import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { meetingPlaces } from '../../crash/callers';
import { counted, operationsOf, goodput, isDone, isPutOff, type Load, load, took, type Wish } from './arrival-load';
import { embedded, type Deployment } from './deployments';
import { times } from '../length';
import { median } from '../timing/mann-whitney';

const MIB = 1024;
let ground: Deployment;
/**
 * The number of requests that the service answers in a second if each caller waits for an answer before its next
 * request. The number is the lowest of three measurements.
 */
let capacity: number;
const loads: Load[] = [];

/** Puts a load on `count` new organizations. */
async function put(wish: Pick<Wish, 'seconds' | 'rate' | 'callers' | 'standing'>, count = 200): Promise<Load> {
  const { urls, key } = ground;
  const done = await load({ urls, key, places: await meetingPlaces({ url: urls[0]!, key }, count), ...wish });
  loads.push(done);
  return done;
}
const say = (text: string) => process.stdout.write(`${text}\n`);

beforeAll(async () => {
  ground = await embedded();
  await put({ seconds: 3, callers: 64 }); // warms up before the measurement
  const measured = [];
  for (let round = 0; round < 3; round += 1) measured.push(goodput(await put({ seconds: times(2, 30), callers: 64 })));
  capacity = Math.min(...measured);
  say(`capacity ${Math.round(capacity)}/s`);
}, 300_000);
afterAll(() => ground.end());

it('Q1: At 80 % of its capacity, the service answers quickly, and its read model has only a small lag', async () => {
  const watch = watching();
  const steady = await put({ seconds: times(12, 1_800), rate: 0.8 * capacity });
  const { slope, lag } = watch.stop();
  const failed = steady.requests.filter((one) => !isDone(one)).length + steady.unsent;
  const p99 = took(steady.requests, 0.99);
  say(
    `Q1: ${JSON.stringify(counted(steady))}, p99 ${p99.toFixed(0)} ms, RSS ${slope.toFixed(1)} MiB/min, lag ${lag} s`,
  );
  expect(steady.requests.length).toBeGreaterThan(0.75 * capacity * steady.seconds);
  expect(failed / steady.requests.length).toBeLessThan(0.001);
  expect(p99).toBeLessThan(times(5_000, 500)); // the short run (without LONG=1) allows ten times as much
  expect(lag).toBeLessThan(times(20, 2));
  if (times(0, 1)) expect(slope).toBeLessThan(1); // a short measurement does not show the growth of memory
});

it('Q5: Requests without a pause to one organization slow down requests to other organizations only by a limited factor', async () => {
  const p95 = async (isNoisy: boolean) => {
    const seconds = times(3, 30);
    const noise = isNoisy ? [put({ seconds: seconds + 1, callers: 32 }, 1)] : [];
    const quiet = await put({ seconds, rate: 0.2 * capacity });
    await Promise.all(noise);
    expect(quiet.requests.filter((one) => !isDone(one))).toEqual([]);
    return took(quiet.requests, 0.95);
  };
  const figures: [number[], number[]] = [[], []];
  for (let round = 0; round < times(3, 10); round += 1) {
    figures[0].push(await p95(false));
    figures[1].push(await p95(true));
  }
  const [alone, beside] = figures.map(median) as [number, number];
  say(`Q5: p95 of others ${alone.toFixed(1)} ms, beside the noisy one ${beside.toFixed(1)} ms`);
  expect(beside).toBeLessThan(alone * times(20, 2)); // the short run (without LONG=1) allows ten times as much
});

it('Q2: At three times its capacity, the service keeps most of its throughput, refuses the excess requests at once, and recovers within a minute', async () => {
  const watch = watching();
  const flood = await put({ seconds: times(8, 600), rate: 3 * capacity, standing: 2_000 });
  const over = performance.now();
  const { most } = watch.stop();
  const later = flood.requests.filter(isPutOff);
  const good = goodput(flood) / capacity;
  const soon = took(later, 0.95);
  say(
    `Q2: ${JSON.stringify(counted(flood))}, unsent ${flood.unsent}, unanswered ${flood.unanswered}, goodput ${good.toFixed(2)} C, ` +
      `postponed after ${took(later, 0.5).toFixed(0)} ms, p95 ${soon.toFixed(0)}, done after ${took(flood.requests.filter(isDone), 0.95).toFixed(0)} ms, at most ${most.toFixed(0)} MiB`,
  );
  expect(flood.unanswered).toBe(0);
  expect(flood.requests.filter((one) => !isDone(one) && !isPutOff(one) && one.status !== 409).slice(0, 3)).toEqual([]);
  expect(later.length).toBeGreaterThan(0);
  expect(soon).toBeLessThan(times(1_000, 100)); // the short run (without LONG=1) allows ten times as much
  expect(good).toBeGreaterThan(times(0.5, 0.8));
  expect(most).toBeLessThan(1_024);

  let isNormal = false;
  while (!isNormal) {
    await pause(100);
    const after = await put({ seconds: 1, rate: 0.3 * capacity });
    isNormal = after.requests.every(isDone) && took(after.requests, 0.99) < 500;
    expect(performance.now() - over).toBeLessThan(60_000);
  }
  say(`Q2: normal after ${((performance.now() - over) / 1_000).toFixed(1)} s`);
});

it('After all loads of this spec, every acknowledged command is in the log once', async () => {
  const operations = loads.flatMap(operationsOf);
  expect(operations.filter(({ outcome }) => outcome === 'odd')).toEqual([]);
  await ground.expectWhole(operations);
});

/** Reads the service's memory and the read model's lag each second until `stop` is called. */
function watching() {
  const seen: { at: number; rss: number; lag: number }[] = [];
  const sample = async () => {
    const rss = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${ground.pid}/status`, 'utf8'))![1]) / MIB;
    const answer = await fetch(`${ground.urls[0]}/metrics`).catch(() => undefined);
    const lag = Number(/^charter_projection_lag_seconds (\S+)/m.exec((await answer?.text()) ?? '')?.[1] ?? 0);
    seen.push({ at: performance.now() / 60_000, rss, lag });
  };
  const timer = setInterval(() => void sample(), 1_000);
  return {
    stop: () => {
      clearInterval(timer);
      const worst = (of: 'rss' | 'lag') => Math.max(0, ...seen.map((one) => one[of]));
      return { slope: slopeOf(seen), lag: worst('lag'), most: worst('rss') };
    },
  };
}

/** The growth of the memory in a minute, fitted by least squares. */
function slopeOf(seen: readonly { at: number; rss: number }[]): number {
  const mean = (of: 'at' | 'rss') => seen.reduce((sum, one) => sum + one[of], 0) / seen.length;
  const [at, rss] = [mean('at'), mean('rss')];
  const above = seen.reduce((sum, one) => sum + (one.at - at) * (one.rss - rss), 0);
  return above / seen.reduce((sum, one) => sum + (one.at - at) ** 2, 0);
}
