import { person, signedIn } from '../../support/sign-in/people';
import type { Served } from '../../support/serving';
import { customer, selling, stripeSends, teams, users } from '../sending';
import { part, subscriptionOf } from './stripe-messages';
import { stripeStandIn } from './stripe-stand-in';

it('a message that shows a part of a subscription is made whole by asking Stripe', async () => {
  const stripe = await stripeStandIn();
  const served = await selling({ environment: stripe.environment });
  const there = await customer(served);
  stripe.subscriptions.set(there.subscription, subscriptionOf(there.life('active', teams, users(4))));
  const sent = await stripeSends(served, part(there.created('evt_Part', 0, [teams])));
  expect(sent.body.outcome).toBe('applied');
  expect((await there.document()).addOns).toMatchObject([{ addOn: 'additionalUser', quantity: 4 }]);
  await served.close();
  await stripe.close();
});

describe('a message that shows a part of a subscription, where Stripe cannot be asked', () => {
  let served: Served;
  beforeAll(async () => {
    served = await selling();
  });
  afterAll(() => served.close());
  const stateOf = async (id: string) => (await served.charter.documents.inbox.find({ provider: 'stripe', id }))?.state;

  it('waits, and leaves by itself when something newer says all that is held', async () => {
    const there = await customer(served);
    expect((await stripeSends(served, part(there.created('evt_1', 0)))).body.outcome).toBe('quarantined');
    expect((await stripeSends(served, part(there.updated('evt_2', 60)))).body.outcome).toBe('quarantined');
    const whole = await stripeSends(served, there.updated('evt_3', 120, 'active', [teams, users(2)]));
    expect(whole.body.outcome).toBe('applied');
    expect([await stateOf('evt_1'), await stateOf('evt_2')]).toEqual(['overtaken', 'overtaken']);
    expect((await there.document()).addOns).toMatchObject([{ addOn: 'additionalUser', quantity: 2 }]);
    const operator = await signedIn(served, await person(served, { role: 'operator' }));
    expect((await operator.get('/api/v1/billing/quarantine')).body.messages).toEqual([]);
  });

  it('does not wait at all when that came first', async () => {
    const there = await customer(served);
    await stripeSends(served, there.deleted('evt_9', 600));
    expect((await stripeSends(served, part(there.created('evt_8', 0)))).body.outcome).toBe('overtaken');
    expect((await there.document()).plans.second).toBeNull();
  });
});
