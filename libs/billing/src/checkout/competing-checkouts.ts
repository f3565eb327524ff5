import type { CheckoutSession } from './checkout-state';

/** A new checkout, with the plans and add-ons that it sells. */
type NewCheckout = Pick<CheckoutSession, 'id' | 'started'> & Readonly<{ slots: readonly string[] }>;

/** The organization's checkouts that compete with a new checkout. */
type CompetingCheckouts = Readonly<{
  /** The open checkouts that the new checkout replaces. */
  replaced: readonly CheckoutSession[];
  /** The plans and add-ons that another checkout has sold, although no message about the sale has arrived yet. */
  paid: readonly string[];
}>;

/**
 * Compares a new checkout with the organization's other checkouts, so that no person pays twice for one plan or add-on.
 * Of several open checkouts for the same plan or add-on, only the newest one remains, whichever of two processes
 * compares first. The provider's times are whole seconds. Two checkouts that begin in the same second may therefore end
 * each other, and the person must start a third checkout.
 * @param known the subscriptions about which a message has arrived; the facts of these messages contain the paid items
 */
export function competingCheckouts(
  own: NewCheckout,
  recent: readonly CheckoutSession[],
  known: ReadonlySet<string | undefined>,
): CompetingCheckouts {
  const others = recent.filter((other) => other.id !== own.id && sharedSlots(own.slots, other).length > 0);
  const isUnknown = ({ subscription }: CheckoutSession) => subscription === null || !known.has(subscription);
  return {
    replaced: others.filter((other) => other.status === 'open' && other.started <= own.started),
    paid: others
      .filter((other) => other.status === 'complete' && isUnknown(other))
      .flatMap((other) => sharedSlots(own.slots, other)),
  };
}

/**
 * The plans and add-ons in `slots` that another checkout also sells. A checkout without `slots` may sell any plan and
 * add-on.
 */
export const sharedSlots = (slots: readonly string[], other: CheckoutSession): readonly string[] =>
  slots.filter((slot) => other.slots?.includes(slot) ?? true);
