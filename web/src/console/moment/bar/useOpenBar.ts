import { useEffect, useState } from 'react';
import { whenIdle } from '../../../ui/when-idle';
import { loadBlocks } from '../steps/later-blocks';
import type { OpenBar } from './OpenBar';

let loaded: typeof OpenBar | undefined;
const load = async (): Promise<void> => {
  ({ OpenBar: loaded } = await import('./OpenBar'));
};

/** Loads the code of the open time bar and the code that moves the page, before the person opens the bar. */
export async function prepareOpenBar(): Promise<void> {
  await Promise.allSettled([load(), loadBlocks()]); // `useOpenBar` repeats a failed load when the person opens the bar
}

type LoadedBar = Readonly<{
  /** Undefined while the bar is closed or its code loads. */
  OpenBar: typeof OpenBar | undefined;
  /** Whether the bar is open, but its code still loads. */
  isLoading: boolean;
  /** Whether the bar is open, but its code could not be loaded. */
  hasFailed: boolean;
}>;

/**
 * The component of the open time bar. Its code loads when the browser is idle, so that the first page does not wait for
 * it. React's `lazy` would show nothing for a moment even if the code has loaded.
 */
export function useOpenBar(isOpen: boolean): LoadedBar {
  const [, setLoaded] = useState(loaded !== undefined);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => whenIdle(() => void prepareOpenBar()), []);
  useEffect(() => {
    if (!isOpen || loaded) return;
    setFailed(false);
    load().then(
      () => setLoaded(true),
      () => setFailed(true),
    );
  }, [isOpen]);
  return {
    OpenBar: isOpen ? loaded : undefined,
    isLoading: isOpen && !loaded && !hasFailed,
    hasFailed: isOpen && hasFailed,
  };
}
