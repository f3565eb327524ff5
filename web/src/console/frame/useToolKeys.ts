import { useEffect, useRef } from 'react';
import { ignoresSingleKey } from '../page-parts/ignores-single-key';

type Acts = Readonly<{
  find: () => void;
  requests: () => void;
  shortcuts: () => void;
  copyLink: () => void;
  /** Opens the page whose shortcut is `g` and then this key; does nothing if no page has this key. */
  go: (key: string) => void;
}>;

/** The time in milliseconds within which a letter after `g` opens a page. */
const AFTER_G_MS = 1_500;

/** Handles the keyboard shortcuts of the tools in the header. Single keys do nothing while a person types. */
export function useToolKeys(acts: Acts): void {
  const current = useRef(acts);
  current.current = acts;
  useEffect(() => {
    let pressedG = -Infinity;
    const press = (event: KeyboardEvent) => {
      const { find, requests, shortcuts, copyLink } = current.current;
      const run = (act: () => void) => {
        event.preventDefault();
        act();
      };
      if ((event.ctrlKey || event.metaKey) && !event.altKey) {
        if (event.key.toLowerCase() === 'k') run(find);
        else if (event.key === '.') run(requests);
        return;
      }
      if (event.altKey || event.defaultPrevented || ignoresSingleKey(event.target)) return;
      if (event.key === 'g') pressedG = event.timeStamp;
      else if (event.key === '?') run(shortcuts);
      else if (event.key === 'c') run(copyLink);
      else if (event.key === 'w') run(() => pressWhy(document.activeElement?.closest('li, tr')));
      else if (event.key === 'W') run(() => openEveryWhy());
    };
    // This listener gets the letter after `g` before the page's other listeners, so `g o` does not order a list.
    const pressAfterG = (event: KeyboardEvent) => {
      const isAfterG = event.timeStamp - pressedG < AFTER_G_MS;
      if (event.key !== 'Shift') pressedG = -Infinity;
      if (!isAfterG || event.ctrlKey || event.metaKey || event.altKey || ignoresSingleKey(event.target)) return;
      event.preventDefault();
      current.current.go(event.key);
    };
    document.addEventListener('keydown', pressAfterG, true);
    document.addEventListener('keydown', press);
    return () => {
      document.removeEventListener('keydown', pressAfterG, true);
      document.removeEventListener('keydown', press);
    };
  }, []);
}

const whysIn = (part: Element | null | undefined) => {
  const all = [...(part?.querySelectorAll('details') ?? [])];
  const isOpening = all.some((one) => !one.open);
  return { changing: all.filter((one) => one.open !== isOpening), isOpening };
};

/** Opens all explanations ("why") in one row, as a click on each does. If all are open already, closes them. */
function pressWhy(row: Element | null | undefined): void {
  for (const one of whysIn(row).changing) one.querySelector('summary')?.click();
}

/**
 * Opens all explanations ("why") of the page. If all are open already, closes them. The address keeps the explanation
 * that was opened last.
 */
function openEveryWhy(): void {
  const { changing, isOpening } = whysIn(document.querySelector('main'));
  for (const one of changing) one.open = isOpening;
}
