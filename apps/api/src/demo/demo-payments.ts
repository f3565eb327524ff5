import { stripeFacts } from '@charter/billing';
import { billingService, type Charter, type OrganizationCommands } from '@charter/application';

/** The Stripe customer of the example organization that pays. */
export const demoCustomer = 'cus_HarbourMuseum';

/**
 * Applies four Stripe messages about an example organization through the billing inbox, in the order of their arrival.
 * The four messages are a first purchase, an upgrade, a price that the catalogue does not contain, and a cancellation
 * that arrives too late. A second call changes nothing.
 */
export async function applyDemoPayments(
  charter: Charter,
  execute: OrganizationCommands['execute'],
  organization: string,
  now: number,
): Promise<void> {
  const reading = { prices: charter.catalogue, countsTests: true };
  const { take } = billingService({
    ...charter,
    reading,
    now: () => now,
    execute,
    alarm: () => undefined, // no alarm: the message with the unknown price waits in quarantine on purpose
  });
  await charter.database.customers.claim('stripe', demoCustomer, organization, now);
  for (const message of messages(now)) await take(stripeFacts(message, reading)!, JSON.stringify(message));
}

const messages = (now: number) => [
  message('evt_HarbourBegins', 'created', daysBefore(now, 60), [solo]),
  message('evt_HarbourUpgrades', 'updated', daysBefore(now, 30), [teams, users(3), feedback]),
  message('evt_HarbourAsksForMore', 'updated', daysBefore(now, 5), [teams, users(2), audioGuide]),
  message('evt_HarbourCancelsLate', 'updated', daysBefore(now, 20), [teams, users(2)]),
];

/** Seconds since 1970, as in Stripe messages. */
const daysBefore = (now: number, days: number) => Math.floor(now / 1000) - days * 86_400;

const item = (id: string, product: string, quantity = 1) => ({
  id: `si_Harbour${id}`,
  created: 1,
  quantity,
  price: { id: `price_Harbour${id}`, product },
});
const solo = item('Plan', 'charter-second-solo');
const teams = item('Plan', 'charter-second-teams');
const users = (quantity: number) => item('Users', 'charter-additional-user', quantity);
const feedback = item('Feedback', 'charter-feedback');
const audioGuide = item('AudioGuide', 'prod_AudioGuide');

const message = (id: string, news: 'created' | 'updated', created: number, data: readonly object[]) => ({
  ...{ object: 'event', id, type: `customer.subscription.${news}`, created, livemode: false },
  data: {
    object: {
      ...{ object: 'subscription', id: 'sub_HarbourMuseum', status: 'active', customer: demoCustomer },
      items: { object: 'list', data, has_more: false },
    },
  },
});
