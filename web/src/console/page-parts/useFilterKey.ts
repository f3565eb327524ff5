import { useEffect, useRef } from 'react';
import { ignoresSingleKey } from './ignores-single-key';

/** The key `/` moves the focus to the filter, except while the person types. */
export function useFilterKey(focus: () => void): void {
  const current = useRef(focus);
  current.current = focus;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (ignoresSingleKey(event.target)) return;
      event.preventDefault();
      current.current();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
