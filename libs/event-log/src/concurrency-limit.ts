/** Runs the call when a slot is free. `wait` limits the time that the call waits in the queue. */
type LimitConcurrency = <Answer>(call: () => Promise<Answer>, wait?: QueueWait) => Promise<Answer>;

/** `late` returns the error for a call that got no slot within `ms` milliseconds. */
type QueueWait = Readonly<{ ms: number; late: () => Error }>;

/**
 * Limits the number of calls that run at the same time. Further calls wait in the order of their arrival. `full`
 * returns the error for a call that arrives while `waitingMax` calls wait. A call that fails with the error of `full`
 * or `late` was not started.
 */
export function concurrencyLimit({
  runningMax,
  waitingMax,
  full,
}: Readonly<{ runningMax: number; waitingMax: number; full: (waiting: number) => Error }>): LimitConcurrency {
  const queue = new Set<() => void>();
  let running = 0;

  const waitForSlot = (wait?: QueueWait) =>
    new Promise<void>((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      const giveUp = ({ late }: QueueWait) => {
        queue.delete(start);
        reject(late());
      };
      const timer = wait && setTimeout(giveUp, wait.ms, wait);
      queue.add(start);
    });
  return async (call, wait) => {
    if (running >= runningMax && queue.size >= waitingMax) throw full(queue.size);
    if (running >= runningMax) await waitForSlot(wait);
    else running += 1;
    try {
      return await call();
    } finally {
      const [next] = queue;
      if (next) {
        queue.delete(next);
        next(); // the next call takes over this call's slot, so `running` stays the same
      } else running -= 1;
    }
  };
}
