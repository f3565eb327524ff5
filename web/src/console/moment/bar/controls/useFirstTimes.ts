import { useEffect, useState } from 'react';

/**
 * Returns whether the browser has shown a text fewer than `times` times; if so, adds one to the count. A browser
 * without local storage shows the text each time.
 * @param name the name of the count in local storage
 */
export function useFirstTimes(name: string, times: number): boolean {
  const [before] = useState(() => countOf(name));
  useEffect(() => {
    if (before >= times) return;
    try {
      localStorage.setItem(name, String(before + 1));
    } catch {
      // without storage, the browser shows the text each time
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
