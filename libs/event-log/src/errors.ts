import type { ExpectedRevision } from './port';

/** Kinds of failure that callers distinguish (`event-log.md` A7). */
export type LogErrorKind =
  | 'conflict'
  | 'not-found'
  | 'deleted'
  | 'too-large'
  | 'invalid'
  | 'denied'
  | 'unavailable'
  | 'unknown-checkpoint'
  | 'invalid-position'
  | 'closed'
  | 'internal';

/**
 * The base class of every failure of an event log. `unavailable`: the outcome is unknown, so the events may have been
 * written.
 */
export class LogError extends Error {
  constructor(
    readonly kind: LogErrorKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'LogError';
  }
}

/** Thrown when another writer appended to the stream first; `actual` is the stream's last revision. */
export class Conflict extends LogError {
  constructor(
    readonly stream: string,
    readonly expected: ExpectedRevision,
    readonly actual: bigint | 'no_stream',
  ) {
    super('conflict', `The last revision of ${stream} is ${actual}, but the append expected ${expected}.`);
    this.name = 'Conflict';
  }
}

export const isLogError = (error: unknown, kind?: LogErrorKind): error is LogError =>
  error instanceof LogError && (kind === undefined || error.kind === kind);
