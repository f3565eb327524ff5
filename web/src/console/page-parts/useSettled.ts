import { useEffect, useState } from 'react';

const SETTLED_AFTER_MS = 200;
/** Screen readers announce a text of the time bar after this pause, so that they skip the steps of a long move. */
export const SPOKEN_AFTER_MS = 500;

/**
 * Returns a value only after it has not changed for a short time. @param first the value that the hook returns in the
 * first render; by default `value`
 */
export function useSettled(value: string, afterMs = SETTLED_AFTER_MS, first = value): string {
  const [settled, setSettled] = useState(first);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), afterMs);
    return () => clearTimeout(timer);
  }, [value, afterMs]);
  return settled;
}
