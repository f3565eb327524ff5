/** Runs the call when a slot is free; `wait` limits how long the call may stay in the queue. */
type LimitConcurrency = <Answer>(call: () => Promise<Answer>, wait?: QueueWait) => Promise<Answer>;

/** `late` makes the error for a call that found no slot within `ms` milliseconds. */
type QueueWait = Readonly<{ ms: number; late: () => Error }>;

/**
 * Limits how many calls run at once. Further calls wait in the order of their arrival. `full` makes the error for a
 * call that finds `waitingMax` calls in the queue. A refused call was not started.
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
        next(); // gets this call's slot, so `running` stays
      } else running -= 1;
    }
  };
}
