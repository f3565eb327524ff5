import fc from 'fast-check';
import { deliverAll, factsOf, outcomeIn } from '../../billing/deliveries';
import { everyOrder } from '../../billing/orders/every-order';
import { histories } from '../../billing/orders/histories';
import { anyDelivery, expectExpectedState, seed } from '../../billing/orders/random-histories';
import { times } from '../length';

// More cases of `test/billing/orders/orders.spec.ts`. That spec runs at every commit, and tests K5 to K8
// (`acceptance.md`) without stores.

describe('Messages of subscriptions, handled by several processes that may crash at any step', () => {
  it.each([
    ['oneSecond', 4, 1],
    ['rivals', 4, 1],
    ['whole', times(4, 6), 1],
    ['twoSubscriptions', times(4, 5), 1],
    ['pastDue', 3, 2],
    ['rivals', 3, 2],
  ] as const)(
    '%s, the first %d messages, each sent up to %d times: every order of the messages has the same result',
    (name, count, often) => {
      const facts = factsOf(histories[name]).slice(0, count);
      const truth = outcomeIn(deliverAll(facts));
      const { points, ends } = everyOrder(facts, often, 'steps');
      process.stdout.write(`${name}: ${points} points\n`);
      for (const end of ends) expect(outcomeIn(end)).toEqual(truth);
    },
  );
});

it('Messages of subscriptions lead to the state in the newest message of each subscription', () => {
  fc.assert(fc.property(anyDelivery, expectExpectedState), { numRuns: times(3_000, 100_000), ...seed });
});
