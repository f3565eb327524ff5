import { fromStore, problemOf } from '../http/problems/problem';

/** What keeping an account came to. What the rules and the log say is said; a store that does not answer is 503. */
export const kept = <Done>(asked: Promise<Done>): Promise<Done> =>
  asked.catch((error: unknown) => {
    if (problemOf(error).problem.status !== 500) throw error;
    return fromStore(Promise.reject(error as Error));
  });
