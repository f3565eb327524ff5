export type VerificationProgress = Readonly<{ done: number; total: number }>;

/** The generator yields a progress line after this number of events, or after this number of milliseconds. */
const EVENTS = 1_000;
const INTERVAL_MS = 250;

/**
 * Yields the progress of a verification, and its verdict last. If the reader is slow, it gets only the newest progress.
 * @param total the number of events of the stream when the verification begins
 * @param verify calls `onEvents` with the number of verified events
 * @throws the errors of `verify`
 */
export async function* withProgress<Verdict>(
  total: number,
  verify: (onEvents: (events: number) => void) => Promise<Verdict>,
): AsyncGenerator<VerificationProgress | Verdict, void> {
  let [done, shown] = [0, 0];
  let wake: () => void = () => undefined;
  const verdict = verify((events) => {
    done = events;
    if (done - shown >= EVENTS) wake();
  });
  const ended = verdict.then(
    () => true,
    () => true,
  );
  try {
    for (;;) {
      let timer: NodeJS.Timeout | undefined;
      const due = new Promise<boolean>((resolve) => {
        wake = () => resolve(false);
        timer = setTimeout(wake, INTERVAL_MS);
        if (done - shown >= EVENTS) wake();
      });
      const isEnded = await Promise.race([ended, due]);
      clearTimeout(timer);
      if (isEnded) break;
      shown = done;
      yield { done, total: Math.max(done, total) };
    }
    yield await verdict;
  } finally {
    await ended; // so that the caller's slot stays taken while the verification runs
  }
}
