import { type EventRef, type Immutable, type Moment, momentAt } from '@charter/decider';
import { type ActiveSale, allEntries, compareSaleEntries, type ListedEntry, memoized, type SaleEntry } from './entries';
import { isDeepEqual } from './deep-equal';
import type { Organization, Plan, Purchase } from '../state';

/** The event that the reasons of a sale name, and the moment from which the sale has been in force. */
export type SaleStart = EventRef & Readonly<{ effectiveAt: Moment }>;

/**
 * A series of sales with the same content. Each sale began while the previous sale was in force (`decisions.md` 24).
 */
type Run<What> = { content: Immutable<What>; sales: Placed<What>[]; ended: number };
/** A sale with its index among all entries in the order of their moments. */
type Placed<What> = Readonly<{ place: number; sale: ListedEntry<What> }>;

/** The start of a sale: the first sale of its run (see `Run`) that no later end has ended. */
export const startOfSale = <What>(
  entries: readonly Immutable<SaleEntry<What>>[],
  sold: ActiveSale<What>,
): SaleStart => {
  const { event, at, effectiveAt } = runsIn(entries).starts.get(sold.event) ?? sold;
  return { event, at, effectiveAt };
};

/**
 * The sales that repeat the sale in force. Each key is the revision of a repetition, each value the revision of the
 * repeated event.
 */
export const repetitionsOf = ({ plans, purchases }: Organization): ReadonlyMap<number, number> =>
  new Map([
    ...Object.values(plans).flatMap((entries) => [...runsIn<Plan>(entries).repetitions]),
    ...Object.values(purchases).flatMap((entries) => [...runsIn<Purchase>(entries).repetitions]),
  ]);

/**
 * Goes through the entries in the order of their moments. For each sale that was in force, `starts` contains the start
 * of the sale's run. For each sale that only repeats the sale in force, `repetitions` contains the revision of the
 * start that the sale repeats. The keys are revisions.
 */
const runsIn = memoized(<What>(entries: readonly Immutable<SaleEntry<What>>[]) => {
  const starts = new Map<number, SaleStart>();
  const repetitions = new Map<number, number>();
  const lastEnd = new Map<string | null, number>();
  /** For each subscription that has not ended, the newest sale with its run; sorted from old to new. */
  const held = new Map<string | null, { sale: ListedEntry<What>; run: Run<What> }>();

  for (const [place, entry] of inOrder(entries).entries()) {
    const { subscription, what } = entry;
    if (what === null) {
      lastEnd.set(subscription, place);
      if (subscription === null) held.clear();
      else held.delete(subscription);
    } else {
      const before = [...held.values()].at(-1)?.run;
      const run = before && isDeepEqual(before.content, what) ? before : { content: what, sales: [], ended: 0 };
      run.sales.push({ place, sale: entry });
      held.delete(subscription);
      held.set(subscription, { sale: entry, run });
    }
    const inForce = [...held.values()].at(-1);
    if (!inForce) continue;
    const start = firstHolding(inForce.run, lastEnd);
    starts.set(inForce.sale.event, start);
    repetitions.delete(start.event); // a reason names this event, so it is no repetition
    if (inForce.sale === entry && start !== entry) repetitions.set(entry.event, start.event);
  }
  return { starts, repetitions };
});

/** The first sale of a run that no later end of its subscription has ended. */
function firstHolding<What>(run: Run<What>, lastEnd: ReadonlyMap<string | null, number>): ListedEntry<What> {
  const hasEnded = ({ place, sale }: Placed<What>) => (lastEnd.get(sale.subscription) ?? -1) > place;
  while (hasEnded(run.sales[run.ended]!)) run.ended += 1; // stops at the sale in force, which has not ended
  return run.sales[run.ended]!.sale;
}

/** The entries in the order of their moments, without the sales for which `hasMoved` is true. */
function inOrder<What>(entries: readonly Immutable<SaleEntry<What>>[]): readonly ListedEntry<What>[] {
  const sorted = allEntries(entries).toSorted(compareSaleEntries);
  return sorted.filter((entry, index) => !hasMoved(entry, sorted, index));
}

/**
 * Whether a message's sale was recorded again some milliseconds later. Charter records Stripe's messages of one second
 * with moments one millisecond apart. If a message of the second arrives late, Charter records the messages after it
 * again with later moments (`billing-messages.md`). So if one message has several sales within `MOVES_WITHIN_MS`, only
 * the last of them counts. Charter records several messages with equal content as one sale, with the id of one of these
 * messages. Later, Charter may record the sale again with the id of another of these messages. So if one subscription
 * has equal sales within `RENAMED_WITHIN_MS`, only the last of them counts, too. Other equal sales are messages with
 * times of their own, for example two CloudEvents.
 */
function hasMoved<What>(entry: ListedEntry<What>, sorted: readonly ListedEntry<What>[], index: number): boolean {
  if (entry.what === null || entry.message === null) return false;
  const since = Date.parse(entry.effectiveAt);
  const [until, renamedUntil] = [momentAt(since + MOVES_WITHIN_MS), momentAt(since + RENAMED_WITHIN_MS)];
  for (let next = index + 1; next < sorted.length && sorted[next]!.effectiveAt < until; next += 1) {
    const { subscription, message, what, effectiveAt } = sorted[next]!;
    const isSameMessage =
      message === entry.message || (message !== null && subscription !== null && effectiveAt < renamedUntil);
    if (subscription === entry.subscription && isSameMessage && isDeepEqual(what, entry.what)) return true;
  }
  return false;
}
/**
 * The maximum number of milliseconds between the two moments of a moved sale. The maximum is lower than the distance
 * between the moments of two message types in the same second (`decisions.md` 24).
 */
const MOVES_WITHIN_MS = 200;
/**
 * The maximum number of milliseconds between two equal sales, if another message with equal content records a sale
 * again.
 */
const RENAMED_WITHIN_MS = 10;
