import { setTimeout as pause } from 'node:timers/promises';
import { type Stalls, watchStalls } from './stalls';

const MS = 400;
let stalls: Stalls;
beforeEach(() => void (stalls = watchStalls()));
afterEach(() => stalls.stop());

/** Runs the work after some turns of the event loop. Resolves with the stalls, the duration and the moments. */
async function during(work: () => void) {
  await pause(50);
  const from = performance.now();
  work();
  const to = performance.now();
  await pause(50);
  return { stalled: stalls.between(from, to), took: to - from, from, to };
}
const sleep = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, MS);
const compute = () => {
  const from = process.threadCpuUsage();
  for (let used = 0; used < MS * 1_000;) {
    const { user, system } = process.threadCpuUsage(from);
    used = user + system;
  }
};

describe('A stall', () => {
  it('is the time in which the thread does not run', async () => {
    const { stalled } = await during(sleep);
    expect(stalled).toBeGreaterThan(MS - 50);
  });

  it('is not the time in which the thread computes', async () => {
    const { stalled, took } = await during(compute);
    expect(stalled).toBeLessThan(took - MS + 50);
  });

  it('counts only with its part in the requested period', async () => {
    const { stalled, from, to } = await during(sleep);
    const half = stalls.between(from, from + (to - from) / 2);
    expect(half / stalled).toBeCloseTo(0.5, 1);
    expect(stalls.between(-1, 0)).toBe(0);
  });
});
