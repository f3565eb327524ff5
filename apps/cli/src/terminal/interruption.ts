/**
 * The first Ctrl+C, SIGTERM or SIGHUP asks the work to stop and clean up. A second signal within two seconds is
 * ignored, because npm forwards another signal after Ctrl+C. A later signal ends the process at once.
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

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The number of milliseconds after the first signal in which further signals are ignored. */
const SAME_SIGNAL_MS = 2_000;
