import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';

/** The number of rows by which the page keys move. */
const PAGE_ROWS = 10;
const moves: Readonly<Record<string, number>> = {
  ...{ j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 },
  ...{ PageDown: PAGE_ROWS, PageUp: -PAGE_ROWS, Home: -Infinity, End: Infinity },
};

/**
 * The keys of a grid whose rows are all on the page. The grid is one stop of Tab, and the keys move the focus between
 * its rows. The caller passes `grid` to the table and `row(index)` to each row of its bodies.
 */
export function useGridRows(rows: readonly unknown[]) {
  const count = rows.length;
  const table = useRef<HTMLTableElement>(null);
  const [lastFocused, setLastFocused] = useState(0);
  const active = Math.min(lastFocused, count - 1); // the list may have become shorter
  useLayoutEffect(() => {
    // A new row above the focused row may have changed the index of the focused row.
    const focused = table.current?.querySelector(':focus')?.ariaRowIndex;
    if (focused) setLastFocused(indexOf(focused));
  }, [rows]);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = moves[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const next = Math.min(Math.max(active + by, 0), count - 1);
    table.current?.querySelector<HTMLElement>(`[aria-rowindex="${rowIndexOf(next)}"]`)?.focus();
  };
  return {
    grid: { ref: table, role: 'grid', onKeyDown } as const,
    row: (index: number) => ({
      role: 'row',
      'aria-rowindex': rowIndexOf(index),
      tabIndex: index === active ? 0 : -1,
      onFocus: () => setLastFocused(index),
    }),
  };
}

/** The number of a row for assistive software; the row of headers has the number 1. */
const rowIndexOf = (index: number) => index + 2;
const indexOf = (rowIndex: string) => Number(rowIndex) - 2;
