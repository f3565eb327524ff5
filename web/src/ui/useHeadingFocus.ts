import { useEffect, useRef } from 'react';

/** Moves the focus to the heading after a navigation, so that screen readers read the heading. */
export function useHeadingFocus(pathname: string): void {
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    document.querySelector('h1')?.focus();
  }, [pathname]);
}
