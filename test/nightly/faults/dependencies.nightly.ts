import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expectClearOutcomes, type BehindProxy, serviceBehindProxy } from '../../operation/broken-store';
import { type Stalls, watchStalls } from '../../operation/stalls';
import { until } from '../../support/serving';
import { times } from '../length';
import { seed } from '../../projections/seed';

/** A generator of random numbers (mulberry32). The same seed gives the same numbers. */
function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const random = randomFrom(seed);
let service: BehindProxy;
let stalls: Stalls;
beforeEach(async () => {
  stalls = watchStalls();
  service = await serviceBehindProxy(random);
}, 60_000);
afterEach(async () => {
  stalls.stop();
  await service.close();
});

const count = (operations: readonly { outcome: string }[], outcome: string) =>
  operations.filter((operation) => operation.outcome === outcome).length;

describe('R3: An event store', () => {
  it.each<[string, (service: BehindProxy) => unknown]>([
    ['that refuses every connection', ({ proxy }) => proxy.refuse()],
    ['that never answers', ({ proxy }) => proxy.swallow()],
    // 2.5 s in each direction, so each request takes 5 s longer
    ['that answers five seconds late', ({ proxy }) => proxy.delay(2_500)],
    ['that is frozen for twenty seconds', ({ facade }) => facade.freeze()],
  ])(
    '%s delays no answer for more than five seconds, and the service recovers within ten seconds',
    async (_, trouble) => {
      const { proxy, facade, during, recovered, settle } = service;
      const operations = await during(async () => {
        await pause(1_000);
        await trouble(service);
        await pause(20_000);
      });
      // The service and its callers run in this thread. Time in which the machine ran other work does not count.
      const ran = operations.map(({ took = 0, answered = 0, ...operation }) => {
        const stalled = stalls.between(answered - took, answered);
        return { ...operation, took: took - stalled, stalled };
      });
      expectClearOutcomes(ran);
      expect(count(operations, 'unknown')).toBeGreaterThan(10);
      facade.thaw();
      await proxy.mend();
      expect(await recovered()).toBeLessThan(10_000);
      await settle();
    },
  );

  it('that loses its connection at one of a hundred chunks causes no loss and no second execution of an accepted command', async () => {
    service.proxy.reset(0.01);
    const operations = await service.during(() => pause(times(15_000, 300_000)));
    expectClearOutcomes(operations);
    expect(count(operations, 'acknowledged')).toBeGreaterThan(100);
    await service.proxy.mend();
    await service.settle();
  });
});

it('R4, L3: If the connection to the event store is cut between commit and answer, no command is lost or executed twice', async () => {
  const { facade, during, settle } = service;
  const operations = await during(async () => {
    for (let time = 0; time < times(40, 200); time += 1) {
      await facade.order('order', 'cut');
      await until(async () => (await facade.order('taken', 'cut')) === time + 1, 10_000);
      await pause(randomInt(20, 200));
    }
  });
  expectClearOutcomes(operations);
  await settle();
});

it('R8: If connections to the event store stall one by one and go on in another order, no command is lost or executed twice', async () => {
  const { proxy, during, recovered, settle } = service;
  for (let round = 0; round < times(5, 100); round += 1) {
    const operations = await during(async () => {
      const stopped = proxy.connections().toSorted(() => random() - 0.5);
      for (const connection of stopped) {
        proxy.clog(connection);
        await pause(random() * 500);
      }
      await pause(600 + random() * 1_400);
      for (const connection of stopped.toSorted(() => random() - 0.5)) {
        proxy.release(connection);
        await pause(random() * 500);
      }
    });
    expectClearOutcomes(operations);
    expect(Math.max(...operations.map(({ took = 0 }) => took))).toBeGreaterThan(500); // a blocked connection delayed it
    expect(await recovered()).toBeLessThan(30_000);
  }
  await settle();
});
