import { isRevision } from '../../../moment/page-moment';
import { type HistoryFilter, isNarrow, omit } from '../filter/event-filter';

/** The maximum number of rows of the list, because browsers limit the height of a page. */
export const ROWS_MAX = 200_000;

/** A range of revisions. */
type Range = Readonly<{ first: number; last: number }>;

/** The revisions that the list shows, of all revisions that its filter lets through. */
export type RowWindow = Readonly<{ shown: Range; all: Range }>;

/** All revisions of a list whose filter is empty or only a range of revisions; undefined for other filters. */
export function rangeOf(filter: HistoryFilter, head: number): Range | undefined {
  const { from = '0', to = String(head) } = filter;
  if (isNarrow(omit(filter, ['from', 'to'])) || !isRevision(from) || !isRevision(to)) return undefined;
  return { first: Number(from), last: Math.min(head, Number(to)) };
}

/**
 * The part of a long list that has rows. The part contains the newest events up to the page's moment, or the events
 * around the event that the address names. Undefined if all events of the list have rows.
 * @param head the newest event up to the page's moment
 */
export function windowOf(filter: HistoryFilter, head: number, named: number | undefined): RowWindow | undefined {
  const all = rangeOf(filter, head);
  if (!all || all.last - all.first < ROWS_MAX) return undefined;
  const isNamed = named !== undefined && named >= all.first && named <= all.last;
  const wanted = isNamed ? named + ROWS_MAX / 2 : all.last;
  const last = Math.min(all.last, Math.max(wanted, all.first + ROWS_MAX - 1));
  return { shown: { first: last - ROWS_MAX + 1, last }, all };
}

/** The filter of the range before or after the window; undefined if no events are there. */
export function besideWindow({ shown, all }: RowWindow, by: 1 | -1): HistoryFilter | undefined {
  const next =
    by === -1
      ? { first: Math.max(all.first, shown.first - ROWS_MAX), last: shown.first - 1 }
      : { first: shown.last + 1, last: Math.min(all.last, shown.last + ROWS_MAX) };
  return next.first > next.last ? undefined : filterOf(next);
}

export const filterOf = ({ first, last }: Range): HistoryFilter => ({ from: String(first), to: String(last) });
