import { useEffect, useRef } from 'react';

/** After going to another page, its heading is read out. */
export function useHeadingFocus(pathname: string): void {
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    document.querySelector('h1')?.focus();
  }, [pathname]);
}
