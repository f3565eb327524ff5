import { LogError } from '../errors';

/**
 * The result of `work`, if it comes in time. `work` itself is not stopped; its late result or failure is dropped.
 * @throws LogError `unavailable` after `ms` milliseconds; `closed` when `closing` is aborted
 */
export function withTimeout<Answer>(
  work: Promise<Answer>,
  { ms, what, closing }: Readonly<{ ms: number; what: string; closing?: AbortSignal | undefined }>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new LogError('unavailable', `${what}: no answer within ${Math.round(ms)} ms.`));
    const closed = () => reject(closedError());
    const timer = setTimeout(late, ms);
    if (closing?.aborted) closed();
    closing?.addEventListener('abort', closed);
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      closing?.removeEventListener('abort', closed);
    });
  });
}

export const closedError = () => new LogError('closed', 'The log is closed.');

/** `unavailable`, for a call that was never started. */
export class NotStarted extends LogError {
  constructor(
    message: string,
    /** The waiting list is full, so another try at once would only add load. */
    readonly isCrowded = false,
  ) {
    super('unavailable', message);
    this.name = 'NotStarted';
  }
}

/**
 * Runs up to `most` calls at once; up to `waitingMost` others wait, each for at most `ms` milliseconds.
 * @throws NotStarted if the waiting list is full, or no call ends in time
 */
export function concurrencyLimit(
  most: number,
  waitingMost: number,
): <Answer>(work: () => Promise<Answer>, ms: number) => Promise<Answer> {
  const waiting = new Set<() => void>();
  let running = 0;

  const waitForCall = (ms: number) =>
    new Promise<void>((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(start);
        reject(new NotStarted(`The event store is busy: no free call within ${Math.round(ms)} ms.`));
      }, ms);
      waiting.add(start);
    });
  return async (work, ms) => {
    if (running >= most && waiting.size >= waitingMost)
      throw new NotStarted(`The event store is busy: ${waiting.size} calls are waiting.`, true);
    if (running >= most) await waitForCall(ms);
    else running += 1;
    try {
      return await work();
    } finally {
      const [next] = waiting;
      if (next) {
        waiting.delete(next);
        next(); // takes this call's place, so `running` stays
      } else running -= 1;
    }
  };
}
