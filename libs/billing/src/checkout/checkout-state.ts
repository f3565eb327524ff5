import type { Immutable } from '@charter/decider';
import { allEntries, type Organization, type SaleEntry } from '@charter/organization';

/** A checkout session at the payment provider. */
export type CheckoutSession = Readonly<{
  id: string;
  /** The address of the provider's page; null after the session has ended. */
  url: string | null;
  /** The moment in milliseconds since 1970 at which the provider closes an unpaid session. */
  expires: number;
  /** The moment in milliseconds since 1970 at which the session began. */
  started: number;
  status: 'open' | 'complete' | 'expired';
  /** Whether the provider has received the first payment, or requires none. */
  isPaid: boolean;
  /**
   * The organization's id in the session's metadata; undefined if another program has started the session without an
   * id.
   */
  organization: string | undefined;
  /** The plans and add-ons that the session sells; undefined if the session does not name them. */
  slots: readonly string[] | undefined;
  /** The subscription that the payment has started; null before the payment. */
  subscription: string | null;
}>;

/**
 * - `open`: the provider waits for the payment.
 * - `expired`: the provider has closed the checkout session without a payment, or the payment failed later.
 * - `paid`: the provider has the payment, and Charter has received no message about the subscription.
 * - `waiting`: Charter has received a message, but has not granted the purchase, or the newest message waits.
 * - `granted`: Charter has recorded the plans and add-ons of the subscription.
 */
export const checkoutStates = ['open', 'paid', 'granted', 'waiting', 'expired'] as const;
type CheckoutState = (typeof checkoutStates)[number];

/** A message of the subscription, with the state that the inbox stores. */
type StoredState = Readonly<{ id: string; state: string }>;

export type CheckoutProgress<Message> = Readonly<{
  state: CheckoutState;
  /** The revision at which Charter had recorded all plans and add-ons of the subscription. */
  granted: number | undefined;
  /** The newest message about the subscription, if the state is `waiting`. */
  waits: Message | undefined;
}>;

/**
 * The progress of a checkout. Whether a checkout is `granted` depends only on the recorded events.
 * @param messages all messages about the subscription, in the order of the provider's times
 * @param organization the organization's current state; must not be older than the messages
 */
export function checkoutProgress<Message extends StoredState>(
  session: CheckoutSession,
  messages: readonly Message[],
  organization: Organization,
): CheckoutProgress<Message> {
  const granted = session.subscription === null ? undefined : grantedAt(session.subscription, organization);
  const newest = messages.at(-1);
  const newestWaits = newest?.state === 'quarantined' || newest?.state === 'received';
  const isSettled = newest?.state === 'applied' || newest?.state === 'overtaken';
  // A delayed payment can fail after the session. The provider then ends the subscription before Charter grants it.
  const hasFailed = granted === undefined && isSettled && !session.isPaid;
  if (hasFailed) return { state: 'expired', granted, waits: undefined };
  const isWaiting = newest !== undefined && (granted === undefined || newestWaits);
  if (isWaiting) return { state: 'waiting', granted, waits: newest };
  if (granted !== undefined) return { state: 'granted', granted, waits: undefined };
  return { state: stateAtProvider(session), granted, waits: undefined };
}

const stateAtProvider = ({ status, isPaid }: CheckoutSession): CheckoutState => {
  if (status === 'complete' && isPaid) return 'paid';
  return status === 'expired' ? 'expired' : 'open';
};

/**
 * The revision from which every plan and add-on of the subscription has at least one event. Undefined if no event has a
 * message of the subscription as its cause.
 */
function grantedAt(subscription: string, { plans, purchases }: Organization): number | undefined {
  const first = [...Object.values(plans), ...Object.values(purchases)].flatMap((entries) => {
    const sold = allEntries<object>(entries as readonly Immutable<SaleEntry<object>>[]).filter(
      (entry) => entry.subscription === subscription && entry.message !== null && entry.what !== null,
    );
    return sold.length === 0 ? [] : [Math.min(...sold.map(({ event }) => event))];
  });
  return first.length === 0 ? undefined : Math.max(...first);
}
