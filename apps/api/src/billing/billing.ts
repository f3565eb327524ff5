import type { StripeReading } from '@charter/billing';
import {
  type BillingKeeping,
  billingKeeping,
  type Charter,
  followCustomers,
  handleOf,
  speakerOf,
} from '@charter/application';
import type { Logger } from 'pino';
import type { Counts } from '../process/observability/metrics';
import { tellOrganization } from '../organizations/organization.handlers';
import { billingCounts } from './billing-metrics';
import { type StripeDoor, stripeDoor } from './stripe-client';

/** What payment providers say, and how it fares. */
export type Billing = BillingKeeping &
  Readonly<{
    reading: StripeReading;
    /** Undefined: no secret may sign, and Stripe's way in is closed. */
    stripe: StripeDoor | undefined;
    /**
     * Resolves once the tables know every customer that the log says is linked; nobody claims one before. Messages that waited
     * for one are applied. @throws what reading throws; asked again, it is tried again
     */
    customersFollowed: () => Promise<void>;
  }>;

type Telling = Parameters<typeof tellOrganization>[0];

/** Billing over the stores, counted and alarmed. What waits for somebody is an error in the log, with the place where to look. */
export function billingOver(
  charter: Charter & Telling,
  { logger, counts, now }: Readonly<{ logger: Logger; counts: Counts; now: () => number }>,
): Billing {
  const { catalogue, settings } = charter;
  const stripe = stripeDoor(settings);
  const counted = billingCounts(counts.registry, charter.documents.inbox);
  const reading: StripeReading = { prices: catalogue, countsTests: settings.countsStripeTests };
  const keeping = billingKeeping({
    ...charter,
    now,
    reading,
    present: stripe?.present,
    tell: (organization, command, by) => tellOrganization(charter, organization, command, by),
    alarm: (message, reason) => {
      const provider = speakerOf(message);
      counted.quarantined(provider);
      logger.error({ message: handleOf(message), provider, type: message.type, reason }, 'a billing message waits');
    },
  });
  const take: BillingKeeping['take'] = async (translated, raw) => {
    const taken = await keeping.take(translated, raw);
    counted.taken(speakerOf(translated.head), taken.outcome);
    return taken;
  };
  let following: Promise<void> | undefined;
  const follow = async () => {
    const { organizations, unknown, followed } = await followCustomers(charter, now());
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
