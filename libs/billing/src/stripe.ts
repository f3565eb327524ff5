import { momentAt } from '@charter/decider';
import { words } from '@charter/organization';
import { z } from 'zod';
import {
  type ReasonWithDetail,
  type BillingFact,
  type MessageHead,
  type IgnoredReason,
  slotOf,
  type Prices,
  type TranslatedMessage,
} from './fact';
import { itemsOf, StripeSubscription } from './subscription';
import { unreadableReason } from './unreadable';

/** The options for the translation of Stripe's messages. */
export type StripeOptions = Readonly<{
  prices: Prices;
  /** Whether messages of Stripe's test mode have an effect. Must be false in an installation with real customers. */
  countsTests: boolean;
}>;

/**
 * Translates a Stripe event (`{object: "event", id, type, created, data}`). Undefined if the message is not a Stripe
 * event. `docs/explanation/billing-messages.md` lists the types that have an effect.
 */
export function stripeFacts(message: unknown, reading: StripeOptions): TranslatedMessage | undefined {
  const event = StripeEvent.safeParse(message).data;
  if (!event) return undefined;
  const head: MessageHead = { provider: 'stripe', id: event.id, type: event.type, time: timeOf(event) };
  const unused = ignoredBecause(event, reading);
  if (unused) return { head, kind: 'ignored', ...unused };
  const subscription = StripeSubscription.safeParse(event.data.object);
  if (!subscription.success) return { head, kind: 'quarantined', ...unreadableReason(subscription.error) };
  const fact = subscriptionFact(head, subscription.data, reading.prices);
  return fact ? { head, kind: 'fact', fact } : { head, kind: 'ignored', ...notPaidYet };
}

const StripeEvent = z.object({
  object: z.literal('event'),
  id: words.ProviderId,
  type: words.ProviderId,
  /** Seconds since 1970, up to the year 9999. */
  created: z.int().min(0).max(253_402_300_799),
  livemode: z.boolean(),
  account: z.string().optional(),
  data: z.object({ object: z.unknown() }),
});
type StripeEvent = z.infer<typeof StripeEvent>;

const prefix = 'customer.subscription.';
/**
 * For each message type that Charter uses, the milliseconds that Charter adds to Stripe's whole seconds (`decisions.md`
 * 24). Charter ignores messages of other types.
 */
const milliseconds = new Map([
  [`${prefix}created`, 0],
  [`${prefix}updated`, 500],
  [`${prefix}paused`, 500],
  [`${prefix}resumed`, 500],
  [`${prefix}deleted`, 999],
]);

const timeOf = ({ type, created }: StripeEvent) => momentAt(created * 1000 + (milliseconds.get(type) ?? 0));

function ignoredBecause(
  event: StripeEvent,
  { countsTests }: StripeOptions,
): ReasonWithDetail<IgnoredReason> | undefined {
  if (!milliseconds.has(event.type))
    return { reason: 'type-not-used', detail: 'Messages of this type do not concern plans and add-ons.' };
  if (event.account !== undefined)
    return {
      reason: 'other-account',
      detail: 'The message is about a connected Stripe account, not about the account of this installation.',
    };
  if (!event.livemode && !countsTests)
    return { reason: 'test-mode', detail: "Messages of Stripe's test mode have no effect in this installation." };
  return undefined;
}

const notPaidYet = {
  reason: 'not-paid-yet',
  detail: 'The first payment of the subscription is missing, so its items are not in force.',
} as const;

/**
 * The statuses of a subscription whose items are in force. A customer whose payment is late (`past_due`) keeps the
 * items.
 */
const heldStatuses = ['active', 'trialing', 'past_due'];
/**
 * The statuses of a subscription whose items end. `incomplete_expired` is not in this list, because the items of such a
 * subscription were never in force. An end for an `incomplete_expired` subscription could only end sales of other
 * subscriptions.
 */
const endedStatuses = ['canceled', 'unpaid', 'paused'];

/** The fact with a subscription's content; undefined while the customer has not made the first payment. */
export function subscriptionFact(
  head: MessageHead,
  subscription: StripeSubscription,
  prices: Prices,
): BillingFact | undefined {
  const { id, status, customer, items, metadata } = subscription;
  const isOver = head.type === `${prefix}deleted` || endedStatuses.includes(status);
  if (status === 'incomplete' && !isOver) return undefined;
  const isHeld = !isOver && heldStatuses.includes(status);
  const { holds, ...others } = itemsOf(subscription, prices);
  const organization = words.Id.safeParse(metadata?.['organization']).data;
  return {
    ...head,
    ...(organization !== undefined && { organization }),
    customer,
    subscription: id,
    isWhole: true,
    holds: isHeld ? holds : [],
    ends: isOver ? holds.map(slotOf) : [],
    ...(isHeld ? others : { unknown: [] }),
    ...(isHeld && items.has_more && { isPartial: true }),
  };
}
