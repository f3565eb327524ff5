import { setTimeout as pause } from 'node:timers/promises';
import { isLogError, LogError } from '../errors';

/**
 * The result of `work`, if it arrives in time. `work` continues after the limit; its late result or failure is dropped.
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

/** Repeats a call until `end`, on the clock of `performance`, while the server is unavailable. */
export async function repeated<Answer>(call: () => Promise<Answer>, end: number): Promise<Answer> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await call();
    } catch (error) {
      const wait = Math.min(PAUSE_MAX_MS, PAUSE_MS * 2 ** tries) * (0.5 + Math.random() / 2);
      if (!isLogError(error, 'unavailable') || isCrowded(error) || end - performance.now() <= wait) throw error;
      await pause(wait);
    }
  }
}

const isCrowded = (error: unknown) => error instanceof NotStarted && error.isCrowded;

/** The pause before the second try, in milliseconds; the pause doubles before each later try, up to the maximum. */
const PAUSE_MS = 50;
const PAUSE_MAX_MS = 400;

export const closedError = () => new LogError('closed', 'The log is closed.');

/** The error of kind `unavailable` for a call that was never started. */
export class NotStarted extends LogError {
  constructor(
    message: string,
    /** True if the queue was full, so that an immediate second try would only add load. */
    readonly isCrowded = false,
  ) {
    super('unavailable', message);
    this.name = 'NotStarted';
  }
}
