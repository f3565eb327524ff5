import type { BillingFact } from '@charter/billing';
import fc from 'fast-check';
import { deliver, deliverAll, factsOf, founded, outcomeIn, type DeliveryState } from '../deliveries';
import { everyWay } from './explore';
import { lives } from './lives';
import { anyDelivery, holdsWhatIsLeft, seed } from './random-lives';

const names = (Object.keys(lives) as (keyof typeof lives)[]).filter((name) => name !== 'ignored');
const truthOf = (facts: readonly BillingFact[]) => outcomeIn(deliverAll(facts));

describe('the messages of a subscription', () => {
  it.each([
    ['whole', [], []],
    ['pastDue', [], []],
    ['oneSecond', [], []],
    ['rivals', ['second/teams'], []],
    ['trial', [], []],
    ['twoSubscriptions', ['second/teams'], []],
    ['unknownPrice', ['second/teams'], ['sub_Acme:si_users: 2 additionalUser']],
  ] as const)('%s: leave what the last one says', (name, plans, purchases) => {
    const truth = truthOf(factsOf(lives[name]));
    expect(truth.plans.map(({ plan }) => plan)).toEqual(plans);
    expect(truth.purchases).toEqual(purchases);
  });

  it('are recorded once each, and nothing ends that was never held', () => {
    const { events } = deliverAll(factsOf(lives.whole));
    expect(events.map(({ type }) => type)).toEqual([
      'PlanAssigned', // solo
      'PlanAssigned', // teams
      ...['PlanAssigned', 'AddOnPurchased'], // two users
      ...['PlanAssigned', 'AddOnPurchased', 'AddOnPurchased'], // five users, quality assurance
      ...['AddOnCancelled', 'PlanAssigned', 'AddOnPurchased'], // no users any more
      ...['PlanAssigned', 'AddOnPurchased'], // behind with a payment
      ...['PlanEnded', 'AddOnCancelled'],
    ]);
  });

  it('of an end that came first are recorded, and revive nothing', () => {
    const [created, updated, pastDue, deleted] = factsOf(lives.pastDue) as [
      BillingFact,
      BillingFact,
      BillingFact,
      BillingFact,
    ];
    let world = deliver(founded, deleted);
    expect(world.events.map(({ type }) => type)).toEqual(['PlanEnded', 'AddOnCancelled']);
    for (const late of [pastDue, created, updated]) {
      world = deliver(world, late);
      expect(outcomeIn(world)).toMatchObject({ plans: [], purchases: [] });
    }
    expect(world.events).toHaveLength(8);
  });
});

describe('in every order, each message up to twice (K5, K7, K8)', () => {
  it.each(names)('%s: all ways lead to the plans, purchases and entitlements of the true order', (name) => {
    const facts = factsOf(lives[name]);
    const { points, ends } = everyWay(facts, 2, 'whole');
    expect(points).toBeGreaterThanOrEqual(3 ** facts.length);
    for (const end of ends) expect(outcomeIn(end)).toEqual(truthOf(facts));
  });

  it('all 5,040 orders of seven, one by one', () => {
    const truth = JSON.stringify(truthOf(factsOf(lives.whole)));
    let orders = 0;
    const wrong: string[] = [];
    const goOn = (world: DeliveryState, left: readonly BillingFact[]) => {
      for (const fact of left)
        goOn(
          deliver(world, fact),
          left.filter((other) => other !== fact),
        );
      if (left.length > 0) return;
      orders += 1;
      if (JSON.stringify(outcomeIn(world)) !== truth) wrong.push(world.inbox.map(({ id }) => id).join());
    };
    goOn(founded, factsOf(lives.whole));
    expect({ orders, wrong }).toEqual({ orders: 5_040, wrong: [] });
  });
});

describe('in several processes at once (K5, K6)', () => {
  it.each([
    ['pastDue', 4, 1],
    ['oneSecond', 3, 1],
    ['twoSubscriptions', 4, 1],
    ['pastDue', 2, 2], // and any of them may die at any step
  ] as const)('%s, the first %d, each up to %d times: all ways lead to the same', (name, count, times) => {
    const facts = factsOf(lives[name]).slice(0, count);
    const { points, ends } = everyWay(facts, times, 'steps');
    expect(points).toBeGreaterThan(100);
    for (const end of ends) expect(outcomeIn(end)).toEqual(truthOf(facts));
  });
});

describe('any lives of any subscriptions', () => {
  it('leave what the newest message of each says, in any order and however often', () => {
    fc.assert(fc.property(anyDelivery, holdsWhatIsLeft), { numRuns: 300, ...seed });
  });
});
