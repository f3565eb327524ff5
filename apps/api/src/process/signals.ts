/**
 * The first signal stops the process in order; a later signal ends it at once. A signal within two seconds of the first
 * counts as the same one: after Ctrl+C the terminal sends a signal to the process, and npm forwards another one. During
 * the start the first signal ends the process: it has acknowledged nothing yet, and an interrupted start is safe
 * (`acceptance.md` N5, Q8). The handlers are set before anything else, because the first process of a container
 * receives only signals that it handles.
 */
export function stopOnSignals(failed: (error: unknown) => never) {
  let stop: (() => Promise<void>) | undefined;
  let stoppingSince: number | undefined;
  const onSignal = () => {
    if (!stop) process.exit(0);
    if (stoppingSince !== undefined && performance.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(1);
    if (stoppingSince !== undefined) return;
    stoppingSince = performance.now();
    stop().then(() => process.exit(0), failed);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  return { stopBy: (how: () => Promise<void>) => void (stop = how) };
}

/** Milliseconds after a signal in which another one counts as the same. */
const SAME_SIGNAL_MS = 2_000;
