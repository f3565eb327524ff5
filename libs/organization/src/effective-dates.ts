import type { Immutable, Moment, EventRef } from '@charter/decider';

/** A sale or an end of a sale, and the moment from which it is in force. It comes from billing or a manual command. */
export type SaleEntry<What> = EventRef & {
  effectiveAt: Moment;
  /** The provider's subscription of the sale; null if it was sold manually. */
  subscription: string | null;
  /** The id of the provider's message; null if the entry was sent manually. */
  message: string | null;
  /** The sold plan or amount; null for an end. */
  what: What | null;
};
export type ActiveSale<What> = Immutable<SaleEntry<What>> & { readonly what: Immutable<What> };

/**
 * Inserts an entry into a list; it may arrive later than newer entries (`decisions.md` 24). The list keeps the newest
 * sale of each subscription and the ends that follow it. An older entry can never be in force later, so every order of
 * arrival gives the same list. A manual end is always kept, because it also ends sales of other subscriptions that
 * arrive after it.
 */
export function insertSaleEntry<What>(entries: readonly SaleEntry<What>[], entry: SaleEntry<What>): SaleEntry<What>[] {
  const all = [...entries, entry];
  const sold = newest(all.filter(({ subscription, what }) => subscription === entry.subscription && what !== null));
  const counts = (known: SaleEntry<What>) =>
    isEnd(known) ? known.subscription === null || !sold || compareSaleEntries(known, sold) > 0 : known === sold;
  return all.filter((known) => known.subscription !== entry.subscription || counts(known));
}

/** The sale in force according to the newest entries; undefined if there is none. */
export const saleInForce = memoized(
  <What>(entries: readonly Immutable<SaleEntry<What>>[]): ActiveSale<What> | undefined => {
    // The newest entry of each subscription; null stands for manual entries.
    const ends = new Map<string | null, Immutable<SaleEntry<What>>>();
    for (const entry of entries) {
      const known = ends.get(entry.subscription);
      if (isEnd(entry) && (!known || compareSaleEntries(entry, known) > 0)) ends.set(entry.subscription, entry);
    }
    const isEnded = (sold: ActiveSale<What>) =>
      [ends.get(sold.subscription), ends.get(null)].some(
        (end) => end !== undefined && compareSaleEntries(end, sold) > 0,
      );
    return newest(entries.filter((entry): entry is ActiveSale<What> => isSold(entry) && !isEnded(entry)));
  },
);

/**
 * The sale that ended last, and its end. The limits of that sale stay in force while no plan is held (`decisions.md`
 * 18).
 */
export const lastEndedSale = memoized(
  <What>(
    entries: readonly Immutable<SaleEntry<What>>[],
  ): { sold: ActiveSale<What>; end: Immutable<SaleEntry<What>> } | undefined => {
    const ends = Map.groupBy(entries.filter(isEnd).sort(compareSaleEntries), ({ subscription }) => subscription);
    /** The first end after a sale: an end of the sale's subscription, or a manual end, which ends the whole line. */
    const endOf = (sold: ActiveSale<What>) =>
      [ends.get(sold.subscription), ends.get(null)]
        .flatMap((found) => found?.find((end) => compareSaleEntries(end, sold) > 0) ?? [])
        .sort(compareSaleEntries)[0];
    const ended = entries.filter(isSold<What>).flatMap((sold) => {
      const end = endOf(sold);
      return end ? [{ sold, end }] : [];
    });
    return ended.sort((a, b) => compareSaleEntries(b.end, a.end) || compareSaleEntries(b.sold, a.sold))[0];
  },
);

/**
 * The moment at which a manual command takes effect. It is not before any recorded entry, so that the manual command
 * always takes effect.
 */
export function momentAfterAll<What>(entries: readonly Immutable<SaleEntry<What>>[], at: Moment, end: boolean): Moment {
  const last = newest(entries);
  if (!last || last.effectiveAt < at) return at;
  // At equal moments an end wins over a sale, so only a sale must be moved behind an end.
  const ended = entries.some((entry) => isEnd(entry) && entry.effectiveAt === last.effectiveAt);
  return !end && ended ? nextMillisecond(last.effectiveAt) : last.effectiveAt;
}

/** Whether the list already contains an equal entry for this subscription. */
export const isRepeatedEntry = <What>(
  entries: readonly Immutable<SaleEntry<What>>[],
  entry: Omit<SaleEntry<What>, keyof EventRef>,
): boolean =>
  entries.some(
    (known) =>
      known.subscription === entry.subscription &&
      known.effectiveAt === entry.effectiveAt &&
      known.message === entry.message &&
      isDeepEqual(known.what, entry.what),
  );

/** Whether two sales have equal terms. */
export const isDeepEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The entries that an end of this subscription can end; without a subscription, all entries (`decisions.md` 24). */
export const affectedByEnd = <What>(subscription: string | undefined, entries: readonly Immutable<SaleEntry<What>>[]) =>
  entries.filter((entry) => isEnd(entry) || !subscription || entry.subscription === subscription);

/**
 * Five minutes, the tolerance for differences between clocks. `effectiveAt` only orders entries; it does not schedule
 * them (`decisions.md` 24).
 */
const CLOCKS_DIFFER_MS = 5 * 60_000;
export const isTooFarAhead = (effectiveAt: Moment, at: Moment): boolean =>
  Date.parse(effectiveAt) > Date.parse(at) + CLOCKS_DIFFER_MS;

const isEnd = ({ what }: { what: unknown }) => what === null;
const isSold = <What>(entry: Immutable<SaleEntry<What>>): entry is ActiveSale<What> => !isEnd(entry);

type Comparable = EventRef & Readonly<{ effectiveAt: Moment; message: string | null; what: unknown }>;

const newest = <Item extends Comparable>(items: readonly Item[]): Item | undefined =>
  items.reduce<Item | undefined>(
    (last, entry) => (last && compareSaleEntries(last, entry) > 0 ? last : entry),
    undefined,
  );

/**
 * Sorts older entries before newer ones. Of entries with the same moment, an end is newer than a sale, a manual entry
 * newer than a provider's, and the greater message id newer than the smaller one.
 */
export function compareSaleEntries(a: Comparable, b: Comparable): number {
  return (
    compareText(a.effectiveAt, b.effectiveAt) ||
    Number(isEnd(a)) - Number(isEnd(b)) ||
    Number(a.message === null) - Number(b.message === null) ||
    compareText(a.message ?? '', b.message ?? '') ||
    a.event - b.event
  );
}

const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const nextMillisecond = (moment: Moment) => new Date(Date.parse(moment) + 1).toISOString();

/**
 * A list of entries is replaced by a new list and never changed. So the result for each list is computed once and used
 * for all limits and features.
 */
function memoized<Answer extends (entries: readonly Immutable<SaleEntry<never>>[]) => unknown>(work: Answer): Answer {
  const known = new WeakMap<object, unknown>();
  const answer = (entries: readonly Immutable<SaleEntry<never>>[]) => {
    if (!known.has(entries)) known.set(entries, work(entries));
    return known.get(entries);
  };
  return answer as Answer; // the returned function has the same signature
}
