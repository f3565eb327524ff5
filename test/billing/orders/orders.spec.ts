import { type BillingFact, outcomeOf } from '@charter/billing';
import fc from 'fast-check';
import { deliver, deliverAll, factsOf, founded, organization, outcomeIn, type DeliveryState } from '../deliveries';
import { type Item, message } from '../stripe/stripe-messages';
import { everyOrder } from './every-order';
import { histories } from './histories';
import { anyDelivery, expectExpectedState, seed } from './random-histories';

const names = (Object.keys(histories) as (keyof typeof histories)[]).filter((name) => name !== 'ignored');
const truthOf = (facts: readonly BillingFact[]) => outcomeIn(deliverAll(facts));

describe('Messages of a subscription', () => {
  it.each([
    ['whole', [], []],
    ['pastDue', [], []],
    ['oneSecond', [], []],
    ['rivals', ['second/teams'], []],
    ['trial', [], []],
    ['twoSubscriptions', ['second/teams'], []],
    ['unknownPrice', ['second/teams'], ['sub_Acme:si_users: 2 additionalUser']],
  ] as const)('%s: lead to the state in the last message', (name, plans, purchases) => {
    const truth = truthOf(factsOf(histories[name]));
    expect(truth.plans.map(({ plan }) => plan)).toEqual(plans);
    expect(truth.purchases).toEqual(purchases);
  });

  it('are each recorded once, and end only plans and add-ons that the organization has', () => {
    const { events } = deliverAll(factsOf(histories.whole));
    expect(events.map(({ type }) => type)).toEqual([
      'PlanAssigned', // solo
      'PlanAssigned', // teams
      ...['PlanAssigned', 'AddOnPurchased'], // two users
      ...['PlanAssigned', 'AddOnPurchased', 'AddOnPurchased'], // five users, quality assurance
      ...['AddOnCancelled', 'PlanAssigned', 'AddOnPurchased'], // without the users
      ...['PlanAssigned', 'AddOnPurchased'], // a payment is overdue
      ...['PlanEnded', 'AddOnCancelled'],
    ]);
  });

  it('that arrive after the end of the subscription are recorded, and restore no plan and no purchase', () => {
    const [created, updated, pastDue, deleted] = factsOf(histories.pastDue) as [
      BillingFact,
      BillingFact,
      BillingFact,
      BillingFact,
    ];
    let state = deliver(founded, deleted);
    expect(state.events.map(({ type }) => type)).toEqual(['PlanEnded', 'AddOnCancelled']);
    for (const late of [pastDue, created, updated]) {
      state = deliver(state, late);
      expect(outcomeIn(state)).toMatchObject({ plans: [], purchases: [] });
    }
    expect(state.events).toHaveLength(8);
  });
});

describe('Messages in every order, each sent once or twice (K5, K7, K8)', () => {
  it.each(names)('%s: lead to the same plans, purchases and entitlements as the correct order', (name) => {
    const facts = factsOf(histories[name]);
    const { points, ends } = everyOrder(facts, 2, 'whole');
    expect(points).toBeGreaterThanOrEqual(3 ** facts.length);
    for (const end of ends) expect(outcomeIn(end)).toEqual(truthOf(facts));
  });

  it('lead to the same result in each of the 5,040 orders of seven messages', () => {
    const truth = JSON.stringify(truthOf(factsOf(histories.whole)));
    let orders = 0;
    const wrong: string[] = [];
    const deliverRest = (state: DeliveryState, left: readonly BillingFact[]) => {
      for (const fact of left)
        deliverRest(
          deliver(state, fact),
          left.filter((other) => other !== fact),
        );
      if (left.length > 0) return;
      orders += 1;
      if (JSON.stringify(outcomeIn(state)) !== truth) wrong.push(state.inbox.map(({ id }) => id).join());
    };
    deliverRest(founded, factsOf(histories.whole));
    expect({ orders, wrong }).toEqual({ orders: 5_040, wrong: [] });
  });
});

const twin = (id: string, ...items: Item[]) =>
  message(id, 'updated', { id: 'sub_Acme', status: 'active', items, organization }, 86_400);
const teams: Item = { id: 'si_plan', product: 'charter-second-teams' };
const users = (quantity: number): Item => ({ id: 'si_users', product: 'charter-additional-user', quantity });

describe('Two messages with the same content in the same second', () => {
  const [first, second] = factsOf([twin('evt_A', teams, users(2)), twin('evt_B', teams, users(2))]) as [
    BillingFact,
    BillingFact,
  ];

  it.each([
    ['the smaller id first', [first, second]],
    ['the greater id first', [second, first]],
  ])('are recorded once, with %s', (_, facts) => {
    const delivered = deliverAll(facts);
    expect(delivered.events.map(({ type }) => type)).toEqual(['PlanAssigned', 'AddOnPurchased']);
    for (const fact of facts) expect(outcomeOf(fact, others(delivered, fact), delivered.organization)).toBe('applied');
  });

  it.each([
    [
      'a message with other content between them',
      [twin('evt_A', teams), twin('evt_B', teams, users(1)), twin('evt_C', teams)],
    ],
    [
      'a message with other content after them',
      [twin('evt_A', teams), twin('evt_B', teams), twin('evt_C', teams, users(1))],
    ],
    ['a message with other content before them', [twin('evt_A', users(1)), twin('evt_B', teams), twin('evt_C', teams)]],
    [
      'a message without the plan between four of them',
      [twin('evt_A', teams), twin('evt_B', teams), twin('evt_C', users(2)), twin('evt_D', teams), twin('evt_E', teams)],
    ],
  ])(
    'lead in every order to the same plans, purchases and entitlements as the correct order, with %s',
    (_, messages) => {
      const before = message('evt_0', 'created', { id: 'sub_Acme', status: 'active', items: [teams], organization }, 0);
      const facts = factsOf([before, ...messages]);
      const { ends } = everyOrder(facts, facts.length > 4 ? 1 : 2, 'whole');
      for (const end of ends) expect(outcomeIn(end)).toEqual(truthOf(facts));
    },
  );
});

describe('Two messages of the same second, of which the later message ends every plan', () => {
  const enterprise: Item = { id: 'si_first', product: 'charter-first-enterprise' };
  const fields = { id: 'sub_Acme', organization };
  const facts = factsOf([
    message(
      'evt_A',
      'created',
      { ...fields, status: 'active', items: [{ ...teams, product: 'charter-second-solo' }] },
      0,
    ),
    message('evt_B', 'updated', { ...fields, status: 'active', items: [enterprise] }, 86_400),
    message('evt_C', 'updated', { ...fields, status: 'unpaid', items: [enterprise] }, 86_400),
  ]);

  it('leave the limits of the plan that the earlier message assigned, in every order', () => {
    expect(truthOf(facts).limits).toContain('users Infinity Infinity');
    for (const end of everyOrder(facts, 2, 'whole').ends) expect(outcomeIn(end)).toEqual(truthOf(facts));
  });
});

const others = ({ inbox }: DeliveryState, fact: BillingFact) => inbox.filter(({ id }) => id !== fact.id);

describe('Messages in several processes at once (K5, K6)', () => {
  it.each([
    ['pastDue', 4, 1],
    ['oneSecond', 3, 1],
    ['twoSubscriptions', 4, 1],
    ['pastDue', 2, 2], // each process may crash at any step
  ] as const)(
    'have the same result in every order: %s, the first %d messages, each up to %d times',
    (name, count, times) => {
      const facts = factsOf(histories[name]).slice(0, count);
      const { points, ends } = everyOrder(facts, times, 'steps');
      expect(points).toBeGreaterThan(100);
      for (const end of ends) expect(outcomeIn(end)).toEqual(truthOf(facts));
    },
  );
});

describe('Two messages with the same content in the same second, in several processes at once', () => {
  const twins = factsOf([twin('evt_A', teams, users(2)), twin('evt_B', teams, users(2))]);

  it('are recorded once in every order, although each process may know only one of the messages', () => {
    const { points, ends } = everyOrder(twins, 2, 'steps');
    expect(points).toBeGreaterThan(100);
    for (const end of ends)
      expect(end.events.map(({ type }) => type).toSorted()).toEqual(['AddOnPurchased', 'PlanAssigned']);
  });

  it.each([
    [
      'a message with other content between them',
      [twin('evt_A', teams), twin('evt_B', teams, users(1)), twin('evt_C', teams)],
    ],
    ['another plan after them', [twin('evt_A', teams), twin('evt_B', teams), twin('evt_C', users(2))]],
  ])('lead in every order to the same result as the correct order, with %s', (_, messages) => {
    const facts = factsOf(messages);
    for (const end of everyOrder(facts, 1, 'steps').ends) expect(outcomeIn(end)).toEqual(truthOf(facts));
  });
});

describe('Messages of random subscriptions', () => {
  it('lead to the state in the newest message of each subscription, in any order and with repetitions', () => {
    fc.assert(fc.property(anyDelivery, expectExpectedState), { numRuns: 300, ...seed });
  });
});
