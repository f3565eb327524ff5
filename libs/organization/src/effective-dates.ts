import type { Immutable, Moment, EventRef } from '@charter/decider';

/** What billing or a person said holds from a moment on: something sold, or its end. */
export type SaleEntry<What> = EventRef & {
  effectiveAt: Moment;
  /** The provider's subscription that brought it; null when a person said it by hand. */
  subscription: string | null;
  /** The provider's message that said it; null when a person did. */
  message: string | null;
  /** Nothing: the end of what was sold. */
  what: What | null;
};
export type ActiveSale<What> = Immutable<SaleEntry<What>> & { readonly what: Immutable<What> };

/**
 * Late news finds its place (`decisions.md` 24). Of each subscription its newest assignment is kept, with the ends that
 * follow it: nothing older can ever count again, so every order of arrival ends in the same few facts. An end by hand is
 * always kept, for it ends what any subscription brought, also what is heard of later.
 */
export function insertSaleEntry<What>(news: readonly SaleEntry<What>[], item: SaleEntry<What>): SaleEntry<What>[] {
  const all = [...news, item];
  const sold = newest(all.filter(({ subscription, what }) => subscription === item.subscription && what !== null));
  const counts = (known: SaleEntry<What>) =>
    isEnd(known) ? known.subscription === null || !sold || compareSaleEntries(known, sold) > 0 : known === sold;
  return all.filter((known) => known.subscription !== item.subscription || counts(known));
}

/** What the newest news says is held, or nothing. */
export const saleInForce = remembering(
  <What>(news: readonly Immutable<SaleEntry<What>>[]): ActiveSale<What> | undefined => {
    const ends = new Map<string | null, Immutable<SaleEntry<What>>>(); // the newest of each subscription, and by hand
    for (const item of news) {
      const known = ends.get(item.subscription);
      if (isEnd(item) && (!known || compareSaleEntries(item, known) > 0)) ends.set(item.subscription, item);
    }
    const isEnded = (sold: ActiveSale<What>) =>
      [ends.get(sold.subscription), ends.get(null)].some(
        (end) => end !== undefined && compareSaleEntries(end, sold) > 0,
      );
    return newest(news.filter((item): item is ActiveSale<What> => isSold(item) && !isEnded(item)));
  },
);

/** What ended last, and when: for counting goes on by its limits when nothing is held (`decisions.md` 18). */
export const lastEndedSale = remembering(
  <What>(
    news: readonly Immutable<SaleEntry<What>>[],
  ): { sold: ActiveSale<What>; end: Immutable<SaleEntry<What>> } | undefined => {
    const ends = Map.groupBy(news.filter(isEnd).sort(compareSaleEntries), ({ subscription }) => subscription);
    /** The first end that this was followed by: of its own subscription, or by hand, which ends the whole line. */
    const endOf = (sold: ActiveSale<What>) =>
      [ends.get(sold.subscription), ends.get(null)]
        .flatMap((found) => found?.find((end) => compareSaleEntries(end, sold) > 0) ?? [])
        .sort(compareSaleEntries)[0];
    const ended = news.filter(isSold<What>).flatMap((sold) => {
      const end = endOf(sold);
      return end ? [{ sold, end }] : [];
    });
    return ended.sort((a, b) => compareSaleEntries(b.end, a.end) || compareSaleEntries(b.sold, a.sold))[0];
  },
);

/** By hand: a moment at which this news counts, whatever was heard before, so that a person's word always does. */
export function momentAfterAll<What>(news: readonly Immutable<SaleEntry<What>>[], at: Moment, end: boolean): Moment {
  const last = newest(news);
  if (!last || last.effectiveAt < at) return at;
  // An end beats an assignment of the same moment, so only an assignment must step behind an end.
  const ended = news.some((item) => isEnd(item) && item.effectiveAt === last.effectiveAt);
  return !end && ended ? nextMillisecond(last.effectiveAt) : last.effectiveAt;
}

/** Whether exactly this was said already, and said last, for this subscription. */
export const isRepeatedEntry = <What>(
  news: readonly Immutable<SaleEntry<What>>[],
  item: Omit<SaleEntry<What>, keyof EventRef>,
): boolean =>
  news.some(
    (known) =>
      known.subscription === item.subscription &&
      known.effectiveAt === item.effectiveAt &&
      known.message === item.message &&
      isDeepEqual(known.what, item.what),
  );

/** The same thing sold on the same terms, word for word. */
export const isDeepEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** What an end that names this subscription can end; without one, everything (`decisions.md` 24). */
export const affectedByEnd = <What>(subscription: string | undefined, news: readonly Immutable<SaleEntry<What>>[]) =>
  news.filter((item) => isEnd(item) || !subscription || item.subscription === subscription);

/** Five minutes: the tolerance for clocks that differ. `effectiveAt` orders; it does not schedule (`decisions.md` 24). */
const CLOCKS_DIFFER_MS = 5 * 60_000;
export const isTooFarAhead = (effectiveAt: Moment, at: Moment): boolean =>
  Date.parse(effectiveAt) > Date.parse(at) + CLOCKS_DIFFER_MS;

const isEnd = ({ what }: { what: unknown }) => what === null;
const isSold = <What>(item: Immutable<SaleEntry<What>>): item is ActiveSale<What> => !isEnd(item);

type Placed = EventRef & Readonly<{ effectiveAt: Moment; message: string | null; what: unknown }>;

const newest = <Item extends Placed>(items: readonly Item[]): Item | undefined =>
  items.reduce<Item | undefined>((last, item) => (last && compareSaleEntries(last, item) > 0 ? last : item), undefined);

/** Older before newer. At equal moments an end beats an assignment, a person a provider, then the greater message id. */
export function compareSaleEntries(a: Placed, b: Placed): number {
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

/** News is never written to, only replaced: what a list says is worked out once, however many limits and features ask. */
function remembering<Answer extends (news: readonly Immutable<SaleEntry<never>>[]) => unknown>(work: Answer): Answer {
  const known = new WeakMap<object, unknown>();
  const answer = (news: readonly Immutable<SaleEntry<never>>[]) => {
    if (!known.has(news)) known.set(news, work(news));
    return known.get(news);
  };
  return answer as Answer; // the same answers, remembered
}
