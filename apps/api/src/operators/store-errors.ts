import { orUnavailable, problemOf } from '../http/problems/problem';

/** Passes on refusals and errors of the event log. Any other failure of a store becomes 503. */
export const withStoreErrors = <Done>(pending: Promise<Done>): Promise<Done> =>
  pending.catch((error: unknown) => {
    if (problemOf(error).problem.status !== 500) throw error;
    return orUnavailable(Promise.reject(error as Error));
  });
