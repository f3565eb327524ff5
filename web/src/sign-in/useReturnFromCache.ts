import { useEffect } from 'react';

/**
 * Calls `onReturn` if the browser shows this page again from its cache, for example after a person goes back. The page
 * then still has the state from before it was left, such as a busy button.
 */
export function useReturnFromCache(onReturn: () => void): void {
  useEffect(() => {
    const shown = ({ persisted }: PageTransitionEvent) => {
      if (persisted) onReturn();
    };
    window.addEventListener('pageshow', shown);
    return () => window.removeEventListener('pageshow', shown);
  }, [onReturn]);
}
