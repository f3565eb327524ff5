import { setTimeout as pause } from 'node:timers/promises';
import { expectHonest, type Troubled, troubled } from './broken-store';

let house: Troubled;
beforeAll(async () => void (house = await troubled()), 60_000);
afterEach(() => house.proxy.mend());
afterAll(() => house.close());

const unknown = (deeds: readonly { outcome: string }[]) => deeds.filter(({ outcome }) => outcome === 'unknown').length;
const accepted = (deeds: readonly { outcome: string }[]) =>
  deeds.filter(({ outcome }) => outcome === 'acknowledged').length;

describe('R3: an event store', () => {
  it.each<[string, (house: Troubled) => unknown, number]>([
    ['that refuses everybody', ({ proxy }) => proxy.refuse(), 1_000],
    ['that is a black hole', ({ proxy }) => proxy.swallow(), 6_000],
  ])(
    '%s: every answer comes within five seconds, and it goes on soon after',
    async (_, trouble, ms) => {
      const { proxy, during, recovered, settle } = house;
      const deeds = await during(async () => {
        await pause(700);
        await trouble(house);
        await pause(ms);
      });
      expectHonest(deeds);
      expect(accepted(deeds)).toBeGreaterThan(0);
      expect(unknown(deeds)).toBeGreaterThan(10);
      await proxy.mend();
      expect(await recovered()).toBeLessThan(10_000);
      await settle();
    },
    60_000,
  );

  it('whose connections are reset now and then: most is accepted, and nothing is lost or doubled', async () => {
    const { proxy, during, settle } = house;
    proxy.reset(0.01);
    const deeds = await during(() => pause(1_500));
    await proxy.mend();
    expectHonest(deeds);
    expect(accepted(deeds)).toBeGreaterThan(10);
    await settle();
  }, 60_000);
});

describe('R4, L3: a connection that is cut after the commit and before the answer', () => {
  it('costs whoever asked at most a second question, ten times', async () => {
    const { facade, during, settle } = house;
    const deeds = await during(async () => {
      for (let time = 0; time < 10; time += 1) {
        await facade.order('order', 'cut');
        await pause(100);
      }
    });
    expectHonest(deeds);
    expect(accepted(deeds)).toBeGreaterThan(10);
    await settle();
  }, 60_000);
});
