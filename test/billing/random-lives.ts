import { compareFacts, type Fact } from '@charter/billing';
import fc from 'fast-check';
import { deliverAll, factsOf, outcomeIn } from './deliveries';
import { type Item, type Life, message, type SubscriptionNews } from './stripe-messages';

const organization = '0a5e0a11-0000-4000-8000-000000000001';

const plan: fc.Arbitrary<Item[]> = fc.constantFrom(
  [],
  [{ id: 'si_plan', product: 'charter-second-solo' }],
  [{ id: 'si_plan', product: 'charter-second-teams' }],
  [{ id: 'si_other', product: 'charter-first-enterprise' }],
);
const addOns: fc.Arbitrary<Item[]> = fc
  .tuple(fc.integer({ min: 0, max: 3 }), fc.boolean())
  .map(([quantity, isAssured]) => [
    { id: 'si_users', product: 'charter-additional-user', quantity },
    ...(isAssured ? [{ id: 'si_assurance', product: 'charter-quality-assurance' }] : []),
  ]);

/** What one message says. Few seconds, so that many have the same one; no two subscriptions share theirs. */
const said = fc.record({
  subscription: fc.constantFrom('sub_1', 'sub_2'),
  news: fc.constantFrom<SubscriptionNews>('created', 'updated', 'updated', 'updated', 'paused', 'resumed'),
  status: fc.constantFrom('active', 'active', 'past_due', 'trialing', 'unpaid', 'incomplete_expired', 'incomplete'),
  plan,
  addOns,
  after: fc.integer({ min: 0, max: 5 }),
});

/** Messages, each with an id that says nothing about its time, and an order in which they come first. */
export const anyDelivery = fc.record({
  messages: fc.array(said, { minLength: 1, maxLength: 9 }).chain((all) =>
    fc
      .shuffledSubarray(
        all.map((_, index) => `evt_${index}`),
        { minLength: all.length },
      )
      .map((ids) =>
        all.map(({ subscription, news, status, plan: sold, addOns: more, after }, index) => {
          const life: Life = { id: subscription, status, items: [...sold, ...more], organization };
          return message(ids[index]!, news, life, 2 * after + Number(subscription === 'sub_2'));
        }),
      ),
  ),
  order: fc.array(fc.nat({ max: 8 }), { maxLength: 14 }),
});

/**
 * What is held in the end, worked out without any of the rules: what the newest message of each subscription says, and of
 * two plans of one line the newer word.
 */
export function whatIsLeft(facts: readonly Fact[]) {
  const last = [...Map.groupBy(facts, ({ subscription }) => subscription).values()].map((its) =>
    its.toSorted(compareFacts).at(-1)!,
  );
  const plans = new Map<string, string>();
  for (const fact of last.toSorted(compareFacts))
    for (const hold of fact.holds) if (hold.kind === 'plan') plans.set(hold.line, `${hold.line}/${hold.plan}`);
  const purchases = last.flatMap(({ holds }) =>
    holds.flatMap((hold) => (hold.kind === 'add-on' ? [`${hold.purchase}: ${hold.quantity} ${hold.addOn}`] : [])),
  );
  return { purchases: purchases.toSorted(), plans: [...plans.values()].toSorted() };
}

/** Delivers some of the messages in any order and often, then all of them; and all of them in the order of their times. */
export function holdsWhatIsLeft({ messages, order }: { messages: readonly unknown[]; order: readonly number[] }) {
  const facts = factsOf(messages);
  const first = deliverAll(order.flatMap((place) => facts[place] ?? []));
  const end = outcomeIn(deliverAll(facts, first));
  const { purchases, plans } = end;
  expect({ purchases, plans: plans.map(({ plan }) => plan) }).toEqual(whatIsLeft(facts));
  expect(end).toEqual(outcomeIn(deliverAll(facts.toSorted(compareFacts))));
}

/** `SEED=…` repeats a random run; a failure prints its seed. */
export const seed = process.env['SEED'] ? { seed: Number(process.env['SEED']) } : {};
