import { floodOf, otherPeople } from '../../support/network/flood';
import { type Served, serving, until } from '../../support/serving';

let served: Served;
beforeAll(async () => {
  served = await serving({ environment: { TRUST_PROXY: '127.0.0.1' } });
});
afterAll(() => served.close());

describe('B15: One client that floods POST /forgot', () => {
  it('costs no other person a mail, and the audit trail no entry', async () => {
    const others = await otherPeople(served, 10);
    const flood = await floodOf(served);
    for (let index = 0; index < others.count; index += 1) {
      const before = flood.answered();
      await until(() => flood.answered() > before + 400, 60_000);
      await others.act(index);
    }
    await flood.stop();
    await others.expectServed();
  }, 120_000);

  it('gets nothing stored beyond its limit, and the metrics count its requests', async () => {
    const { text } = await served.ask('GET', '/metrics');
    const of = (outcome: string) =>
      Number(new RegExp(`^charter_reset_requests_total{outcome="${outcome}"} (\\d+)$`, 'm').exec(text)?.[1]);
    expect(of('no-account') + of('throttled-account')).toBe(20); // 3 of 20 pass the limit for one e-mail address
    expect(of('mailed')).toBe(10);
    expect(of('throttled-address')).toBeGreaterThan(3_000);
  });
});
