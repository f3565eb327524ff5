import { randomUUID } from 'node:crypto';
import { type Customer, customer, selling, shopSends } from './sending';
import type { Served } from '../support/serving';

const MINUTE_MS = 60_000;

describe('a message of the time to come', () => {
  let served: Served;
  let acme: Customer;
  beforeAll(async () => {
    served = await selling();
    acme = await customer(served);
  });
  afterAll(() => served.close());

  it('that was dismissed is never applied, also when its time has come', async () => {
    const time = new Date(served.clock.now() + 10 * MINUTE_MS).toISOString();
    const sale = acme.sale(randomUUID(), 'plan.assigned', time, { line: 'second', plan: 'teams' });
    const { body } = await shopSends(served, acme.key, sale);
    expect(body.results).toMatchObject([{ outcome: 'quarantined', reason: 'not-yet-effective' }]);

    served.clock.advance(20 * MINUTE_MS);
    const named = { provider: 'cloudevents:https://shop.example.com', id: sale.id };
    expect(await served.runtime.billing.dismiss(named, 'sold by mistake')).toBe('dismissed');
    expect(await served.runtime.billing.replay(named)).toMatchObject({ was: 'dismissed' });
    expect(await acme.sold()).toEqual([]);
  });
});
