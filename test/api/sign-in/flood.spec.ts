import { floodOf, otherPeople } from '../../support/network/flood';
import { type Served, serving, until } from '../../support/serving';

let served: Served;
beforeAll(async () => {
  served = await serving({ environment: { TRUST_PROXY: '127.0.0.1' } });
});
afterAll(() => served.close());

describe('B15: One client that floods POST /forgot', () => {
  it('does not stop mails to other people or entries of the audit trail', async () => {
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

  it('makes the service store nothing beyond its limit; the metrics count its requests', async () => {
    const { text } = await served.ask('GET', '/metrics');
    const of = (outcome: string) =>
      Number(new RegExp(`^charter_reset_requests_total{outcome="${outcome}"} (\\d+)$`, 'm').exec(text)?.[1]);
    expect(of('no-account') + of('throttled-account')).toBe(20); // of the 20, 3 pass the limit of one e-mail address
    expect(of('mailed')).toBe(10);
    expect(of('throttled-address')).toBeGreaterThan(3_000);
  });
});
