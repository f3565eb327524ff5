/**
 * Runs a task as soon as one of a few slots is free. Waiting tasks start in the order of their calls. A task never runs
 * if its signal aborts while the task waits. @throws the reason of the signal; the errors of the task
 */
export type Places = <Answer>(signal: AbortSignal, task: () => Promise<Answer>) => Promise<Answer>;

export function createPlaces(count: number): Places {
  const waiting: (() => void)[] = [];
  let free = count;
  const take = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      signal.throwIfAborted();
      if (free > 0) {
        free -= 1;
        resolve();
        return;
      }
      const begin = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(signal.reason as Error);
      };
      waiting.push(begin);
      signal.addEventListener('abort', leave, { once: true });
    });
  const release = () => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  return async (signal, task) => {
    await take(signal);
    try {
      return await task();
    } finally {
      release();
    }
  };
}
