import type { RequestListener } from 'node:http';
import type { Charter } from '@charter/application';
import type { Authentication } from '../../process/parts/authentication';
import type { Caller } from '../authentication/caller';
import { isUnexpected } from '../problems/problem';
import { type AnsweringParts, refuseFast, sendFast } from './fast-answers';
import type { FastAnswer, FastCall } from './fast-route';

/** A read whose answers the process keeps in memory. */
export type FastRead = Readonly<{
  /** The answer, if it is in memory and current, and the caller may read it; otherwise undefined. */
  cached: (caller: Caller, call: FastCall) => FastAnswer | undefined;
  /**
   * Reads and prints the answer; undefined if Nest must answer.
   * @throws the error that Nest's route would throw
   */
  print: (caller: Caller, call: FastCall) => Promise<FastAnswer | undefined>;
}>;

/**
 * Answers reads from memory. With SQLite, the process checks synchronously that callers and answers in memory are
 * current. With PostgreSQL, the process first reads the stamps of the tables; simultaneous requests share this query.
 */
export function createReadAnswerer(
  parts: AnsweringParts & Pick<Charter, 'database'> & Pick<Authentication, 'callers'>,
  otherwise: RequestListener,
) {
  const {
    callers,
    database: { refreshStamps },
  } = parts;

  const printAndSend = async (read: FastRead, call: FastCall, caller: Caller): Promise<void> => {
    const answer = await read.print(caller, call);
    if (answer) sendFast(parts, call, answer);
    else otherwise(call.request, call.response);
  };

  const answerLater = async (read: FastRead, call: FastCall, known?: Caller): Promise<void> => {
    const { request, response, done } = call;
    let caller = known;
    try {
      if (caller) {
        await printAndSend(read, call, caller);
        return;
      }
      await refreshStamps?.();
      caller = callers.recall(request) ?? (await callers.identify(request));
      const cached = read.cached(caller, call);
      if (cached) sendFast(parts, call, cached);
      else await printAndSend(read, call, caller);
    } catch (error) {
      if (response.headersSent) return;
      // After an unexpected error, Nest's route meets the same error and answers. If the authentication failed, the
      // fast path answers, because Nest would count a wrong API key a second time.
      if (caller && isUnexpected(error)) otherwise(request, response);
      else {
        refuseFast(parts, call, caller, error);
        done();
      }
    }
  };

  return (read: FastRead, call: FastCall): boolean => {
    if (refreshStamps) {
      void answerLater(read, call);
      return true;
    }
    const caller = callers.recall(call.request);
    if (!caller) return false;
    const cached = read.cached(caller, call);
    if (cached) sendFast(parts, call, cached);
    else void answerLater(read, call, caller);
    return true;
  };
}
