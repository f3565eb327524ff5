import { person, signedIn } from '../../support/sign-in/people';
import type { Served } from '../../support/serving';
import { customer, selling, stripeSends, teams, users } from '../sending';
import { part, subscriptionOf } from './stripe-messages';
import { stripeStandIn } from './stripe-stand-in';

it('a partial message is completed with the subscription that Stripe returns', async () => {
  const stripe = await stripeStandIn();
  const served = await selling({ environment: stripe.environment });
  const there = await customer(served);
  stripe.subscriptions.set(there.subscription, subscriptionOf(there.fields('active', teams, users(4))));
  const sent = await stripeSends(served, part(there.created('evt_Part', 0, [teams])));
  expect(sent.body.outcome).toBe('applied');
  expect((await there.document()).addOns).toMatchObject([{ addOn: 'additionalUser', quantity: 4 }]);
  await served.close();
  await stripe.close();
});

describe('Partial message without access to Stripe', () => {
  let served: Served;
  beforeAll(async () => {
    served = await selling();
  });
  afterAll(() => served.close());
  const stateOf = async (id: string) => (await served.charter.database.inbox.find({ provider: 'stripe', id }))?.state;

  it('waits until a newer complete message replaces it', async () => {
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

  it('stops waiting after an operator has dismissed the unknown items of a newer message', async () => {
    const there = await customer(served);
    const strange = { id: 'si_strange', product: 'prod_Unknown', price: 'price_Unknown' };
    await stripeSends(served, part(there.created('evt_10', 0)));
    await stripeSends(served, there.updated('evt_11', 60, 'active', [teams, strange]));
    expect([await stateOf('evt_10'), await stateOf('evt_11')]).toEqual(['quarantined', 'quarantined']);
    const named = { provider: 'stripe', id: 'evt_11' };
    await served.runtime.billing.dismiss(named, 'sold elsewhere', () => Promise.resolve());
    expect([await stateOf('evt_10'), await stateOf('evt_11')]).toEqual(['overtaken', 'dismissed']);
  });

  it('does not wait if a newer complete message came first', async () => {
    const there = await customer(served);
    await stripeSends(served, there.deleted('evt_9', 600));
    expect((await stripeSends(served, part(there.created('evt_8', 0)))).body.outcome).toBe('overtaken');
    expect((await there.document()).plans.second).toBeNull();
  });
});
