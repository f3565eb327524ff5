import { type Immutable, type Moment, momentAt, type Refusal, refuse } from '@charter/decider';
import {
  type ActiveSale,
  allEntries,
  compareSaleEntries,
  isEnd,
  isSold,
  type ListedEntry,
  memoized,
  newestEntry,
  type SaleEntry,
} from './entries';

/** The newest sale of each subscription, without ended sales, from old to new. The last of them is in force. */
export const heldSales = memoized(
  <What>(entries: readonly Immutable<SaleEntry<What>>[]): readonly ActiveSale<What>[] => {
    // The newest end of each subscription; under the key null, the newest manual end.
    const ends = new Map<string | null, Immutable<SaleEntry<What>>>();
    for (const entry of entries) {
      const known = ends.get(entry.subscription);
      if (isEnd(entry) && (!known || compareSaleEntries(entry, known) > 0)) ends.set(entry.subscription, entry);
    }
    const isEnded = (sold: ActiveSale<What>) =>
      [ends.get(sold.subscription), ends.get(null)].some(
        (end) => end !== undefined && compareSaleEntries(end, sold) > 0,
      );
    return entries
      .filter((entry): entry is ActiveSale<What> => isSold(entry) && !isEnded(entry))
      .toSorted(compareSaleEntries);
  },
);

/** The sale in force: the newest sale that has not ended; undefined if there is none. */
export const saleInForce = <What>(entries: readonly Immutable<SaleEntry<What>>[]): ActiveSale<What> | undefined =>
  heldSales<What>(entries).at(-1);

/** The part of a billing message's sale that decides where the sale stands among the recorded entries. */
type SalePlace = Pick<SaleEntry<unknown>, 'effectiveAt' | 'subscription' | 'message'>;

/**
 * The content of the recorded sale that a billing message continues; undefined if the message begins a new sale. A
 * continued sale keeps its terms (`decisions.md` 19). The place of the message counts, not its arrival
 * (`decisions.md` 24). The message continues the first of these sales that `isSame` accepts:
 *
 * 1. the sale in force directly before the message, also of another subscription;
 * 2. the message's neighbour before it among the entries of its subscription;
 * 3. the message's neighbour after it among these entries, because the message may be late.
 *
 * If the neighbour is an end, or a sale that `isSame` does not accept, the message does not continue it.
 */
export function continuedSale<What>(
  entries: readonly Immutable<SaleEntry<What>>[],
  { effectiveAt, subscription, message }: SalePlace,
  isSame: (what: Immutable<What>) => boolean,
): Immutable<What> | undefined {
  // Behind a recorded entry with the same moment and message, because that entry records the same message.
  const place = { effectiveAt, message, event: Infinity, at: effectiveAt };
  const all = allEntries(entries);
  const before = all.filter((entry) => compareSaleEntries(entry, place) < 0);
  const isOwn = (entry: ListedEntry<What>) =>
    entry.subscription === subscription || (isEnd(entry) && entry.subscription === null);
  const own = all.filter(isOwn).toSorted(compareSaleEntries);
  const next = own.findIndex((entry) => compareSaleEntries(entry, place) > 0);
  const position = next < 0 ? own.length : next;
  const continued = [saleInForce<What>(before)?.what, own[position - 1]?.what, own[position]?.what];
  return continued.find((what) => what && isSame(what)) ?? undefined;
}

/** A sale that has ended, and its first end. */
type EndedSale<What> = Readonly<{ sold: ActiveSale<What>; end: Immutable<SaleEntry<What>> }>;

/**
 * Sorts the sale that ended last to the front. If messages end two sales at the same moment, the newer sale ended last.
 * The order of these messages does not count: Charter may have recorded an end before a late message moved the end to a
 * later moment (`decisions.md` 24). Manual ends never move, so their order counts.
 */
export function compareEndedSales(a: EndedSale<unknown>, b: EndedSale<unknown>): number {
  const areMessages = a.end.message !== null && b.end.message !== null;
  const isTie = areMessages && a.end.effectiveAt === b.end.effectiveAt;
  return (isTie ? 0 : compareSaleEntries(b.end, a.end)) || compareSaleEntries(b.sold, a.sold);
}

/**
 * The sale that ended last, and its end. While no plan is held, the limits of that sale still apply (`decisions.md`
 * 18).
 */
export const lastEndedSale = memoized(
  <What>(entries: readonly Immutable<SaleEntry<What>>[]): EndedSale<What> | undefined => {
    const ends = Map.groupBy(entries.filter(isEnd).sort(compareSaleEntries), ({ subscription }) => subscription);
    /**
     * The first end after a sale: an end of the sale's subscription, or a manual end, which ends all sales of the list.
     */
    const endOf = (sold: ActiveSale<What>) =>
      [ends.get(sold.subscription), ends.get(null)]
        .flatMap((found) => found?.find((end) => compareSaleEntries(end, sold) > 0) ?? [])
        .sort(compareSaleEntries)[0];
    const ended = entries.filter(isSold<What>).flatMap((sold) => {
      const end = endOf(sold);
      return end ? [{ sold, end }] : [];
    });
    return ended.sort(compareEndedSales)[0];
  },
);

/**
 * The moment at which a manual command takes effect. The moment is not before any recorded entry, so a manual command
 * always has an effect.
 */
export function momentAfterAll<What>(entries: readonly Immutable<SaleEntry<What>>[], at: Moment, end: boolean): Moment {
  const last = newestEntry(entries);
  if (!last || last.effectiveAt < at) return at;
  // If a sale and an end have the same moment, the end counts as newer. A new sale after an end must therefore be one
  // millisecond later than the end.
  const ended = entries.some((entry) => isEnd(entry) && entry.effectiveAt === last.effectiveAt);
  return !end && ended ? nextMillisecond(last.effectiveAt) : last.effectiveAt;
}

/**
 * Selects the entries that decide which sale a new end applies to (`decisions.md` 24). If the end names a subscription,
 * these are the sales of that subscription, and all ends; otherwise all entries.
 */
export const affectedByEnd = <What>(subscription: string | undefined, entries: readonly Immutable<SaleEntry<What>>[]) =>
  entries.filter((entry) => isEnd(entry) || !subscription || entry.subscription === subscription);

/**
 * The tolerance for differences between clocks: five minutes. Charter refuses an `effectiveAt` that is further ahead,
 * because `effectiveAt` only orders entries and does not schedule them (`decisions.md` 24).
 */
const CLOCKS_DIFFER_MS = 5 * 60_000;
export const refusalOfFuture = (
  effectiveAt: Moment | undefined,
  at: Moment,
): Refusal<'not-yet-effective'> | undefined =>
  effectiveAt !== undefined && Date.parse(effectiveAt) > Date.parse(at) + CLOCKS_DIFFER_MS
    ? refuse('not-yet-effective', `${effectiveAt} is in the future.`, { effectiveAt })
    : undefined;

const nextMillisecond = (moment: Moment) => momentAt(Date.parse(moment) + 1);
