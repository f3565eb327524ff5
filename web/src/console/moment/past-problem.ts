import type { CallFailure } from '../problem';

/**
 * The message id of the reason why a moment has no page. Without the service's refusal, the address contains no moment
 * that exists. The refusal says that the moment is before the founding, or beyond the last event.
 */
export function pastProblem(failure: CallFailure | undefined): string {
  if (failure === undefined) return 'moment.problem.unreadable';
  return failure.status === 404 ? 'moment.problem.before' : 'moment.problem.beyond';
}
