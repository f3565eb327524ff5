import type { CallFailure } from '../problem';

/**
 * Whether it is possible that the service has executed the change. A service that answers 503 `busy` has not executed
 * the change, but a repetition with the same key is safe. If a repetition gets 401 or 429, or if the browser is offline
 * at a repetition, the first attempt may have succeeded.
 */
export function isUnknownOutcome({ status, reason }: CallFailure, isRepetition: boolean): boolean {
  if (reason === 'offline') return isRepetition;
  return status === 0 || status >= 500 || (isRepetition && [401, 429].includes(status));
}

/**
 * Whether the person no longer has the right to learn the outcome, for example because the first attempt removed this
 * right. The service checks the password before a change, so a wrong password means that nothing has happened.
 */
export const isWithoutRight = ({ status, reason }: CallFailure): boolean =>
  (status === 403 && reason !== 'wrong-password') || status === 404;
