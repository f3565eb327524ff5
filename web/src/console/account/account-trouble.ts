import { waitOf } from '../../text';
import { isCallFailure } from '../problem';
import type { ConsoleWords } from '../words';

/**
 * The message about a failed request of the account page. The service's answer says whether the entered password was
 * wrong, or whether the account has no password.
 */
export function accountTroubleText(error: unknown, text: ConsoleWords['text']): string {
  if (!isCallFailure(error)) return text('account.failed');
  const { status, reason, retryAfter, problem } = error;
  if (status === 429) return retryAfter === null ? text('too-many') : text('too-many.wait', waitOf(retryAfter));
  if (reason === 'offline') return text('offline.not-sent');
  if (reason === 'password-refused') return text('password.refused');
  if (reason !== 'wrong-password') return text('account.failed');
  return text(problem?.why === 'no-password' ? 'password.none' : 'password.wrong');
}
