import { randomUUID } from 'node:crypto';
import { person, signedIn, accountEventsOf } from '../../support/sign-in/people';
import { type Customer, customer, selling, shopSends } from '../sending';
import type { Served } from '../../support/serving';

const MINUTE_MS = 60_000;

describe('Dismissed message', () => {
  let served: Served;
  let acme: Customer;
  beforeAll(async () => {
    served = await selling();
    acme = await customer(served);
  });
  afterAll(() => served.close());

  it('is never applied, even after its effective time', async () => {
    const time = new Date(served.clock.now() + 10 * MINUTE_MS).toISOString();
    const sale = acme.sale(randomUUID(), 'plan.assigned', time, { line: 'second', plan: 'teams' });
    const { body } = await shopSends(served, acme.key, sale);
    expect(body.results).toMatchObject([{ outcome: 'quarantined', reason: 'not-yet-effective' }]);

    served.clock.advance(20 * MINUTE_MS);
    const named = { provider: 'cloudevents:https://shop.example.com', id: sale.id };
    await served.runtime.billing.dismiss(named, 'sold by mistake', () => Promise.resolve());
    expect(await served.runtime.billing.replay(named)).toMatchObject({ was: 'dismissed' });
    expect(await acme.sold()).toEqual([]);
  });

  it('keeps the reason of one request if several requests dismiss it at the same time, and each answer contains this reason', async () => {
    const account = await person(served, { role: 'operator' });
    const operator = await signedIn(served, account);
    const sale = { ...acme.sale(randomUUID(), 'plan.ended', '2025-01-01T00:00:00Z', { line: 'second' }) };
    await shopSends(served, acme.key, { ...sale, subject: randomUUID() });
    const [{ id }] = (await operator.get('/api/v1/billing/quarantine')).body.messages;
    const dismiss = (reason: string) => operator.send('POST', `/api/v1/billing/quarantine/${id}/dismiss`, { reason });
    expect((await dismiss('so\u0007 be it')).status).toBe(400);

    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => dismiss(`reason ${index}`)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(new Set(answers.map(({ body }) => body.detail)).size).toBe(1);
    const story = await accountEventsOf(served, account);
    expect(story.filter(({ type }) => type === 'BillingMessageDismissed')).toHaveLength(1);
  });
});
