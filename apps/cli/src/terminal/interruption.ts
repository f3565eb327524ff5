/** Ctrl+C and SIGTERM, once: work under way is told to end in order. The second time they mean what they always mean. */
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
    /** From now on signals mean what they always mean. */
    end: forget,
  };
}

const signals = ['SIGINT', 'SIGTERM'] as const;
