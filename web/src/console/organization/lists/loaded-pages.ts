/** A list that the browser loads page by page: an infinite query, whose pages contain entries of one type. */
type PagedQuery<Page> = Readonly<{
  data?: Readonly<{ pages: readonly Page[] }> | undefined;
  isLoading: boolean;
  isFetching: boolean;
  error?: unknown;
  hasNextPage: boolean;
  fetchNextPage: () => unknown;
  refetch: () => unknown;
}>;

/**
 * The loaded entries of a list: first the entries at the page's moment, then the entries at the other side of the
 * comparison. A page that compares needs the names in both lists.
 * @param other the list at the other side; undefined if the page compares with nothing
 */
export function loadedPages<Page extends Readonly<{ inAll: number }>, Entry>(
  shown: PagedQuery<Page>,
  other: PagedQuery<Page> | undefined,
  entriesOf: (page: Page) => readonly Entry[],
) {
  const lists = other ? [shown, other] : [shown];
  const loaded = ({ data }: PagedQuery<Page>) => data?.pages.flatMap(entriesOf) ?? [];
  const unfinished = lists.find(({ hasNextPage }) => hasNextPage);
  const inAll = unfinished?.data?.pages.at(-1)?.inAll ?? 0;
  return {
    entries: lists.flatMap(loaded),
    /** Whether the browser waits for the first answer. */
    isLoading: lists.some(({ isLoading, error }) => isLoading && error === undefined),
    isFetching: lists.some(({ isFetching }) => isFetching),
    /** The failure of the first list whose last request failed. It stays while the browser repeats the request. */
    failure: lists.find(({ error }) => error !== undefined)?.error,
    /** The number of entries that are not loaded yet. */
    left: unfinished ? Math.max(1, inAll - loaded(unfinished).length) : 0,
    more: () => void unfinished?.fetchNextPage(),
    refetch: () => Promise.all(lists.map(({ refetch }) => refetch())),
  };
}

/** The rows in the order of the given ids. Ids without a row, and repetitions of an id, are left out. */
export function rowsInOrder<Row>(
  rows: readonly Row[],
  idOf: (row: Row) => string,
  ids: readonly string[],
): readonly Row[] {
  const byId = new Map(rows.map((row) => [idOf(row), row]));
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
}
