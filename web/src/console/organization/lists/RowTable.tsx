import { type ReactNode, useEffect, useRef } from 'react';
import { ignoresSingleKey } from '../../page-parts/ignores-single-key';
import styles from './List.module.css';

/** The number of rows by which the page keys move. */
const PAGE_ROWS = 10;
const moves: Readonly<Record<string, number>> = {
  ...{ j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 },
  ...{ PageDown: PAGE_ROWS, PageUp: -PAGE_ROWS, Home: -Infinity, End: Infinity, ' ': 0 },
};

type TableOf = Readonly<{
  /** Chooses the next order of the list. */
  onOrder: () => void;
  children: ReactNode;
}>;

/**
 * A table whose rows begin with a link. The keys `j` and `k` move the focus to the link of the next or previous row,
 * and `o` changes the order. While the link of a row has the focus, the arrow keys, the page keys, Home and End also
 * move the focus to another row. Enter opens the link, and the space bar ticks the checkbox of the row.
 */
export function RowTable({ onOrder, children }: TableOf) {
  const table = useRef<HTMLTableElement>(null);
  const order = useRef(onOrder);
  order.current = onOrder;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const by = moves[event.key];
      const isOrder = event.key === 'o';
      const focused = document.activeElement;
      if ((by === undefined && !isOrder) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.defaultPrevented || ignoresSingleKey(event.target) || focused?.closest('[role=menu]')) return;
      const links = [...(table.current?.tBodies ?? [])].flatMap(({ rows }) =>
        [...rows].flatMap((row) => row.querySelector('a') ?? []),
      );
      const at = links.findIndex((link) => link.closest('tr')?.contains(focused));
      const needsLink = !/^[jko]$/.test(event.key);
      if (needsLink && links[at] !== focused) return;
      const next = links[at === -1 ? 0 : Math.min(Math.max(at + (by ?? 0), 0), links.length - 1)];
      if (!next) return;
      event.preventDefault();
      if (isOrder) order.current();
      else if (by === 0) next.closest('tr')?.querySelector<HTMLElement>('[type=checkbox]')?.click();
      else next.focus();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  return (
    <table ref={table} className={styles['table']}>
      {children}
    </table>
  );
}

type HeaderOf = Readonly<{ isSorted: boolean | 'descending'; children: ReactNode }>;

/** The header of a column by which a person can order the table. */
export const SortedHeader = ({ isSorted, children }: HeaderOf) => (
  <th scope="col" aria-sort={isSorted === true ? 'ascending' : isSorted || undefined}>
    {children}
  </th>
);
