import type { CallFailure } from '../problem';

/**
 * The id of the message that says why the page cannot show a moment. If the service has refused the request, the moment
 * is before the founding or after the last event. Without a refusal, the text in the address is not a moment.
 */
export function pastProblem(failure: CallFailure | undefined): string {
  if (failure === undefined) return 'moment.problem.unreadable';
  return failure.status === 404 ? 'moment.problem.before' : 'moment.problem.beyond';
}
