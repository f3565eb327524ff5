/**
 * The first Ctrl+C or SIGTERM asks the work to stop and clean up. A later one ends the process at once. A signal within
 * two seconds of the first counts as the same one, because npm forwards a second signal after Ctrl+C.
 */
export function interruption() {
  const stopping = new AbortController();
  let received: NodeJS.Signals | undefined;
  const stop = (signal: NodeJS.Signals) => {
    if (received !== undefined) return;
    received = signal;
    setTimeout(forget, SAME_SIGNAL_MS).unref();
    stopping.abort(new Error(`Stopped by ${signal}.`));
  };
  const forget = () => signals.forEach((signal) => process.off(signal, stop));
  signals.forEach((signal) => process.on(signal, stop));

  return {
    signal: stopping.signal,
    received: () => received,
    /** Restores the usual effect of the signals. */
    end: forget,
  };
}

const signals = ['SIGINT', 'SIGTERM'] as const;

/** Milliseconds after a signal in which another one counts as the same. */
const SAME_SIGNAL_MS = 2_000;
