import { type RefObject, useCallback, useSyncExternalStore } from 'react';

/** In a list narrower than this width in pixels, the cells of a row are below each other (`EventGrid.module.css`). */
const NARROW = 720;
/** The heights of a row in multiples of the font size (rem), so that rows grow with the text. */
const [WIDE_REM, NARROW_REM] = [3.5, 6];

/** The height of a row in pixels. All rows have the same height, so the list knows the place of every row. */
export function useRowHeight(list: RefObject<HTMLElement | null>): number {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const observer = new ResizeObserver(onChange);
      if (list.current) observer.observe(list.current);
      return () => observer.disconnect();
    },
    [list],
  );
  const isNarrow = useSyncExternalStore(subscribe, () => (list.current?.clientWidth || window.innerWidth) < NARROW);
  const font = parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
  return (isNarrow ? NARROW_REM : WIDE_REM) * font;
}
