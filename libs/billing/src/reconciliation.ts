import type { Immutable, Moment } from '@charter/decider';
import {
  saleInForce,
  ProductLine,
  type SaleEntry,
  saleEntriesOf,
  type Organization,
  type ActiveSale,
  type Plan,
  type Purchase,
  allEntries,
  startOfSale,
} from '@charter/organization';
import type { BillingFact, Hold } from './fact';
import { isSoldAs } from './outcome';
import { type PaidItem, paidAt } from './paid-items';

/** A sale that is in force according to the organization's events. */
type Granted = Readonly<{
  /**
   * `hand`: a person or another program granted the item; `billing`: a message of a payment provider granted the item.
   */
  by: 'hand' | 'billing';
  subscription: string | null;
  message: string | null;
  since: Moment;
  /** The revision of the event that grants the item. */
  event: number;
}> &
  Hold;

/**
 * Why a paid item is not granted.
 *
 * - `unknown-price`: the catalogue does not contain the price.
 * - `another-plan-holds`: a product line has only one plan, and another paid plan of the line is newer
 *   (`decisions.md` 24).
 * - `changed-by-hand`: a person or another program has changed or ended the item.
 * - `fewer-granted`: the granted quantity is smaller than the paid quantity.
 * - `not-recorded`: no event contains the item, because the item's message waits or an operator dismissed the message.
 */
type NotGranted = 'unknown-price' | 'another-plan-holds' | 'changed-by-hand' | 'fewer-granted' | 'not-recorded';

export type Reconciliation = Readonly<{
  at: Moment;
  /** The quantity of each item is the difference between the paid and the granted quantity. */
  paidAndNotGranted: readonly (PaidItem & Readonly<{ reason: NotGranted }>)[];
  grantedAndNotPaid: readonly Granted[];
}>;

/**
 * Compares paid and granted items at a moment.
 * @param id the organization's id
 * @param organization the organization's state at that moment
 * @param facts of all messages about the organization's subscriptions, and of all messages that may belong to the
 * organization, whatever the outcomes of these messages
 */
export function reconciled(
  id: string,
  organization: Organization,
  facts: readonly BillingFact[],
  at: Moment,
): Reconciliation {
  const paid = paidAt(id, facts, at);
  return {
    at,
    paidAndNotGranted: paid.flatMap((one) => missingOf(one, organization)),
    grantedAndNotPaid: grantedBy(organization).flatMap((one) => surplusOf(one, paid)),
  };
}

function missingOf(paid: PaidItem, organization: Organization): Reconciliation['paidAndNotGranted'] {
  if (paid.kind === 'unknown') return [{ ...paid, reason: 'unknown-price' }];
  if (paid.kind === 'plan') {
    const entries = organization.plans[paid.line];
    const held = saleInForce(entries);
    return held?.what.plan === paid.plan ? [] : [{ ...paid, reason: reasonFor(paid, entries, held) }];
  }
  const entries = saleEntriesOf(organization, paid.purchase);
  const held = saleInForce(entries);
  if (held?.what.addOn !== paid.addOn) return [{ ...paid, reason: reasonFor(paid, entries, held) }];
  const missing = paid.quantity - held.what.quantity;
  const reason = held.message === null ? 'changed-by-hand' : 'fewer-granted';
  return missing > 0 ? [{ ...paid, quantity: missing, reason }] : [];
}

type AnyEntries = readonly Immutable<SaleEntry<Plan | Purchase>>[];

function reasonFor(paid: PaidItem & Hold, entries: AnyEntries, held: ActiveSale<object> | undefined): NotGranted {
  const { since, subscription } = paid;
  if (held?.message === null) return 'changed-by-hand';
  // An end without a subscription comes from another program, because the provider's messages name their subscription.
  const isFromElsewhere = (end: AnyEntries[number]) => end.message === null || end.subscription === null;
  if (!held && entries.some((entry) => entry.what === null && isFromElsewhere(entry) && entry.effectiveAt >= since))
    return 'changed-by-hand';
  // Compares no message ids, because Charter records equal messages of one moment under the id of only one of them.
  const isRecorded = allEntries(entries).some(
    ({ effectiveAt, what, ...entry }) =>
      what !== null && entry.subscription === subscription && effectiveAt >= since && isSoldAs(paid, what),
  );
  return held && isRecorded ? 'another-plan-holds' : 'not-recorded';
}

function surplusOf(granted: Granted, paid: readonly PaidItem[]): readonly Granted[] {
  if (granted.kind === 'plan') {
    const isPaid = paid.some((one) => one.kind === 'plan' && one.line === granted.line && one.plan === granted.plan);
    return isPaid ? [] : [granted];
  }
  const same = paid.filter(
    (one) => one.kind === 'add-on' && one.purchase === granted.purchase && one.addOn === granted.addOn,
  );
  const quantity = same.reduce((left, one) => left - (one.kind === 'add-on' ? one.quantity : 0), granted.quantity);
  return quantity > 0 ? [{ ...granted, quantity }] : [];
}

/** All granted sales: the plan of each product line and all purchases. */
function grantedBy({ plans, purchases }: Organization): readonly Granted[] {
  const ofLines = ProductLine.options.flatMap((line) => {
    const held = saleInForce(plans[line]);
    return held ? [{ ...sourceOf(held, plans[line]), kind: 'plan' as const, line, plan: held.what.plan }] : [];
  });
  const ofPurchases = Object.entries(purchases).flatMap(([purchase, entries]) => {
    const held = saleInForce(entries);
    if (!held) return [];
    const { addOn, quantity } = held.what;
    return [{ ...sourceOf(held, entries), kind: 'add-on' as const, purchase, addOn, quantity }];
  });
  return [...ofLines, ...ofPurchases];
}

function sourceOf(held: ActiveSale<object>, entries: AnyEntries) {
  const { message, subscription } = held;
  const { event, effectiveAt } = startOfSale(entries, held);
  return {
    by: message === null ? ('hand' as const) : ('billing' as const),
    subscription,
    message,
    since: effectiveAt,
    event,
  };
}
