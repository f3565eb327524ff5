import type { EventPage, HistoryEvent } from '@charter/client';
import { isRevision } from '../../../moment/page-moment';
import type { CallFailure } from '../../../problem';
import { type HistoryFilter, isNarrow, omit } from '../filter/event-filter';
import { type ListRow, rowsOf } from './rows';

/** The maximum number of events in one answer of the service. */
const PAGE_SIZE = 100;
/** The maximum number of pages whose events stay in memory: some 2,000 events. */
const PAGES_KEPT = 20;

type Page = {
  readonly query: HistoryFilter & Readonly<{ cursor?: string }>;
  /**
   * The number of rows of the page of events. Until the service has answered for the first time, the expected number.
   */
  rowCount: number;
  events?: readonly HistoryEvent[];
  rows?: readonly ListRow[];
  isLoading: boolean;
  wanted: number;
};

type PagesOf = Readonly<{
  load: (query: Readonly<Record<string, string>>) => Promise<EventPage>;
  filter: HistoryFilter;
  /** The revision of the newest event that the list shows. */
  head: number;
  onChange: () => void;
}>;

export type EventPages = ReturnType<typeof createEventPages>;

/**
 * The events of a list in pages. Only the events near the shown rows are in memory. Without a filter, the revisions of
 * each page are known, so the list can load any page first. With a filter, the list loads one page after another.
 */
export function createEventPages({ load, filter, head, onChange }: PagesOf) {
  const ranges = rangesOf(filter, head);
  const pages = ranges ?? [newPage({ ...filter, order: orderOf(filter), ...endOf(filter, head) })];
  const open = new Set<string>();
  const foldsReports = !filter.type?.includes('TrafficReported');
  let failure: CallFailure | undefined;
  let time = 0;

  const fill = (page: Page): void => {
    page.rows = rowsOf(page.events ?? [], open, foldsReports);
    page.rowCount = page.rows.length;
  };
  const fetch = async (page: Page): Promise<void> => {
    page.isLoading = true;
    try {
      const answer = await load({ ...page.query, limit: String(PAGE_SIZE) });
      page.events = answer.events.filter(({ revision }) => revision <= head);
      fill(page);
      if (!ranges && page === pages.at(-1) && answer.next !== null)
        pages.push(newPage({ ...page.query, cursor: answer.next }));
    } catch (error) {
      failure = error as CallFailure;
    }
    page.isLoading = false;
    forget();
    onChange();
  };
  /** Drops the events of the least recently shown pages. The list still knows the number of rows of each page. */
  const forget = (): void => {
    const kept = pages.filter(({ events }) => events !== undefined).sort((one, other) => other.wanted - one.wanted);
    for (const page of kept.slice(PAGES_KEPT)) {
      delete page.events;
      delete page.rows;
    }
  };

  const placeOf = (index: number): readonly [page: number, row: number] => {
    let rest = index;
    for (const [number, { rowCount }] of pages.entries()) {
      if (rest < rowCount) return [number, rest];
      rest -= rowCount;
    }
    return [pages.length, rest];
  };

  return {
    rowCount: (): number => pages.reduce((sum, { rowCount }) => sum + rowCount, 0),
    /** The row at an index; undefined while the row loads. */
    rowAt: (index: number): ListRow | undefined => {
      const [page, row] = placeOf(index);
      return pages[page]?.rows?.[row];
    },
    placeOf,
    /** The hash of an event, if the event is loaded. */
    hashOf: (revision: number): string | undefined =>
      pages
        .find(({ events }) => events?.some((event) => event.revision === revision))
        ?.events?.find((event) => event.revision === revision)?.metadata?.hash,
    /** Whether the number of all rows is known. With a filter, the service does not say how many pages follow. */
    isWhole: (): boolean => ranges !== undefined || pages.every(({ events }) => events !== undefined),
    /**
     * The index of a row, given by its page and its place in the page. If the page now has fewer rows, the index of the
     * page's last row.
     */
    indexOf: ([page, row]: readonly [page: number, row: number]): number =>
      pages.slice(0, page).reduce((sum, { rowCount }) => sum + rowCount, 0) +
      Math.max(0, Math.min(row, (pages[page]?.rowCount ?? 0) - 1)),
    /**
     * The index of an event's row. If the row is in a closed group, the group opens. If the page with the event is not
     * loaded, the index at which this page begins. Undefined if no known page contains the event.
     */
    rowOf: (revision: number): Readonly<{ index: number; isLoaded: boolean }> | undefined => {
      const number = pages.findIndex(({ query, events }) =>
        events
          ? events.some((event) => event.revision === revision)
          : ranges !== undefined && isWithin(query, revision),
      );
      const page = pages[number];
      if (!page) return undefined;
      const group = page.rows?.find(
        (row) => row.kind === 'group' && !row.isOpen && row.events.some((event) => event.revision === revision),
      );
      if (group?.kind === 'group') {
        open.add(group.key);
        fill(page);
      }
      const row = page.rows?.findIndex((one) => one.kind === 'event' && one.event.revision === revision) ?? -1;
      const first = pages.slice(0, number).reduce((sum, { rowCount }) => sum + rowCount, 0);
      return { index: first + Math.max(0, row), isLoaded: row >= 0 };
    },
    /** Loads the pages of events that contain these rows. */
    want: (first: number, last: number): void => {
      if (failure) return;
      time += 1;
      for (let number = placeOf(first)[0]; number <= Math.min(placeOf(last)[0], pages.length - 1); number += 1) {
        const page = pages[number]!;
        page.wanted = time;
        if (page.events === undefined && !page.isLoading) void fetch(page);
      }
    },
    toggle: (key: string): void => {
      if (!open.delete(key)) open.add(key);
      for (const page of pages) if (page.events) fill(page);
      onChange();
    },
    failure: () => failure,
    retry: (): void => {
      failure = undefined;
      onChange();
    },
    isEmpty: (): boolean => pages.length === 0 || pages.every(({ events, rowCount }) => events && rowCount === 0),
    loadedCount: (): number => pages.reduce((sum, { events }) => sum + (events?.length ?? 0), 0),
  };
}

const newPage = (query: Page['query'], rowCount = PAGE_SIZE / 5): Page => ({
  query,
  rowCount,
  isLoading: false,
  wanted: 0,
});

const isWithin = ({ from, to }: HistoryFilter, revision: number): boolean =>
  revision >= Number(from) && revision <= Number(to);

const orderOf = ({ order }: HistoryFilter) => (order === 'oldest' ? 'oldest' : 'newest');

/** The query parameter `to` for the list: never later than the newest event that the list shows. */
function endOf({ to }: HistoryFilter, head: number): HistoryFilter {
  if (to !== undefined && !isRevision(to)) return {};
  return { to: String(Math.min(head, Number(to ?? head))) };
}

/** The pages of a list whose filter is empty or only a range of revisions; undefined for other filters. */
function rangesOf(filter: HistoryFilter, head: number): Page[] | undefined {
  const { from = '0', to = String(head) } = filter;
  if (isNarrow(omit(filter, ['from', 'to'])) || !isRevision(from) || !isRevision(to)) return undefined;
  const [first, last] = [Number(from), Math.min(head, Number(to))];
  const order = orderOf(filter);
  const pages: Page[] = [];
  for (let start = first; start <= last; start += PAGE_SIZE) {
    const size = Math.min(PAGE_SIZE, last - start + 1);
    const low = order === 'oldest' ? start : last - (start - first) - size + 1;
    pages.push(newPage({ from: String(low), to: String(low + size - 1), order }, size));
  }
  return pages;
}
