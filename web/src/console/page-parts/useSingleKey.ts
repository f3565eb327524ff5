import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { takeKeyPress } from './requested-key';
import { ignoresSingleKey } from './ignores-single-key';

/**
 * Runs `act` when the person presses this key while `ignoresSingleKey` is false, or when the search dialog simulates a
 * press of the key. Without `act`, the key does nothing.
 */
export function useSingleKey(wanted: string, act: (() => void) | undefined): void {
  const { pathname } = useLocation();
  const current = useRef(act);
  current.current = act;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== wanted || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (!current.current || ignoresSingleKey(event.target)) return;
      event.preventDefault();
      current.current();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [wanted]);
  useEffect(() => {
    if (act && takeKeyPress(pathname, wanted)) act();
  });
}
