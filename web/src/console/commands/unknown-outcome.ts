import type { CallFailure } from '../problem';

/**
 * Whether the service may have executed the change. After 503 `busy` it has not; the same request repeats safely. A
 * refused sign-in and a limit of attempts do not answer what an earlier attempt of the same intent did.
 */
export const isUnknownOutcome = ({ status }: CallFailure, isRepetition: boolean): boolean =>
  status === 0 || status >= 500 || (isRepetition && [401, 429].includes(status));

/** Whether the service refuses to tell the outcome. The first attempt itself may have removed the person's right. */
export const isWithoutRight = ({ status }: CallFailure): boolean => status === 403 || status === 404;
