import { isCallFailure } from '../problem';
import type { ConsoleWords } from '../words';

/** The sentence for what went wrong. Only the service knows whether it was the password that was asked for again. */
export function accountTroubleText(error: unknown, text: ConsoleWords['text']): string {
  if (!isCallFailure(error)) return text('account.failed');
  const { status, reason, retryAfter } = error;
  if (status === 429) return retryAfter === null ? text('too-many') : text('too-many.seconds', { seconds: retryAfter });
  if (reason === 'password-refused') return text('password.refused');
  return text(reason === 'wrong-password' ? 'password.wrong' : 'account.failed');
}
