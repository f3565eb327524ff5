/**
 * The tables gave no answer, or took nothing more: unreachable, overloaded, full, read-only, stopping. What was asked may
 * have happened. Nobody was let in meanwhile, and asking again later is right.
 */
export class DatabaseUnavailable extends Error {
  constructor(why: string, options?: ErrorOptions) {
    super(`The tables do not answer: ${why}`, options);
    this.name = 'DatabaseUnavailable';
  }
}

/** Also one of another realm, such as those that sockets throw where specs run. */
export const isError = (why: unknown): why is Error =>
  typeof why === 'object' && why !== null && 'message' in why && typeof why.message === 'string';
