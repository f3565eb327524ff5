import { LogError } from '../errors';

/**
 * What a piece of work answers, if that is in time. The work itself is not stopped: its late answer or failure is heard by
 * nobody. @throws LogError `unavailable` after so many milliseconds; `closed` once `closing` is aborted
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

/** `unavailable`, and this try was never begun. */
export class NotStarted extends LogError {
  constructor(
    message: string,
    /** There is no room even to wait: another try at once would only add to the crowd. */
    readonly isCrowded = false,
  ) {
    super('unavailable', message);
    this.name = 'NotStarted';
  }
}

/**
 * Runs so many at once; so many others wait their turn, up to so many milliseconds.
 * @throws Unbegun when there is no room to wait, or no turn comes
 */
export function concurrencyLimit(
  most: number,
  waitingMost: number,
): <Answer>(work: () => Promise<Answer>, ms: number) => Promise<Answer> {
  const waiting = new Set<() => void>();
  let running = 0;

  const turn = (ms: number) =>
    new Promise<void>((resolve, reject) => {
      const go = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(go);
        reject(new NotStarted(`The event store is busy: no turn within ${Math.round(ms)} ms.`));
      }, ms);
      waiting.add(go);
    });
  return async (work, ms) => {
    if (running >= most && waiting.size >= waitingMost)
      throw new NotStarted(`The event store is busy: ${waiting.size} calls are waiting.`, true);
    if (running >= most) await turn(ms);
    else running += 1;
    try {
      return await work();
    } finally {
      const [next] = waiting;
      if (next) {
        waiting.delete(next);
        next(); // takes over this place
      } else running -= 1;
    }
  };
}
