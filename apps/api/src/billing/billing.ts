import type { StripeOptions } from '@charter/billing';
import {
  type BillingService,
  billingService,
  type Charter,
  replayCustomerLinks,
  handleOf,
  type OrganizationCommands,
  providerNameOf,
} from '@charter/application';
import type { Logger } from 'pino';
import type { Metrics } from '../process/observability/metrics';
import { createBillingMetrics } from './billing-metrics';
import { type StripeClient, createStripeClient } from './stripe-client';

/** Applies messages of payment providers and counts them. */
export type Billing = BillingService &
  Readonly<{
    reading: StripeOptions;
    /** Undefined if the settings contain no webhook secret: the route of Stripe's webhook then answers 404. */
    stripe: StripeClient | undefined;
    /**
     * Resolves when the tables contain every customer that the event log links to an organization. A process must wait
     * for this promise before it claims a customer. The function also applies messages that waited for a missing
     * customer.
     * @throws if the process cannot read the event log; the next call reads the log again
     */
    customersFollowed: () => Promise<void>;
  }>;

/**
 * Creates the billing service with its metrics and alarms. For each quarantined message, the service logs an error with
 * the message's id.
 */
export function createBilling(
  charter: Charter,
  { execute }: OrganizationCommands,
  { logger, counts, now }: Readonly<{ logger: Logger; counts: Metrics; now: () => number }>,
): Billing {
  const { catalogue, settings } = charter;
  const stripe = createStripeClient(settings);
  const counted = createBillingMetrics(counts.registry, charter.database.inbox);
  const reading: StripeOptions = { prices: catalogue, countsTests: settings.countsStripeTests };
  const service = billingService({
    ...charter,
    now,
    reading,
    currentSubscription: stripe?.present,
    execute,
    alarm: (message, reason) => {
      const provider = providerNameOf(message);
      counted.quarantined(provider);
      logger.error({ message: handleOf(message), provider, type: message.type, reason }, 'a billing message waits');
    },
  });
  const take: BillingService['take'] = async (translated, raw) => {
    const taken = await service.take(translated, raw);
    counted.taken(providerNameOf(translated.head), taken.outcome);
    return taken;
  };
  let following: Promise<void> | undefined;
  const follow = async () => {
    const { organizations, unknown, moveBookmark } = await replayCustomerLinks(charter, now());
    if (unknown > 0)
      logger.warn({ claimed: unknown }, 'customers linked in the event log were missing in the tables, and were added');
    for (const organization of organizations) await service.applyLinked(organization);
    await moveBookmark();
  };
  const customersFollowed = () =>
    (following ??= follow().catch((error: unknown) => {
      following = undefined;
      throw error;
    }));
  return { ...service, take, reading, stripe, customersFollowed };
}
