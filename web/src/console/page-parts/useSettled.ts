import { useEffect, useState } from 'react';

const SETTLED_AFTER_MS = 200;

/** Returns a new value only after it has not changed for a short time. */
export function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
