import { orUnavailable, problemOf } from '../http/problems/problem';

/** Rethrows refusals and errors of the event log. Turns every other failure of a store into a 503. */
export const withStoreErrors = <Done>(pending: Promise<Done>): Promise<Done> =>
  pending.catch((error: unknown) => {
    if (problemOf(error).problem.status !== 500) throw error;
    return orUnavailable(Promise.reject(error as Error));
  });
