import { useSyncExternalStore } from 'react';

/** In a window narrower than this width in pixels, the cells of a row are below each other (`EventGrid.module.css`). */
const NARROW = 800;
/** The heights of a row in multiples of the font size (rem), so that rows grow with the text. */
const [WIDE_REM, NARROW_REM] = [3.5, 6];

/** The height of a row in pixels. All rows have the same height, so the list knows the place of every row. */
export function useRowHeight(): number {
  const isNarrow = useSyncExternalStore(subscribe, () => window.innerWidth < NARROW);
  const font = parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
  return (isNarrow ? NARROW_REM : WIDE_REM) * font;
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener('resize', onChange);
  return () => window.removeEventListener('resize', onChange);
}
