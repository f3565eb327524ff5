import { compareFacts, type BillingFact, rereadFact, quarantineReason } from '@charter/billing';
import fc from 'fast-check';
import { deliverAll, factsOf, mapped, organization, outcomeIn, replay } from '../deliveries';
import { type Item, type SubscriptionFields, message, type SubscriptionNews } from '../stripe/stripe-messages';

const plan: fc.Arbitrary<Item[]> = fc.constantFrom(
  [],
  [{ id: 'si_plan', product: 'charter-second-solo' }],
  [{ id: 'si_plan', product: 'charter-second-teams' }],
  [{ id: 'si_other', product: 'charter-first-enterprise' }],
);
const addOns: fc.Arbitrary<Item[]> = fc
  .tuple(fc.integer({ min: 0, max: 3 }), fc.boolean(), fc.integer({ min: -3, max: 2 }))
  .map(([quantity, isAssured, strange]) => [
    { id: 'si_users', product: 'charter-additional-user', quantity },
    ...(isAssured ? [{ id: 'si_assurance', product: 'charter-quality-assurance' }] : []),
    ...(strange > 0 ? [{ id: 'si_strange', product: 'prod_X', price: 'price_Unknown', quantity: strange }] : []),
  ]);

/**
 * A random message. Its time is one of a few seconds, so many messages of a subscription have the same second. Messages
 * of two subscriptions never have the same second.
 */
const anyMessage = fc.record({
  subscription: fc.constantFrom('sub_1', 'sub_2'),
  news: fc.constantFrom<SubscriptionNews>('created', 'updated', 'updated', 'updated', 'paused', 'resumed'),
  status: fc.constantFrom('active', 'active', 'past_due', 'trialing', 'unpaid', 'incomplete_expired', 'incomplete'),
  plan,
  addOns,
  after: fc.integer({ min: 0, max: 5 }),
  isNamed: fc.boolean(),
});

/**
 * Random messages. Some of them first arrive in `order`, a list of indices; afterwards all messages arrive. The ids of
 * the messages do not follow their times.
 */
export const anyDelivery = fc.record({
  messages: fc.array(anyMessage, { minLength: 1, maxLength: 9 }).chain((all) =>
    fc
      .shuffledSubarray(
        all.map((_, index) => `evt_${index}`),
        { minLength: all.length },
      )
      .map((ids) =>
        all.map(({ subscription, news, status, plan: sold, addOns: more, after, isNamed }, index) => {
          const fields: SubscriptionFields = { id: subscription, status, items: [...sold, ...more] };
          const named = isNamed ? { ...fields, organization } : fields;
          return message(ids[index]!, news, named, 2 * after + Number(subscription === 'sub_2'));
        }),
      ),
  ),
  order: fc.array(fc.nat({ max: 8 }), { maxLength: 14 }),
});

/**
 * The expected result, computed without the rules. The newest message of each subscription decides; of two plans in one
 * plan line, the newer plan decides.
 */
function expectedState(facts: readonly BillingFact[]) {
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

/**
 * Delivers some of the messages in the order `order`, then all messages. Then reads the messages with unknown prices
 * again. The result must be the same as if the messages came in the order of their times and every price was known.
 */
export function expectExpectedState({ messages, order }: { messages: readonly unknown[]; order: readonly number[] }) {
  const facts = factsOf(messages);
  const delivered = deliverAll(facts, deliverAll(order.flatMap((place) => facts[place] ?? [])));
  const waiting = order.toReversed().flatMap((place) => facts[place] ?? []);
  const end = outcomeIn([...waiting, ...facts].filter((fact) => quarantineReason(fact)).reduce(replay, delivered));

  const known = facts.map((fact) => rereadFact(fact, mapped, organization));
  const { purchases, plans } = end;
  expect({ purchases, plans: plans.map(({ plan: held }) => held) }).toEqual(expectedState(known));
  expect(end).toEqual(outcomeIn(deliverAll(known.toSorted(compareFacts))));
}

/** `SEED=…` repeats a random run; a failure prints its seed. */
export const seed = process.env['SEED'] ? { seed: Number(process.env['SEED']) } : {};
