/** The first Ctrl+C or SIGTERM asks the work to stop and clean up. The second ends the process at once. */
export function interruption() {
  const stopping = new AbortController();
  let received: NodeJS.Signals | undefined;
  const stop = (signal: NodeJS.Signals) => {
    received = signal;
    forget();
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
