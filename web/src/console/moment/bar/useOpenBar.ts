import { useEffect, useState } from 'react';
import { whenIdle } from '../../../ui/when-idle';
import { loadBlocks } from '../steps/later-blocks';
import type { OpenBar } from './OpenBar';

let loaded: typeof OpenBar | undefined;
const load = async (): Promise<void> => {
  ({ OpenBar: loaded } = await import('./OpenBar'));
};

/** Loads the code of the open time bar and the code that moves the page, before the person opens the bar. */
export function prepareOpenBar(): void {
  // After a failure, the bar loads its code again when the person opens it.
  for (const part of [load, loadBlocks]) part().catch(() => undefined);
}

/**
 * The component of the open time bar; undefined while the bar is closed or while its code loads. The code loads when
 * the browser is idle, so that the first page does not wait for it. React's `lazy` would show nothing for a moment even
 * if the code has loaded.
 */
export function useOpenBar(isOpen: boolean): typeof OpenBar | undefined {
  const [, setLoaded] = useState(loaded !== undefined);
  useEffect(() => whenIdle(prepareOpenBar), []);
  useEffect(() => {
    if (isOpen && !loaded)
      load().then(
        () => setLoaded(true),
        () => undefined,
      );
  }, [isOpen]);
  return isOpen ? loaded : undefined;
}
