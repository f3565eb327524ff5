/**
 * The first signal stops the process in order; a second signal ends it at once. During the start the first signal ends
 * the process: it has acknowledged nothing yet, and an interrupted start is safe (`acceptance.md` N5, Q8). The handlers
 * are set before anything else, because the first process of a container receives only signals that it handles.
 */
export function stopOnSignals(failed: (error: unknown) => never) {
  let stop: (() => Promise<void>) | undefined;
  let isStopping = false;
  const onSignal = () => {
    if (!stop) process.exit(0);
    if (isStopping) process.exit(1);
    isStopping = true;
    stop().then(() => process.exit(0), failed);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  return { stopBy: (how: () => Promise<void>) => void (stop = how) };
}
