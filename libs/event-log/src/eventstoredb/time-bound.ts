import { LogError } from '../errors';

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
