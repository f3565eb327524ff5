import type { Immutable, Moment, Told } from '@charter/decider';

/** What billing or a person said holds from a moment on: something sold, or its end. */
export type News<What> = Told & {
  effectiveAt: Moment;
  /** The provider's subscription that brought it; null when a person said it by hand. */
  subscription: string | null;
  /** The provider's message that said it; null when a person did. */
  message: string | null;
  /** Nothing: the end of what was sold. */
  what: What | null;
};
export type Sold<What> = Immutable<News<What>> & { readonly what: Immutable<What> };

/**
 * Late news finds its place (`decisions.md` 24). Of each subscription its newest assignment is kept, with the ends that
 * follow it: nothing older can ever count again, so every order of arrival ends in the same few facts. An end by hand is
 * always kept, for it ends what any subscription brought, also what is heard of later.
 */
export function heard<What>(news: readonly News<What>[], item: News<What>): News<What>[] {
  const all = [...news, item];
  const sold = newest(all.filter(({ subscription, what }) => subscription === item.subscription && what !== null));
  const counts = (known: News<What>) =>
    isEnd(known) ? known.subscription === null || !sold || compare(known, sold) > 0 : known === sold;
  return all.filter((known) => known.subscription !== item.subscription || counts(known));
}

/** What the newest news says is held, or nothing. */
export const inForce = remembering(<What>(news: readonly Immutable<News<What>>[]): Sold<What> | undefined => {
  const ends = new Map<string | null, Immutable<News<What>>>(); // the newest of each subscription, and by hand
  for (const item of news) {
    const known = ends.get(item.subscription);
    if (isEnd(item) && (!known || compare(item, known) > 0)) ends.set(item.subscription, item);
  }
  const isEnded = (sold: Sold<What>) =>
    [ends.get(sold.subscription), ends.get(null)].some((end) => end !== undefined && compare(end, sold) > 0);
  return newest(news.filter((item): item is Sold<What> => isSold(item) && !isEnded(item)));
});

/** What ended last, and when: for counting goes on by its limits when nothing is held (`decisions.md` 18). */
export const endedLast = remembering(
  <What>(news: readonly Immutable<News<What>>[]): { sold: Sold<What>; end: Immutable<News<What>> } | undefined => {
    const ends = Map.groupBy(news.filter(isEnd).sort(compare), ({ subscription }) => subscription);
    /** The first end that this was followed by: of its own subscription, or by hand, which ends the whole line. */
    const endOf = (sold: Sold<What>) =>
      [ends.get(sold.subscription), ends.get(null)]
        .flatMap((found) => found?.find((end) => compare(end, sold) > 0) ?? [])
        .sort(compare)[0];
    const ended = news.filter(isSold<What>).flatMap((sold) => {
      const end = endOf(sold);
      return end ? [{ sold, end }] : [];
    });
    return ended.sort((a, b) => compare(b.end, a.end) || compare(b.sold, a.sold))[0];
  },
);

/** By hand: a moment at which this news counts, whatever was heard before, so that a person's word always does. */
export function afterAll<What>(news: readonly Immutable<News<What>>[], at: Moment, end: boolean): Moment {
  const last = newest(news);
  if (!last || last.effectiveAt < at) return at;
  // An end beats an assignment of the same moment, so only an assignment must step behind an end.
  const ended = news.some((item) => isEnd(item) && item.effectiveAt === last.effectiveAt);
  return !end && ended ? nextMillisecond(last.effectiveAt) : last.effectiveAt;
}

/** Whether exactly this was said already, and said last, for this subscription. */
export const isRepeated = <What>(news: readonly Immutable<News<What>>[], item: Omit<News<What>, keyof Told>): boolean =>
  news.some(
    (known) =>
      known.subscription === item.subscription &&
      known.effectiveAt === item.effectiveAt &&
      known.message === item.message &&
      isSame(known.what, item.what),
  );

/** The same thing sold on the same terms, word for word. */
export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** What an end that names this subscription can end; without one, everything (`decisions.md` 24). */
export const endedBy = <What>(subscription: string | undefined, news: readonly Immutable<News<What>>[]) =>
  news.filter((item) => isEnd(item) || !subscription || item.subscription === subscription);

/** Five minutes: the tolerance for clocks that differ. `effectiveAt` orders; it does not schedule (`decisions.md` 24). */
const CLOCKS_DIFFER_MS = 5 * 60_000;
export const tooFarAhead = (effectiveAt: Moment, at: Moment): boolean =>
  Date.parse(effectiveAt) > Date.parse(at) + CLOCKS_DIFFER_MS;

const isEnd = ({ what }: { what: unknown }) => what === null;
const isSold = <What>(item: Immutable<News<What>>): item is Sold<What> => !isEnd(item);

type Placed = Told & Readonly<{ effectiveAt: Moment; message: string | null; what: unknown }>;

const newest = <Item extends Placed>(items: readonly Item[]): Item | undefined =>
  items.reduce<Item | undefined>((last, item) => (last && compare(last, item) > 0 ? last : item), undefined);

/** Older before newer. At equal moments an end beats an assignment, a person a provider, then the greater message id. */
export function compare(a: Placed, b: Placed): number {
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
function remembering<Answer extends (news: readonly Immutable<News<never>>[]) => unknown>(work: Answer): Answer {
  const known = new WeakMap<object, unknown>();
  const answer = (news: readonly Immutable<News<never>>[]) => {
    if (!known.has(news)) known.set(news, work(news));
    return known.get(news);
  };
  return answer as Answer; // the same answers, remembered
}
