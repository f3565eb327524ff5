import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type BillingFact, stripeFacts } from '@charter/billing';
import { loadCatalogue } from '@charter/catalogue';
import { type Database, openDatabase } from '@charter/database';
import { aggregates } from '@charter/aggregates';
import { MemoryLog } from '@charter/event-log';
import { heldPlans, organizationDecider, organizationStream, purchasesInForce } from '@charter/organization';
import { billingService } from '@charter/application';
import fc from 'fast-check';
import { seed } from '../orders/random-histories';
import { solo, teams, users } from '../sending';
import { type Item, type SubscriptionFields, message, part, subscriptionOf } from './stripe-messages';

const catalogue = loadCatalogue();
const reading = { prices: catalogue, countsTests: false };

/**
 * A random state of a subscription. With `isPart`, the message about the state contains only some of the items. Many
 * messages of a subscription have the same second.
 */
const anyState = fc.record({
  plan: fc.constantFrom(solo, teams),
  quantity: fc.constantFrom<number[]>(0, 0, 2, 3),
  pause: fc.constantFrom<number[]>(0, 0, 1),
  isPart: fc.boolean(),
  id: fc.uuid(),
});
const anyCase = fc.record({
  all: fc.uniqueArray(anyState, { minLength: 2, maxLength: 5, selector: ({ id }) => id }),
  isOver: fc.boolean(),
  /** The number of steps after which the customer is linked; undefined if the messages name their organization. */
  linkedAfter: fc.option(fc.nat({ max: 2 }), { nil: undefined }),
  /** Each step has the indices of messages that arrive at the same time. Stripe may not answer in such a step. */
  steps: fc.array(
    fc.record({
      come: fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 4 }),
      isAway: fc.constantFrom(true, true, false),
    }),
    { maxLength: 5 },
  ),
});

const state = (id: string, plan: Item, quantity = 0) => ({ id, plan, quantity, pause: 0, isPart: false });
/** The message with the greatest id adds an add-on, and arrives while Stripe does not answer. */
const grantedMeanwhile = {
  all: [state('0', solo), state('2', solo, 2), state('1', solo)],
  isOver: false,
  linkedAfter: undefined,
  steps: [
    { come: [2], isAway: true },
    { come: [1], isAway: true },
  ],
};
/** The messages wait until the customer is linked. Charter then applies the messages while Stripe does not answer. */
const linkedMeanwhile = {
  all: [state('0', solo), state('1', solo), state('2', teams)],
  isOver: false,
  linkedAfter: 1,
  steps: [
    { come: [1, 0], isAway: true },
    { come: [2, 0], isAway: true },
  ],
};

describe('Messages that are partial or contradict each other, while Stripe answers only some requests', () => {
  const folder = mkdtempSync(join(tmpdir(), 'charter-partial-'));
  const organizations = aggregates(new MemoryLog(), organizationDecider(catalogue));
  let database: Database;
  beforeAll(async () => {
    database = await openDatabase({ file: join(folder, 'documents.db') });
  });
  afterAll(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });

  it("lead exactly to the current state of the subscription, in any order and with any moment of the customer's link", () =>
    fc.assert(
      fc.asyncProperty(anyCase, async ({ all, isOver, linkedAfter, steps }) => {
        const acme = randomUUID();
        const by = {
          actor: { kind: 'account', id: acme, powers: ['operator'] },
          at: '2025-01-01T00:00:00.000Z',
        } as const;
        const found = { type: 'FoundOrganization', data: { name: 'Acme' } } as const;
        await organizations.execute(organizationStream(acme), found, {
          ...by,
          command: acme,
          correlation: acme,
          causation: acme,
        });
        const fields = (status: SubscriptionFields['status'], items: readonly Item[]): SubscriptionFields => ({
          id: `sub_${acme}`,
          status,
          items,
          customer: `cus_${acme}`,
          organization: linkedAfter === undefined ? acme : undefined,
        });
        let after = 0;
        const messages = all.map(({ plan, quantity, pause, isPart, id }, index) => {
          after += pause;
          const items = quantity > 0 ? [plan, users(quantity)] : [plan];
          const news = index === 0 ? 'created' : 'updated';
          const shown = message(`evt_${id}_${acme}`, news, fields('active', isPart ? items.slice(0, 1) : items), after);
          return isPart ? part(shown) : shown;
        });
        const last = all.at(-1)!;
        const lastItems = last.quantity > 0 ? [last.plan, users(last.quantity)] : [last.plan];
        if (isOver) messages.push(message(`evt_over_${acme}`, 'deleted', fields('canceled', lastItems), after));

        let [isAway, now] = [false, Date.parse('2025-12-31T00:00:00.000Z')];
        const currentSubscription = async () => {
          await setImmediate();
          if (isAway) throw new Error('Stripe is away');
          return subscriptionOf(fields(isOver ? 'canceled' : 'active', lastItems));
        };
        const billing = billingService({
          database,
          organizations,
          reading,
          currentSubscription,
          execute: (organization, command, envelope) =>
            organizations.execute(organizationStream(organization), command, envelope),
          now: () => now,
          alarm: () => undefined,
        });
        const deliver = (events: readonly (object | undefined)[]) =>
          Promise.all(
            events.flatMap((event) =>
              event ? [billing.take(stripeFacts(event, reading)!, JSON.stringify(event))] : [],
            ),
          );
        const link = async () => {
          await database.customers.claim('stripe', `cus_${acme}`, acme, now);
          await billing.applyLinked(acme);
        };
        for (const [index, step] of steps.entries()) {
          isAway = step.isAway;
          const linking = index === linkedAfter ? link() : undefined;
          await Promise.all([deliver(step.come.map((place) => messages[place])), linking]);
        }
        isAway = false;
        if (linkedAfter !== undefined && linkedAfter >= steps.length) await link();
        await deliver(messages);
        now += 3_600_000;
        while ((await billing.applyDue(() => false)) > 0) now += 3_600_000;
        for (const waiting of await database.inbox.list<BillingFact>({ state: 'quarantined', limit: 100 }))
          if (waiting.reason === 'more-items') await billing.replay(waiting);

        const { plans, purchases } = await organizations.query(organizationStream(acme), ({ state }) => ({
          plans: heldPlans(state).map(({ plan }) => plan),
          purchases: purchasesInForce(state).map(({ quantity }) => quantity),
        }));
        expect({ plans, purchases }).toEqual({
          plans: isOver ? [] : [last.plan === solo ? 'solo' : 'teams'],
          purchases: isOver || last.quantity === 0 ? [] : [last.quantity],
        });
        const stored = await database.inbox.ofSubscription('stripe', `sub_${acme}`);
        expect(stored.filter(({ state }) => state !== 'applied' && state !== 'overtaken')).toEqual([]);
      }),
      { numRuns: 60, examples: [[grantedMeanwhile], [linkedMeanwhile]], ...seed },
    ));
});
