import { floodOf, otherPeople } from '../../support/network/flood';
import { type Served, serving, until } from '../../support/serving';

let served: Served;
beforeAll(async () => {
  served = await serving({ environment: { TRUST_PROXY: '127.0.0.1' } });
});
afterAll(() => served.close());

describe('B15: One client that floods POST /forgot', () => {
  it('stops neither mails to other people nor entries of the audit trail; `/health/live` answers in time', async () => {
    const others = await otherPeople(served, 10);
    const flood = await floodOf(served);
    const healthy: number[] = [];
    for (let index = 0; index < others.count; index += 1) {
      const before = flood.answered();
      await until(() => flood.answered() > before + 400, 60_000);
      await others.act(index);
      const began = performance.now();
      expect((await served.ask('GET', '/health/live')).status).toBe(200);
      healthy.push(performance.now() - began);
    }
    expect(Math.max(...healthy)).toBeLessThan(2_500); // ten times the bound of B15, which a nightly spec measures
    await flood.stop();
    await others.expectServed();
  }, 120_000);

  it('gets only 20 of its requests processed; the metrics count the other requests as throttled', async () => {
    const { text } = await served.ask('GET', '/metrics');
    const of = (outcome: string) =>
      Number(new RegExp(`^charter_reset_requests_total{outcome="${outcome}"} (\\d+)$`, 'm').exec(text)?.[1]);
    // only 3 of these 20 requests pass the limit for one email address
    expect(of('no-account') + of('throttled-account')).toBe(20);
    expect(of('mailed')).toBe(10);
    expect(of('throttled-address')).toBeGreaterThan(3_000);
  });
});
