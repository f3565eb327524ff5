import type { CallFailure } from '../problem';

/**
 * The message id of the reason why the page cannot show a moment. A refusal of the service means that the moment is
 * before the founding, or beyond the last event. If the service has not refused, the text in the address is not a
 * moment.
 */
export function pastProblem(failure: CallFailure | undefined): string {
  if (failure === undefined) return 'moment.problem.unreadable';
  return failure.status === 404 ? 'moment.problem.before' : 'moment.problem.beyond';
}
