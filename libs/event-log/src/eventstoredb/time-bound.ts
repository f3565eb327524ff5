import { LogError } from '../errors';

/**
 * The result of `work`, if it comes in time. Late work is not stopped, but its result or failure is ignored.
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

/** The LogError `unavailable` for a call that was never sent, so that its outcome is known. */
export class NotStarted extends LogError {
  constructor(
    message: string,
    /** The queue is full, so another try at once would only add load. */
    readonly isCrowded = false,
  ) {
    super('unavailable', message);
    this.name = 'NotStarted';
  }
}
