/**
 * The first signal stops in good order; a second one does not wait. Before there is anything to stop, the first one ends the
 * process: nothing was promised to anybody yet, and a start survives being cut short (`acceptance.md` N5, Q8). It must be
 * heard from the beginning, because the first process of a container gets no signal that it does not listen for.
 */
export function stopOnSignals(failed: (error: unknown) => never) {
  let stop: (() => Promise<void>) | undefined;
  let asked = false;
  const onSignal = () => {
    if (!stop) process.exit(0);
    if (asked) process.exit(1);
    asked = true;
    stop().then(() => process.exit(0), failed);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  return { stopBy: (how: () => Promise<void>) => void (stop = how) };
}
