/** Waits, and ends early after an abort. */
export const pause = (ms: number, signal?: AbortSignal | null): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end);
  });

/** Resolves when the signal is aborted. */
export const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve());
  });

/**
 * A signal that is aborted after `ms`, or when `outer` is aborted. The caller must call `end`. With `AbortSignal.any`,
 * Node would keep some memory for each signal as long as `outer` exists.
 */
export function limitedBy(outer: AbortSignal, ms: number): Readonly<{ signal: AbortSignal; end: () => void }> {
  const limit = new AbortController();
  const abort = () => limit.abort(outer.reason);
  const timer = setTimeout(() => limit.abort(new DOMException('No answer', 'TimeoutError')), ms);
  if (outer.aborted) abort();
  else outer.addEventListener('abort', abort);
  const end = () => {
    clearTimeout(timer);
    outer.removeEventListener('abort', abort);
  };
  return { signal: limit.signal, end };
}
