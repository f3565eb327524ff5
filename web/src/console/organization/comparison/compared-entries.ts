import { unequalPaths } from '../../moment/steps/unequal-paths';

/** How an entry changed between the two sides of a comparison. */
export type Mark = 'removed' | 'added' | 'changed';

/** An entry of a list at the page's moment, beside the same entry at the other side of the comparison. */
export type ComparedEntry<Entry> = Readonly<{
  /**
   * The entry at the page's moment. If the entry exists only at the other side of the comparison, its values come from
   * that side.
   */
  entry: Entry;
  other: Entry | undefined;
  /** Whether the entry exists at the page's moment. */
  isHere: boolean;
  /** Absent if the page compares with nothing, or if nothing differs. */
  mark?: Mark;
}>;

/** A list at the other side of a comparison. */
type OtherList<Entry> = Readonly<{
  /** Undefined until the service has answered. */
  list: readonly Entry[] | undefined;
  /** Whether the other side is before the page's moment. */
  isEarlier: boolean;
}>;

/**
 * The entries of a list at the page's moment, then the entries that exist only at the other side.
 * @param other undefined if the page compares with nothing
 * @param seen the values of an entry that the page shows; differences in other values are ignored
 */
export function comparedEntries<Entry extends Readonly<{ _id: string }>>(
  shown: readonly Entry[],
  other: OtherList<Entry> | undefined,
  seen: (entry: Entry) => unknown = (entry) => entry,
): readonly ComparedEntry<Entry>[] {
  if (!other?.list) return shown.map((entry) => ({ entry, other: undefined, isHere: true }));
  const there = new Map(other.list.map((entry) => [entry._id, entry]));
  const here = new Set(shown.map(({ _id }) => _id));
  const [onlyHere, onlyThere] = other.isEarlier ? (['added', 'removed'] as const) : (['removed', 'added'] as const);
  const markOf = (entry: Entry, counterpart: Entry | undefined): Pick<ComparedEntry<Entry>, 'mark'> => {
    if (!counterpart) return { mark: onlyHere };
    return unequalPaths(seen(entry), seen(counterpart)).length === 0 ? {} : { mark: 'changed' };
  };
  return [
    ...shown.map((entry) => {
      const counterpart = there.get(entry._id);
      return { entry, other: counterpart, isHere: true, ...markOf(entry, counterpart) };
    }),
    ...other.list
      .filter(({ _id }) => !here.has(_id))
      .map((entry) => ({ entry, other: entry, isHere: false, mark: onlyThere })),
  ];
}
