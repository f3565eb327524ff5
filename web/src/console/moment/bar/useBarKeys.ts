import { useEffect, useRef } from 'react';
import { ignoresSingleKey } from '../../page-parts/ignores-single-key';

type Keys = Readonly<{
  open: () => void;
  close: () => void;
  toPresent: () => void;
  /** Moves the page to the previous or next event that changed the page. */
  step: (by: 1 | -1) => void;
  changeQuestion: () => void;
  compare: () => void;
  isOpen: boolean;
  past: boolean;
}>;

/** The time in milliseconds within which a second Escape leads back to the present, if no other key comes between. */
const TWICE_MS = 1_000;

/** Handles the keyboard shortcuts of the time bar. While a person types, only Escape has an effect. */
export function useBarKeys(keys: Keys): void {
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    let escaped = -Infinity;
    const press = (event: KeyboardEvent) => {
      const before = escaped;
      escaped = -Infinity;
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (document.querySelector('dialog[open]')) return;
      const { open, close, toPresent, step, changeQuestion, compare, isOpen, past } = current.current;
      if (event.key === 'Escape') {
        if (past && event.timeStamp - before < TWICE_MS) toPresent();
        else if (isOpen) close();
        escaped = event.timeStamp;
        return;
      }
      if (ignoresSingleKey(event.target)) return;
      const acts: Readonly<Record<string, () => void>> = {
        t: open,
        n: toPresent,
        v: changeQuestion,
        d: compare,
        '[': () => step(-1),
        ']': () => step(1),
      };
      if (!Object.hasOwn(acts, event.key)) return;
      event.preventDefault();
      acts[event.key]!();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
