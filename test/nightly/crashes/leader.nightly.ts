import { setTimeout as pause } from 'node:timers/promises';
import { askDuring, meetingPlaces } from '../../crash/callers';
import { acknowledged, expectWhole, failed, leader, replaced } from '../../processes/observing';
import { balancer } from '../../support/network/balancer';
import { type Process, several, type Several } from '../../support/network/processes';

let all: Several;
let key: string;
let running: readonly Process[];
beforeAll(async () => {
  all = await several();
  running = await Promise.all([all.start(), all.start()]);
  key = await all.key();
}, 120_000);
afterAll(() => all.end(), 60_000);

it('Q7, Q9: no request fails while a process is replaced under load', async () => {
  const proxy = await balancer(...running.map(({ url }) => url));
  const places = await meetingPlaces({ url: proxy.url, key }, 3);
  const [former, other] = running as [Process, Process];
  const replacing = replaced(all, proxy, former);
  const operations = await askDuring({ url: proxy.url, key }, places, replacing);
  const { by, exit } = await replacing;
  running = [by, other];
  expect(proxy.lost).toEqual([]);
  expect([exit.code, exit.afterMs < 15_000]).toEqual([0, true]);
  expect(failed(operations)).toEqual([]);
  await expectWhole(all, operations);
  await proxy.close();
}, 120_000);

it.each([
  ['projections', 10_000],
  ['outbox', 15_000],
] as const)(
  'N6: after a kill under load of the process with the lease for the %s, another process has the lease within %i ms, and no command is lost or executed twice',
  async (lease, within) => {
    const first = await leader(all, running, lease);
    const other = running.find((one) => one !== first)!;
    const proxy = await balancer(...running.map(({ url }) => url));
    const places = await meetingPlaces({ url: proxy.url, key }, 3);
    let tookOver = Infinity;
    const killing = async () => {
      await pause(500);
      const began = performance.now();
      await first.kill();
      expect(await leader(all, [other], lease)).toBe(other);
      tookOver = performance.now() - began;
    };
    const operations = await askDuring({ url: proxy.url, key }, places, killing());
    expect(tookOver).toBeLessThan(within);
    await expectWhole(all, operations);
    expect(acknowledged(operations)).toBeGreaterThan(20);
    expect((await other.stop()).code).toBe(0);
    running = await Promise.all([all.start(), all.start()]);
    await proxy.close();
  },
  120_000,
);
