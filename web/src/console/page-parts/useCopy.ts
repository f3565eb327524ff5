import { useCallback, useEffect, useState } from 'react';

/** The time in milliseconds for which the page shows that it has copied the text. */
const SAID_MS = 2_000;

/** Copies a text. If the browser refuses, `copied` stays false, and the person can still select the text. */
export function useCopy(value: string | (() => Promise<string>)) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SAID_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = useCallback(async () => {
    try {
      await navigator.clipboard.writeText(typeof value === 'string' ? value : await value());
      setCopied(true);
    } catch {
      // the browser refuses
    }
  }, [value]);
  return { copied, copy: () => void copy() };
}
