import { useCallback, useEffect, useState } from 'react';

/** The time in milliseconds for which the page shows that it has copied the text. */
const SAID_MS = 2_000;

/**
 * Copies a text to the clipboard. For two seconds after the attempt, `copied` or `failed` is true. After a failure, the
 * person can still select the text.
 */
export function useCopy(value: string | (() => Promise<string>)) {
  const [outcome, setOutcome] = useState<'copied' | 'failed'>();
  useEffect(() => {
    if (outcome === undefined) return;
    const timer = setTimeout(() => setOutcome(undefined), SAID_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = useCallback(async () => {
    try {
      await navigator.clipboard.writeText(typeof value === 'string' ? value : await value());
      setOutcome('copied');
    } catch {
      setOutcome('failed'); // the browser has refused to copy
    }
  }, [value]);
  return { copied: outcome === 'copied', failed: outcome === 'failed', copy: () => void copy() };
}
