import type Stripe from 'stripe';
import { begun, type Item, type SubscriptionFields, message, otherMessage } from '../stripe/stripe-messages';

/**
 * Lists of messages about subscriptions, each in the order in which a subscription changes. The folder `recorded/`
 * contains the same messages as JSON.
 */

const organization = '0a5e0a11-0000-4000-8000-000000000001';
const minute = 60;
const day = 86_400;

const solo: Item = { id: 'si_plan', product: 'charter-second-solo' };
const teams: Item = { id: 'si_plan', product: 'charter-second-teams' };
const users = (quantity: number): Item => ({
  id: 'si_users',
  product: 'charter-additional-user',
  quantity,
  added: begun + day,
});
const assurance: Item = { id: 'si_assurance', product: 'charter-quality-assurance', added: begun + 2 * day };
const feedback: Item = { id: 'si_feedback', product: 'charter-feedback', added: begun + 2 * day };
const strange: Item = { id: 'si_strange', product: 'prod_Unknown', price: 'price_Unknown', added: begun + day };

/** A person whose name, e-mail address and telephone number must occur only in the raw text of messages. */
const ada = { name: 'Ada Lovelace', email: 'ada@acme.example.com', phone: '+44 20 7946 0000' };
const billed = { customer_name: ada.name, customer_email: ada.email };

const acme = (status: Stripe.Subscription.Status, ...items: Item[]): SubscriptionFields => ({
  id: 'sub_Acme',
  status,
  items,
  organization,
});
const second = (status: Stripe.Subscription.Status, ...items: Item[]): SubscriptionFields => ({
  ...acme(status, ...items),
  id: 'sub_Second',
});

/** A subscription that begins, changes its plan and add-ons, has an overdue payment, and is canceled. */
const whole = [
  message('evt_Life1', 'created', acme('active', solo), 0),
  message('evt_Life2', 'updated', acme('active', teams), day),
  message('evt_Life3', 'updated', acme('active', teams, users(2)), 2 * day),
  message('evt_Life4', 'updated', acme('active', teams, users(5), assurance), 3 * day),
  message('evt_Life5', 'updated', acme('active', solo, assurance), 4 * day),
  message('evt_Life6', 'updated', acme('past_due', solo, assurance), 30 * day),
  message('evt_Life7', 'deleted', acme('canceled', solo, assurance), 44 * day),
];

/** The four messages of the acceptance criterion K7. */
const pastDue = [
  message('evt_Due1', 'created', acme('active', teams, users(3)), 0),
  message('evt_Due2', 'updated', acme('active', teams, users(4)), 10 * day),
  message('evt_Due3', 'updated', acme('past_due', teams, users(4)), 30 * day),
  message('evt_Due4', 'deleted', acme('canceled', teams, users(4)), 37 * day),
];

/** Messages with the same second, as after a checkout. Their types decide their order; the ids order the updates. */
const oneSecond = [
  message('evt_Second9', 'created', acme('active', solo, users(1)), 0),
  message('evt_Second1', 'updated', acme('active', teams), 0),
  message('evt_Second2', 'updated', acme('active', teams, users(2)), 0),
  message('evt_Second0', 'deleted', acme('canceled', teams, users(2)), 0),
];

/** A subscription with two contradicting updates in the same second. The update with the greater id decides. */
const rivals = [
  message('evt_Rival1', 'created', acme('active', teams, users(1)), 0),
  message('evt_Rival2', 'updated', acme('active', solo, assurance), day),
  message('evt_Rival3', 'updated', acme('active', teams, users(1)), day),
  message('evt_Rival4', 'updated', acme('active', teams), 2 * day),
];

/** A subscription whose first payment is late, and whose trial pauses and resumes. */
const trial = [
  message('evt_Trial1', 'created', acme('incomplete', solo), 0),
  message('evt_Trial2', 'updated', acme('trialing', solo), minute),
  message('evt_Trial3', 'paused', acme('paused', solo), 14 * day),
  message('evt_Trial4', 'resumed', acme('active', solo, users(1)), 15 * day),
  message('evt_Trial5', 'updated', acme('unpaid', solo, users(1)), 60 * day),
];

/**
 * Two subscriptions of one organization, both with a plan of the second line. At each time, the newest message about a
 * subscription that is not canceled decides the plan.
 */
const twoSubscriptions = [
  message('evt_Two1', 'created', acme('active', solo, users(1)), 0),
  message('evt_Two2', 'created', second('active', teams, feedback), day),
  message('evt_Two3', 'updated', acme('active', solo), 2 * day),
  message('evt_Two4', 'updated', second('active', teams), 3 * day),
  message('evt_Two5', 'deleted', acme('canceled', solo), 4 * day),
  message('evt_Two6', 'updated', second('past_due', teams), 33 * day),
];

/** A subscription that gets an item with an unknown price, and later loses this item. */
const unknownPrice = [
  message('evt_Price1', 'created', acme('active', teams), 0),
  message('evt_Price2', 'updated', acme('active', strange, users(2)), day),
  message('evt_Price3', 'updated', acme('active', teams, users(2)), 2 * day),
];

/**
 * Messages that change nothing: messages of other types, some with the name of a person, and one in Stripe's test mode.
 */
const ignored = [
  otherMessage('evt_Other1', 'customer.updated', { ...ada, object: 'customer', id: 'cus_Acme' }, 0),
  otherMessage(
    'evt_Other2',
    'invoice.paid',
    { object: 'invoice', id: 'in_1', customer: 'cus_Acme', ...billed },
    minute,
  ),
  otherMessage(
    'evt_Other3',
    'checkout.session.completed',
    { object: 'checkout.session', id: 'cs_1', ...billed },
    minute,
  ),
  message('evt_Other4', 'trial_will_end', acme('trialing', solo), day),
  otherMessage('evt_Other5', 'a.type.of.the.future', { object: 'future' }, day),
  message('evt_Test', 'created', { ...acme('active', solo), livemode: false }, 0),
];

export const histories = { whole, pastDue, oneSecond, rivals, trial, twoSubscriptions, unknownPrice, ignored } as const;
export type HistoryName = keyof typeof histories;
