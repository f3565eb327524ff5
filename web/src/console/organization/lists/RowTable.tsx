import { type ReactNode, useEffect, useRef } from 'react';
import { ignoresSingleKey } from '../../page-parts/ignores-single-key';
import styles from './List.module.css';

const moves: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

/**
 * A table whose rows begin with a link. The keys `j` and `k` move the focus to the link of the next or previous row.
 * While the link of a row has the focus, the arrow keys also move the focus to another row. Enter opens the link, and
 * the space bar ticks the checkbox of the row.
 */
export function RowTable({ children }: Readonly<{ children: ReactNode }>) {
  const table = useRef<HTMLTableElement>(null);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const by = event.key === ' ' ? 0 : moves[event.key];
      const focused = document.activeElement;
      if (by === undefined || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (ignoresSingleKey(event.target) || focused?.closest('[role=menu]')) return;
      const links = [...(table.current?.tBodies ?? [])].flatMap(({ rows }) =>
        [...rows].flatMap((row) => row.querySelector('a') ?? []),
      );
      const at = links.findIndex((link) => link.closest('tr')?.contains(focused));
      const needsLink = by === 0 || event.key.startsWith('Arrow');
      if (needsLink && links[at] !== focused) return;
      const next = links[at === -1 ? 0 : Math.min(Math.max(at + by, 0), links.length - 1)];
      if (!next) return;
      event.preventDefault();
      if (by === 0) next.closest('tr')?.querySelector<HTMLElement>('[type=checkbox]')?.click();
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
