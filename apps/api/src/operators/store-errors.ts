import { orUnavailable, problemOf } from '../http/problems/problem';

/** What keeping an account came to. What the rules and the log say is said; a store that does not answer is 503. */
export const withStoreErrors = <Done>(asked: Promise<Done>): Promise<Done> =>
  asked.catch((error: unknown) => {
    if (problemOf(error).problem.status !== 500) throw error;
    return orUnavailable(Promise.reject(error as Error));
  });
