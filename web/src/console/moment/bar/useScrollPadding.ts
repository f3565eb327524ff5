import { type RefObject, useEffect } from 'react';

/**
 * Stores the height of the bar in `--time-bar`. The browser then scrolls a focused element out from under the bar
 * (`TimeBar.module.css`), however many lines the bar has.
 */
export function useScrollPadding(bar: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current } = bar;
    if (!current) return;
    const observer = new ResizeObserver(() =>
      document.documentElement.style.setProperty('--time-bar', `${current.offsetHeight}px`),
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [bar]);
}
