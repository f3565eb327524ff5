import type { Immutable, Moment } from '@charter/decider';
import {
  saleInForce,
  ProductLine,
  type SaleEntry,
  saleEntriesOf,
  type Organization,
  type ActiveSale,
} from '@charter/organization';
import type { BillingFact, Hold } from './fact';
import { type PaidItem, paidAt } from './paid-items';

/** Something that is granted. */
type Granted = Readonly<{
  /** `hand`: a person or a program said so, and not the provider. */
  by: 'hand' | 'billing';
  subscription: string | null;
  message: string | null;
  since: Moment;
  /** The revision of the event that grants it. */
  event: number;
}> &
  Hold;

/**
 * Why what is paid for is not granted: `unknown-price`, it names nothing in the catalogue; `another-plan-holds`, for a line has
 * one plan and another one is newer (`decisions.md` 24); `changed-by-hand`; `fewer-granted` than paid for; `not-recorded`, for no
 * event says so: the message waits, or was dismissed.
 */
type NotGranted = 'unknown-price' | 'another-plan-holds' | 'changed-by-hand' | 'fewer-granted' | 'not-recorded';

export type Reconciliation = Readonly<{
  at: Moment;
  /** In both lists a quantity is what is missing on the other side. */
  paidAndNotGranted: readonly (PaidItem & Readonly<{ reason: NotGranted }>)[];
  grantedAndNotPaid: readonly Granted[];
}>;

/**
 * What was paid for and not granted, and granted and not paid for, at a moment.
 * @param id the organization's
 * @param organization as it was in force at that moment
 * @param facts of all messages of its subscriptions, and of those that may be its own, whatever became of them
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
    paidAndNotGranted: paid.flatMap((one) => lackOf(one, organization)),
    grantedAndNotPaid: grantedBy(organization).flatMap((one) => surplusOf(one, paid)),
  };
}

function lackOf(paid: PaidItem, organization: Organization): Reconciliation['paidAndNotGranted'] {
  if (paid.kind === 'unknown') return [{ ...paid, reason: 'unknown-price' }];
  if (paid.kind === 'plan') {
    const news = organization.plans[paid.line];
    const held = saleInForce(news);
    return held?.what.plan === paid.plan ? [] : [{ ...paid, reason: reasonFor(paid, news, held) }];
  }
  const news = saleEntriesOf(organization, paid.purchase);
  const held = saleInForce(news);
  if (held?.what.addOn !== paid.addOn) return [{ ...paid, reason: reasonFor(paid, news, held) }];
  const missing = paid.quantity - held.what.quantity;
  const reason = held.message === null ? 'changed-by-hand' : 'fewer-granted';
  return missing > 0 ? [{ ...paid, quantity: missing, reason }] : [];
}

type AnyNews = readonly Immutable<SaleEntry<object>>[];

function reasonFor({ message, since }: PaidItem, news: AnyNews, held: ActiveSale<object> | undefined): NotGranted {
  if (held?.message === null) return 'changed-by-hand';
  if (!held && news.some((item) => item.what === null && item.message === null && item.effectiveAt >= since))
    return 'changed-by-hand';
  return held && news.some((item) => item.message === message) ? 'another-plan-holds' : 'not-recorded';
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

/** All that is granted: the plan of each line, and every purchase. */
function grantedBy({ plans, purchases }: Organization): readonly Granted[] {
  const ofLines = ProductLine.options.flatMap((line) => {
    const held = saleInForce(plans[line]);
    return held ? [{ ...sourceOf(held), kind: 'plan' as const, line, plan: held.what.plan }] : [];
  });
  const ofPurchases = Object.entries(purchases).flatMap(([purchase, news]) => {
    const held = saleInForce(news);
    if (!held) return [];
    const { addOn, quantity } = held.what;
    return [{ ...sourceOf(held), kind: 'add-on' as const, purchase, addOn, quantity }];
  });
  return [...ofLines, ...ofPurchases];
}

const sourceOf = ({ message, subscription, effectiveAt, event }: ActiveSale<object>) => ({
  by: message === null ? ('hand' as const) : ('billing' as const),
  subscription,
  message,
  since: effectiveAt,
  event,
});
