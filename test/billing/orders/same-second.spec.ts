import { type Served, until } from '../../support/serving';
import { type Customer, customer, selling, solo, stripeSends, teams, users } from '../sending';
import { subscriptionOf } from '../stripe/stripe-messages';
import { stripeStandIn } from '../stripe/stripe-stand-in';

let stripe: Awaited<ReturnType<typeof stripeStandIn>>;
let served: Served;
beforeAll(async () => {
  stripe = await stripeStandIn();
  served = await selling({ environment: stripe.environment });
});
afterAll(async () => {
  await served.close();
  await stripe.close();
});
beforeEach(() => {
  stripe.requests.length = 0;
  stripe.away(false);
});

const planOf = async (there: Customer) => (await there.document()).plans.second?.plan as string | undefined;
const stateOf = async (id: string) => (await served.charter.database.inbox.find({ provider: 'stripe', id }))?.state;

describe('Two messages of one subscription in the same second', () => {
  it('lead to the state that Stripe returns for the subscription, even if the message with the greater id contains another state', async () => {
    const there = await customer(served);
    stripe.subscriptions.set(there.subscription, subscriptionOf(there.fields('active', solo, users(2))));
    await stripeSends(served, there.updated('evt_A1', 60, 'active', [solo, users(2)]));
    expect(stripe.requests).toEqual([]);
    const second = await stripeSends(served, there.updated('evt_A2', 60, 'active', [teams]));
    expect([second.status, stripe.requests]).toEqual([
      200,
      [`/v1/subscriptions/${there.subscription} Bearer sk_live_of_these_specs`],
    ]);
    expect(await planOf(there)).toBe('solo');
    expect((await there.document()).addOns).toMatchObject([{ quantity: 2 }]);
  });

  it('are ordered by their ids while Stripe does not answer; later the subscription that Stripe returns decides', async () => {
    const there = await customer(served);
    stripe.subscriptions.set(there.subscription, subscriptionOf(there.fields('active', solo)));
    stripe.away(true);
    await stripeSends(served, there.updated('evt_B1', 60, 'active', [solo]));
    const second = await stripeSends(served, there.updated('evt_B2', 60, 'active', [teams, users(2)]));
    expect([second.status, second.body.outcome]).toEqual([200, 'applied']);
    expect(await planOf(there)).toBe('teams');
    expect((await there.document()).addOns).toMatchObject([{ quantity: 2 }]);
    expect(await stateOf('evt_B2')).toBe('received');
    expect((await stripeSends(served, there.updated('evt_B2', 60, 'active', [teams, users(2)]))).status).toBe(200);

    stripe.away(false);
    served.clock.advance(120_000);
    await until(async () => (await stateOf('evt_B2')) === 'applied', 8_000);
    expect(await planOf(there)).toBe('solo');
    expect((await there.document()).addOns).toEqual([]);
  });

  it('stay ordered by their ids if Stripe has no such subscription', async () => {
    const there = await customer(served);
    await stripeSends(served, there.updated('evt_C1', 60, 'active', [solo]));
    expect((await stripeSends(served, there.updated('evt_C2', 60, 'active', [teams]))).body.outcome).toBe('applied');
    expect([await planOf(there), await stateOf('evt_C2')]).toEqual(['teams', 'applied']);
  });

  it.each<[string, (there: Customer) => unknown]>([
    [
      'Stripe names the same subscription',
      (there) => stripe.subscriptions.set(there.subscription, subscriptionOf(there.fields('active', teams, users(2)))),
    ],
    ['Stripe has no such subscription', () => undefined],
    ['Stripe does not answer', () => stripe.away(true)],
  ])('are recorded once if they have the same content: %s', async (_, prepare) => {
    for (const ids of [
      ['evt_F1', 'evt_F2'],
      ['evt_G2', 'evt_G1'],
    ]) {
      const there = await customer(served);
      prepare(there);
      for (const id of ids) {
        const message = there.updated(`${id}_${there.subscription}`, 60, 'active', [teams, users(2)]);
        expect((await stripeSends(served, message)).status).toBe(200);
      }
      expect((await there.sold()).map(({ type }) => type)).toEqual(['PlanAssigned', 'AddOnPurchased']);
    }
  });

  it('never restore an ended subscription', async () => {
    const there = await customer(served);
    stripe.subscriptions.set(there.subscription, subscriptionOf(there.fields('active', teams)));
    await stripeSends(served, there.deleted('evt_D3', 60));
    await stripeSends(served, there.updated('evt_D1', 60, 'active', [solo]));
    await stripeSends(served, there.updated('evt_D2', 60, 'active', [teams]));
    expect(await planOf(there)).toBeUndefined();
  });
});

it('A message that is later than two messages of one second overrides the subscription that Stripe returned for these two', async () => {
  const there = await customer(served);
  stripe.subscriptions.set(there.subscription, subscriptionOf(there.fields('active', solo)));
  await stripeSends(served, there.updated('evt_E1', 60, 'active', [solo, users(1)]));
  await stripeSends(served, there.updated('evt_E2', 60, 'active', [teams]));
  expect(await planOf(there)).toBe('solo');
  expect((await stripeSends(served, there.updated('evt_E3', 61, 'active', [teams]))).body.outcome).toBe('applied');
  expect(await planOf(there)).toBe('teams');
});
