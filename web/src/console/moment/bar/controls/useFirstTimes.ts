import { useEffect, useState } from 'react';

/**
 * Whether the browser has shown a text fewer times than this number. Counts the present time, too. A browser without
 * local storage shows the text each time.
 * @param name the name of the count in local storage
 */
export function useFirstTimes(name: string, times: number): boolean {
  const [before] = useState(() => countOf(name));
  useEffect(() => {
    if (before >= times) return;
    try {
      localStorage.setItem(name, String(before + 1));
    } catch {
      // the browser shows the text again
    }
  }, [before, name, times]);
  return before < times;
}

function countOf(name: string): number {
  try {
    const count = Number(localStorage.getItem(name));
    return Number.isSafeInteger(count) ? count : 0;
  } catch {
    return 0;
  }
}
