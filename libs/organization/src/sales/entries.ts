import type { EventRef, Immutable, Moment } from '@charter/decider';
import { isDeepEqual } from './deep-equal';

/**
 * A sale or the end of a sale, with the moment from which it is in force. Each entry comes from a billing message or
 * from a manual command.
 */
export type SaleEntry<What> = EventRef & {
  effectiveAt: Moment;
  /** The provider's subscription of the sale; null if the message or command names none. */
  subscription: string | null;
  /** The id of the provider's message; null for a manual command. */
  message: string | null;
  /** The plan or the purchase that was sold; null for an end. */
  what: What | null;
  /**
   * The older entries of this subscription, newest first. Older entries only determine from which moment the sale has
   * been in force (`runs.ts`).
   */
  earlier?: EarlierEntry<What>[];
};
/** An entry without `what` is a sale with the content of the next newer sale. A repetition thus needs little space. */
type EarlierEntry<What> = EventRef & { effectiveAt: Moment; message: string | null; what?: What | null };

export type ActiveSale<What> = Immutable<SaleEntry<What>> & { readonly what: Immutable<What> };

/**
 * Inserts an entry, which may arrive late (`decisions.md` 24). The list contains the newest sale of each subscription
 * and the ends after this sale. Only the entries in the list decide which sale is in force. Older entries move to
 * `earlier`. Every order of arrival therefore gives the same entries. A manual end always stays in the list, because it
 * also ends sales of other subscriptions that arrive later.
 */
export function insertSaleEntry<What>(entries: readonly SaleEntry<What>[], entry: SaleEntry<What>): SaleEntry<What>[] {
  const all = [...entries, entry];
  const own = all.filter(({ subscription }) => subscription === entry.subscription);
  const sold = newestEntry(own.filter((known) => !isEnd(known)));
  if (!sold) return all;
  const before = entries.find((known) => known.subscription === entry.subscription && !isEnd(known));
  const isOlder = (known: SaleEntry<What>) =>
    isEnd(known) ? known.subscription !== null && compareSaleEntries(known, sold) < 0 : known !== sold;
  const older = own.filter((known) => known !== before && isOlder(known));

  let earlier = before?.earlier ?? [];
  if (before && before !== sold) earlier = [earlierEntry(before, sold.what), ...earlier];
  for (const known of older) earlier = insertEarlier(earlier, known, sold.what);
  const newest = earlier === sold.earlier || earlier.length === 0 ? sold : { ...sold, earlier };
  return all
    .filter((known) => known.subscription !== entry.subscription || !isOlder(known))
    .map((known) => (known === sold ? newest : known));
}

/**
 * All entries of a list, including `earlier`, in no particular order. Repetitions of a sale share one object as `what`.
 */
export const allEntries = <What>(entries: readonly Immutable<SaleEntry<What>>[]): readonly ListedEntry<What>[] =>
  entries.flatMap(({ earlier, ...newest }) => {
    let content = newest.what;
    const older = earlier?.map((known) => {
      if (known.what) content = known.what;
      return { ...known, subscription: newest.subscription, what: known.what === undefined ? content : known.what };
    });
    return [newest, ...(older ?? [])] as ListedEntry<What>[]; // both types have the same fields
  });
export type ListedEntry<What> = Immutable<Omit<SaleEntry<What>, 'earlier'>>;

/**
 * Whether the list already contains an entry that equals the given entry.
 * @param mergesEqualMessages whether an entry of another message counts as equal. Two processes can receive two equal
 * messages at the same time. When a process handles one of two equal messages, it has perhaps not yet seen the other
 * message.
 */
export const isRepeatedEntry = <What>(
  entries: readonly Immutable<SaleEntry<What>>[],
  entry: Omit<SaleEntry<What>, keyof EventRef | 'earlier'>,
  mergesEqualMessages = false,
): boolean =>
  allEntries(entries).some(
    ({ subscription, effectiveAt, message, what }) =>
      subscription === entry.subscription &&
      effectiveAt === entry.effectiveAt &&
      (message === entry.message || (mergesEqualMessages && message !== null && entry.message !== null)) &&
      isDeepEqual(what, entry.what),
  );

export const isEnd = ({ what }: { what?: unknown }) => what === null;
export const isSold = <What>(entry: Immutable<SaleEntry<What>>): entry is ActiveSale<What> => !isEnd(entry);

type Comparable = EventRef & Readonly<{ effectiveAt: Moment; message: string | null; what?: unknown }>;

export const newestEntry = <Item extends Comparable>(items: readonly Item[]): Item | undefined =>
  items.reduce<Item | undefined>(
    (last, entry) => (last && compareSaleEntries(last, entry) > 0 ? last : entry),
    undefined,
  );

/**
 * Sorts older entries before newer ones. If two entries have the same moment, an end is newer than a sale, and a manual
 * entry is newer than a provider's entry. Of two messages, the message with the greater id is newer.
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

function insertEarlier<What>(
  earlier: readonly EarlierEntry<What>[],
  entry: SaleEntry<What>,
  newest: What | null,
): EarlierEntry<What>[] {
  const older = earlier.findIndex((known) => compareSaleEntries(known, entry) < 0);
  const index = older < 0 ? earlier.length : older;
  const newer = earlier.slice(0, index);
  const content = newer.findLast(({ what }) => what)?.what ?? newest;
  const rest = earlier.slice(index);
  if (!isEnd(entry)) {
    // The next older sale did not store its content, because a newer sale had the same content. The new entry is now
    // between these two sales, so the older sale must store its content.
    const next = rest.findIndex((known) => !isEnd(known));
    const following = rest[next];
    if (following && following.what === undefined) rest[next] = { ...following, what: content };
  }
  return [...newer, earlierEntry(entry, content), ...rest];
}

function earlierEntry<What>(
  { event, at, effectiveAt, message, what }: SaleEntry<What>,
  content: What | null,
): EarlierEntry<What> {
  return { event, at, effectiveAt, message, ...(hasSameText(what, content) ? {} : { what }) };
}

/** Whether two values have the same JSON text. The order of fields counts, because the state stores what was sold. */
const hasSameText = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);

/**
 * Stores the result of `work` for each list of entries, because all limits and features need the same result. A stored
 * result stays correct, because a list never changes: an event replaces the list by a new list.
 */
export function memoized<Answer extends (entries: readonly Immutable<SaleEntry<never>>[]) => unknown>(
  work: Answer,
): Answer {
  const known = new WeakMap<object, unknown>();
  const answer = (entries: readonly Immutable<SaleEntry<never>>[]) => {
    if (!known.has(entries)) known.set(entries, work(entries));
    return known.get(entries);
  };
  return answer as Answer; // the returned function has the same signature
}
