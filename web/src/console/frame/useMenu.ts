import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';

/**
 * The behaviour of a menu button (ARIA Authoring Practices). The arrow keys, Home, End and letters move between the
 * items; Escape and Tab close the menu. The menu also closes after a navigation and after a click outside.
 */
export function useMenu() {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  /** The index of the item that gets the focus when the menu opens. */
  const begin = useRef(0);
  const items = () => [...(root.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])];

  const open = (at: 0 | -1) => {
    begin.current = at;
    setOpen(true);
  };
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const { pathname } = useLocation();
  useEffect(() => setOpen(false), [pathname]);
  useLayoutEffect(() => {
    if (isOpen) items().at(begin.current)?.focus();
  }, [isOpen]);
  useEffect(() => {
    if (!isOpen) return;
    const beside = ({ target }: Event) => {
      if (target instanceof Node && !root.current?.contains(target)) setOpen(false);
    };
    document.addEventListener('pointerdown', beside);
    return () => document.removeEventListener('pointerdown', beside);
  }, [isOpen]);

  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (isOpen ? moved(event) : opened(event)) event.preventDefault();
  };
  const opened = ({ key }: KeyboardEvent): boolean => {
    if (key !== 'ArrowDown' && key !== 'ArrowUp') return false;
    open(key === 'ArrowDown' ? 0 : -1);
    return true;
  };
  const moved = ({ key }: KeyboardEvent): boolean => {
    if (key === 'Tab') {
      close(); // the browser then moves the focus on from the button
      return false;
    }
    if (key === 'Escape') {
      close();
      return true;
    }
    const all = items();
    const next = itemAfter(all, all.indexOf(document.activeElement as HTMLElement), key);
    next?.focus();
    return next !== undefined || isLetter(key); // no letter acts on the page behind the menu
  };
  return { isOpen, root, button, press, toggle: () => (isOpen ? close() : open(0)) };
}

const isLetter = (key: string): boolean => /^\S$/u.test(key);

/** The item to which a key moves the focus; undefined if the key has no such effect. */
function itemAfter(items: readonly HTMLElement[], active: number, key: string): HTMLElement | undefined {
  if (key === 'ArrowDown') return items[(active + 1) % items.length];
  if (key === 'ArrowUp') return items.at(active - 1);
  if (key === 'Home') return items[0];
  if (key === 'End') return items.at(-1);
  if (!isLetter(key)) return undefined;
  return [...items.slice(active + 1), ...items.slice(0, active + 1)].find(({ textContent }) =>
    textContent.trim().toLowerCase().startsWith(key.toLowerCase()),
  );
}
