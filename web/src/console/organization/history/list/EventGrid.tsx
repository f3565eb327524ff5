import type { HistoryEvent } from '@charter/client';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { CallFailure } from '../../../problem';
import { TroubleBox } from '../../../page-parts/TroubleBox';
import type { HistoryWords } from '../wording/useHistoryWords';
import styles from './EventGrid.module.css';
import { HistoryRow } from './HistoryRow';
import type { EventPages } from './event-pages';
import { useRowHeight } from './useRowHeight';

type GridOf = Readonly<{
  pages: EventPages;
  words: HistoryWords;
  isNewestFirst: boolean;
  onOrder: () => void;
  chosen: ReadonlyMap<number, HistoryEvent>;
  onChoose: (event: HistoryEvent) => void;
  /** The address of the page of an event. */
  addressOf: (revision: number) => string;
  /** The revision in the address parameter `event`, to which the list scrolls. */
  named: number | undefined;
  /** The part of the grid that had the focus when the person chose this order. The grid of the new order focuses it. */
  focusedPart: RefObject<'thead' | 'tbody' | undefined>;
}>;

/** The list loads the visible rows when the person has not scrolled for this time, in milliseconds. */
const REST_MS = 80;
const OVERSCAN = 10;
/**
 * For each entry of the browser's history, the scroll position at which a person left the list, so that Back shows the
 * same rows again.
 */
const leftAt = new Map<string, number>();

/** The events as a grid. The page contains elements only for the visible rows and for a few rows above and below. */
export function EventGrid(of: GridOf) {
  const { pages, words, isNewestFirst, onOrder, chosen, onChoose, addressOf, named, focusedPart } = of;
  const { text } = words;
  const { key } = useLocation();
  const navigate = useNavigate();
  const scroller = useRef<HTMLDivElement>(null);
  const rowHeight = useRowHeight(scroller);
  const [count, loadedCount] = [pages.rowCount(), pages.loadedCount()];
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    initialOffset: () => leftAt.get(key) ?? 0,
  });
  useEffect(() => virtual.measure(), [virtual, rowHeight]);
  const rows = virtual.getVirtualItems();
  const [first, last] = [rows[0]?.index ?? 0, rows.at(-1)?.index ?? 0];
  useEffect(() => {
    const timer = setTimeout(() => pages.want(first, last), loadedCount === 0 ? 0 : REST_MS);
    return () => clearTimeout(timer);
  }, [pages, first, last, count, loadedCount]);

  const again = () => {
    pages.retry();
    pages.want(first, last);
  };

  // The first loaded row in view stays in its place, even if the list above it becomes shorter when a page arrives.
  const anchor =
    useRef<Readonly<{ pages: EventPages; index: number; place: ReturnType<EventPages['placeOf']> }>>(undefined);
  useLayoutEffect(() => {
    const known = anchor.current;
    if (known?.pages !== pages || !scroller.current) return;
    const moved = pages.indexOf(known.place) - known.index;
    if (moved !== 0) scroller.current.scrollTop += moved * rowHeight;
  }, [pages, count, rowHeight]);
  useEffect(() => {
    // The virtualizer learns of a new position only from the next scroll event.
    const { scrollTop = 0, clientHeight = 0 } = scroller.current ?? {};
    const top = Math.floor(scrollTop / rowHeight);
    const inView = Array.from({ length: Math.ceil(clientHeight / rowHeight) }, (_, row) => top + row);
    const index = inView.find((row) => pages.rowAt(row) !== undefined) ?? top;
    anchor.current = { pages, index, place: pages.placeOf(index) };
    leftAt.set(key, virtual.scrollOffset ?? 0);
  });

  const [active, setActive] = useState(0);
  // The list scrolls to the event in the address once. After Back, the list shows the rows that the person saw before
  // instead.
  const [sought, setSought] = useState(() => (leftAt.has(key) ? undefined : named));
  useEffect(() => {
    const place = sought === undefined ? undefined : pages.rowOf(sought);
    if (!place) return;
    virtual.scrollToIndex(place.index, { align: 'center' });
    anchor.current = { pages, index: place.index, place: pages.placeOf(place.index) };
    if (!place.isLoaded) {
      pages.want(place.index, place.index);
      return;
    }
    setActive(place.index);
    setSought(undefined);
  }, [pages, virtual, sought, loadedCount]);
  const isMoving = useRef(focusedPart.current === 'tbody');
  useEffect(() => {
    if (focusedPart.current === 'thead') scroller.current?.querySelector('button')?.focus({ preventScroll: true });
    focusedPart.current = undefined;
  }, [focusedPart]);
  const reorder = () => {
    const focused = scroller.current?.querySelector('thead:focus-within, tbody:focus-within');
    focusedPart.current = focused?.matches('thead') ? 'thead' : focused ? 'tbody' : undefined;
    onOrder();
  };
  // The row that keeps the focus until the list has scrolled to the active row.
  const [focused, setFocused] = useState(0);
  const go = (index: number) => {
    const next = Math.max(0, Math.min(count - 1, index));
    if (!isMoving.current) setFocused(active);
    isMoving.current = true;
    setActive(next);
    virtual.scrollToIndex(next);
  };
  useEffect(() => {
    if (!isMoving.current) return;
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${active}"]`);
    if (!row) return;
    isMoving.current = false;
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: 'nearest' }); // in a low window, a part of the list may be outside of the window
  });
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const row = pages.rowAt(active);
    const screen = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1);
    const moves: Readonly<Record<string, number>> = {
      ...{ ArrowDown: active + 1, j: active + 1, ArrowUp: active - 1, k: active - 1 },
      ...{ PageDown: active + screen, PageUp: active - screen, Home: 0, End: count - 1 },
    };
    if (Object.hasOwn(moves, event.key)) go(moves[event.key]!);
    else if (event.key === 'Enter' && event.target instanceof HTMLTableRowElement) {
      if (row?.kind === 'group') pages.toggle(row.key);
      if (row?.kind === 'event') void navigate(addressOf(row.event.revision));
    } else if (event.key === ' ' && event.target instanceof HTMLTableRowElement) {
      if (row?.kind === 'event') onChoose(row.event);
      if (row?.kind === 'group') pages.toggle(row.key);
    } else if (event.key === 'o') reorder();
    else return;
    event.preventDefault();
  };

  const failure: CallFailure | undefined = pages.failure();
  return (
    <>
      {failure && <TroubleBox name={text('history.title')} trouble={failure} retry={again} />}
      <div ref={scroller} className={styles['scroller']}>
        <table
          role="grid"
          className={styles['grid']}
          aria-label={text('history.title')}
          aria-rowcount={pages.isWhole() ? count + 1 : -1}
          aria-multiselectable="true"
          aria-busy={rows.some(({ index }) => pages.rowAt(index) === undefined)}
          onKeyDown={press}
        >
          <thead role="rowgroup">
            <tr role="row" aria-rowindex={1}>
              <th role="columnheader" scope="col">
                <span className="unseen">{text('history.choice')}</span>
              </th>
              <th role="columnheader" scope="col" aria-sort={isNewestFirst ? 'descending' : 'ascending'}>
                <button type="button" onClick={reorder}>
                  {text('history.revision')} <span aria-hidden="true">{isNewestFirst ? '↓' : '↑'}</span>
                </button>
              </th>
              <th role="columnheader" scope="col">
                <span className="unseen">{text('history.chain')}</span>
              </th>
              {(['history.recorded', 'history.event', 'history.actor'] as const).map((id) => (
                <th key={id} role="columnheader" scope="col">
                  {text(id)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup" style={{ height: virtual.getTotalSize(), backgroundSize: `100% ${rowHeight}px` }}>
            {rows.map(({ index, start }) => {
              const row = pages.rowAt(index);
              const isActive = index === Math.min(active, count - 1);
              // A row that still loads has no element, because thousands of new elements would slow fast scrolling
              // down. The active row and the focused row always have an element, so that the list keeps the focus.
              if (row === undefined && !isActive && index !== focused) return null;
              return (
                <HistoryRow
                  key={index}
                  {...{ row, index, words, addressOf, hashOf: pages.hashOf }}
                  style={{ transform: `translateY(${start}px)`, height: rowHeight }}
                  isActive={isActive}
                  isNamed={row?.kind === 'event' && row.event.revision === named}
                  isChosen={row?.kind === 'event' && chosen.has(row.event.revision)}
                  onToggle={pages.toggle}
                  onChoose={onChoose}
                  onFocus={() => setActive(index)}
                />
              );
            })}
          </tbody>
        </table>
      </div>
    </>
  );
}
