/**
 * The first signal starts the shutdown; a later signal ends the process at once. A second signal within two seconds is
 * ignored, because npm forwards another signal after Ctrl+C. During the start, the first signal ends the process at
 * once, because an interrupted start is safe (`acceptance.md` N5, Q8). The process sets these handlers before any other
 * step, because the first process of a container receives only signals that it handles.
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

/** The number of milliseconds after the first signal in which further signals are ignored. */
const SAME_SIGNAL_MS = 2_000;
