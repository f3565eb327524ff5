/**
 * Thrown when the database gives no answer or accepts no writes, because it is unreachable, overloaded, full, read-only
 * or stopping. The outcome of the call is unknown, and the caller may retry later.
 */
export class DatabaseUnavailable extends Error {
  constructor(why: string, options?: ErrorOptions) {
    super(`The tables do not answer: ${why}`, options);
    this.name = 'DatabaseUnavailable';
  }
}

/**
 * Whether a value is an error. Unlike `instanceof`, this function also accepts errors of another JavaScript realm, such
 * as the errors of sockets in Jest.
 */
export const isError = (why: unknown): why is Error =>
  typeof why === 'object' && why !== null && 'message' in why && typeof why.message === 'string';
