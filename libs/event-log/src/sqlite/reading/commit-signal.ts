/** Notifies waiting subscriptions that the log may contain new events. */
export type CommitSignal = Readonly<{
  /** Calls back once, at the next commit of any process. Returns a function that cancels the wait. */
  onNext: (callback: () => void) => () => void;
  /** Notifies at once, because this process has just committed. */
  now: () => void;
}>;

/**
 * Polls `version` while a subscription waits: the value changes when another connection, for example of another
 * process, has committed. All waiting subscriptions share one poll every `every` milliseconds.
 */
export function commitSignal(version: () => unknown, every = 50): CommitSignal {
  const waiting = new Set<() => void>();
  let seen: unknown;
  let timer: NodeJS.Timeout | undefined;

  const now = () => {
    const callbacks = [...waiting];
    waiting.clear();
    for (const callback of callbacks) callback();
  };
  const poll = () => {
    const before = seen;
    seen = version();
    if (seen !== before) now();
    if (waiting.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  return {
    onNext: (callback) => {
      waiting.add(callback);
      timer ??= setInterval(poll, every).unref();
      return () => waiting.delete(callback);
    },
    now,
  };
}
