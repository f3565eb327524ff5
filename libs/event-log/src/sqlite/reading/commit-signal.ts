/** Notifies waiting subscriptions that the log may contain new events. */
export type CommitSignal = Readonly<{
  /** Calls back once, at the next commit of any process. Returns a function that cancels the wait. */
  onNext: (callback: () => void) => () => void;
  /** Notifies at once, because this process has just committed. */
  now: () => void;
}>;

/** The milliseconds between two polls, while the last commit is less than `RECENT_MS` ago, and afterwards. */
const [BUSY_MS, IDLE_MS] = [50, 200];
const RECENT_MS = 2_000;

/**
 * Polls `version` while a subscription waits: the value changes when another connection, for example of another
 * process, has committed. All waiting subscriptions share one poll. Each poll wakes an idle process, so a
 * process polls less often if it has seen no commit for a while.
 */
export function commitSignal(version: () => unknown): CommitSignal {
  const waiting = new Set<() => void>();
  let seen: unknown;
  let committedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;

  const now = () => {
    committedAt = performance.now();
    const callbacks = [...waiting];
    waiting.clear();
    for (const callback of callbacks) callback();
  };
  const poll = () => {
    timer = undefined;
    const before = seen;
    seen = version();
    if (seen !== before) now();
    if (waiting.size > 0) pollLater();
  };
  const pollLater = () => {
    const isBusy = performance.now() - committedAt < RECENT_MS;
    timer ??= setTimeout(poll, isBusy ? BUSY_MS : IDLE_MS).unref();
  };

  return {
    onNext: (callback) => {
      waiting.add(callback);
      pollLater();
      return () => waiting.delete(callback);
    },
    now,
  };
}
