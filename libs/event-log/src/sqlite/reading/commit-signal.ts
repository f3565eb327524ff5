/** Tells whoever waits that there may be something new in the log. */
export type CommitSignal = Readonly<{
  /** Calls back once, at the next commit of any process. Answers with how to give up waiting. */
  onNext: (callback: () => void) => () => void;
  /** A commit in this process: at once. */
  now: () => void;
}>;

/**
 * Asks for `version` while somebody waits: it changes when another connection has committed, which is how a commit of
 * another process is seen. All who wait share one question every `every` milliseconds.
 */
export function commitSignal(version: () => unknown, every = 50): CommitSignal {
  const waiting = new Set<() => void>();
  let seen: unknown;
  let clock: NodeJS.Timeout | undefined;

  const now = () => {
    const callbacks = [...waiting];
    waiting.clear();
    for (const callback of callbacks) callback();
  };
  const look = () => {
    const before = seen;
    seen = version();
    if (seen !== before) now();
    if (waiting.size > 0) return;
    clearInterval(clock);
    clock = undefined;
  };

  return {
    onNext: (callback) => {
      waiting.add(callback);
      clock ??= setInterval(look, every).unref();
      return () => waiting.delete(callback);
    },
    now,
  };
}
