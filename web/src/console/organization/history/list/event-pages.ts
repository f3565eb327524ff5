import type { EventPage, HistoryEvent } from '@charter/client';
import { isRevision } from '../../../moment/page-moment';
import type { CallFailure } from '../../../problem';
import type { HistoryFilter } from '../filter/event-filter';
import { rangeOf, ROWS_MAX } from './row-window';
import { type ListRow, nameOfRow, type OtherReports, reportsIn, rowsOf } from './rows';

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
  /** The traffic reports of the page, by month. The list keeps these events, so that a month stays one row. */
  reports?: ReadonlyMap<string, readonly HistoryEvent[]>;
  isLoading: boolean;
  wanted: number;
};

/** The place of a row. The name is undefined while the row loads. */
type Place = readonly [page: number, row: number, name: string | undefined];

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

  /**
   * The traffic reports on other pages. A month is one row, even if several loaded pages contain reports of the month.
   * The month's row is on the first loaded page with a report of the month.
   */
  const reportsBeside = (number: number): OtherReports => ({
    isEarlier: (month) => firstWith(month, number) < number,
    later: (month) => {
      const found: HistoryEvent[] = [];
      for (let next = number + 1; pages[next]?.reports; next += 1)
        found.push(...(pages[next]!.reports!.get(month) ?? []));
      return found;
    },
  });
  /** The first page with a report of the month, among the loaded pages that end with this page. */
  const firstWith = (month: string, number: number): number => {
    let first = number;
    for (let before = number - 1; pages[before]?.reports; before -= 1)
      if (pages[before]!.reports!.has(month)) first = before;
    return first;
  };
  const fillAll = (): void => {
    for (const [number, page] of pages.entries()) {
      if (!page.events) continue;
      page.rows = rowsOf(page.events, open, foldsReports, reportsBeside(number));
      page.rowCount = page.rows.length;
    }
  };
  const fetch = async (page: Page): Promise<void> => {
    page.isLoading = true;
    try {
      const answer = await load({ ...page.query, limit: String(PAGE_SIZE) });
      page.events = answer.events.filter(({ revision }) => revision <= head);
      page.reports = reportsIn(page.events);
      fillAll();
      const mayGrow = !ranges && page === pages.at(-1) && pages.length < ROWS_MAX / PAGE_SIZE;
      if (mayGrow && answer.next !== null) pages.push(newPage({ ...page.query, cursor: answer.next }));
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

  const placeOf = (index: number): Place => {
    let rest = index;
    for (const [number, { rowCount, rows }] of pages.entries()) {
      if (rest < rowCount) {
        const shown = rows?.[rest];
        return [number, rest, shown && nameOfRow(shown)];
      }
      rest -= rowCount;
    }
    return [pages.length, rest, undefined];
  };
  /** The index of the first row of a page. */
  const beginOf = (number: number): number => pages.slice(0, number).reduce((sum, { rowCount }) => sum + rowCount, 0);

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
    /** The index of a row. If the page no longer has this row, the index of a row near its place. */
    indexOf: ([page, row, name]: Place): number => {
      const { rows = [], rowCount = 0 } = pages[page] ?? {};
      const found = name === undefined ? -1 : rows.findIndex((one) => nameOfRow(one) === name);
      return beginOf(page) + (found >= 0 ? found : Math.max(0, Math.min(row, rowCount - 1)));
    },
    /**
     * The row of an event. If the row is in a closed group, the group opens. If the page of the row is not loaded, the
     * row at which the page begins. Undefined if no known page contains the event.
     */
    rowOf: (revision: number): Readonly<{ index: number; isLoaded: boolean }> | undefined => {
      const number = pages.findIndex(({ query, events }) =>
        events
          ? events.some((event) => event.revision === revision)
          : ranges !== undefined && isWithin(query, revision),
      );
      const page = pages[number];
      if (!page) return undefined;
      const isEvent = (event: HistoryEvent) => event.revision === revision;
      const [month] = [...(page.reports ?? [])].find(([, reports]) => reports.some(isEvent)) ?? [];
      const place = month !== undefined && foldsReports ? firstWith(month, number) : number; // the page with the row
      const group = pages[place]!.rows?.find((row) => row.kind === 'group' && !row.isOpen && row.events.some(isEvent));
      if (group?.kind === 'group') {
        open.add(group.key);
        fillAll();
      }
      const row = pages[place]!.rows?.findIndex((one) => one.kind === 'event' && isEvent(one.event)) ?? -1;
      return { index: beginOf(place) + Math.max(0, row), isLoaded: row >= 0 };
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
      fillAll();
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
  const range = rangeOf(filter, head);
  if (!range) return undefined;
  const { first, last } = range;
  const order = orderOf(filter);
  const pages: Page[] = [];
  for (let start = first; start <= last; start += PAGE_SIZE) {
    const size = Math.min(PAGE_SIZE, last - start + 1);
    const low = order === 'oldest' ? start : last - (start - first) - size + 1;
    pages.push(newPage({ from: String(low), to: String(low + size - 1), order }, size));
  }
  return pages;
}
