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

/** What payment providers say, and how it fares. */
export type Billing = BillingService &
  Readonly<{
    reading: StripeOptions;
    /** Undefined: no secret may sign, and Stripe's way in is closed. */
    stripe: StripeClient | undefined;
    /**
     * Resolves once the tables know every customer that the log says is linked; nobody claims one before. Messages that waited
     * for one are applied. @throws what reading throws; asked again, it is tried again
     */
    customersFollowed: () => Promise<void>;
  }>;

/** Billing over the stores, counted and alarmed. What waits for somebody is an error in the log, with the place where to look. */
export function createBilling(
  charter: Charter,
  { execute }: OrganizationCommands,
  { logger, counts, now }: Readonly<{ logger: Logger; counts: Metrics; now: () => number }>,
): Billing {
  const { catalogue, settings } = charter;
  const stripe = createStripeClient(settings);
  const counted = createBillingMetrics(counts.registry, charter.documents.inbox);
  const reading: StripeOptions = { prices: catalogue, countsTests: settings.countsStripeTests };
  const keeping = billingService({
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
    const taken = await keeping.take(translated, raw);
    counted.taken(providerNameOf(translated.head), taken.outcome);
    return taken;
  };
  let following: Promise<void> | undefined;
  const follow = async () => {
    const { organizations, unknown, followed } = await replayCustomerLinks(charter, now());
    if (unknown > 0) logger.warn({ claimed: unknown }, 'customers that the log says are linked were unknown');
    for (const organization of organizations) await keeping.linked(organization);
    await followed();
  };
  const customersFollowed = () =>
    (following ??= follow().catch((error: unknown) => {
      following = undefined;
      throw error;
    }));
  return { ...keeping, take, reading, stripe, customersFollowed };
}
