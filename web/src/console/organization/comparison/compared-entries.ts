import { isSameJson } from '../../moment/same-json';

/** How an entry of a list at the page's moment differs from the same entry now. */
export type Mark = 'removed' | 'added' | 'changed';

/** An entry of a list at the page's moment, beside the same entry of the present. */
export type ComparedEntry<Entry> = Readonly<{
  /** The entry at the page's moment; an entry that was added later has its present values. */
  entry: Entry;
  present: Entry | undefined;
  /** Missing if the page shows the present, or if nothing differs. */
  mark?: Mark;
}>;

/**
 * The entries of a list at the page's moment, then the entries that were added later.
 * @param present the list of the present, if the page shows the past
 * @param seen the values of an entry that the page shows; differences in other values are ignored
 */
export function comparedEntries<Entry extends Readonly<{ _id: string }>>(
  shown: readonly Entry[],
  present: readonly Entry[] | undefined,
  seen: (entry: Entry) => unknown = (entry) => entry,
): readonly ComparedEntry<Entry>[] {
  if (!present) return shown.map((entry) => ({ entry, present: undefined }));
  const now = new Map(present.map((entry) => [entry._id, entry]));
  const then = new Set(shown.map(({ _id }) => _id));
  const markOf = (entry: Entry, other: Entry | undefined): Pick<ComparedEntry<Entry>, 'mark'> => {
    if (!other) return { mark: 'removed' };
    return isSameJson(seen(entry), seen(other)) ? {} : { mark: 'changed' };
  };
  return [
    ...shown.map((entry) => {
      const other = now.get(entry._id);
      return { entry, present: other, ...markOf(entry, other) };
    }),
    ...present.filter(({ _id }) => !then.has(_id)).map((entry) => ({ entry, present: entry, mark: 'added' as const })),
  ];
}
