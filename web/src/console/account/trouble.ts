import { isTrouble } from '../problem';

/** The sentence for what went wrong with something that asks for the password again. */
export function wordsOf(error: unknown, withPassword: boolean): string {
  if (!isTrouble(error)) return 'account.failed';
  if (error.status === 429) return 'too-many';
  if (error.reason === 'password-refused') return 'password.refused';
  return withPassword && (error.status === 401 || error.status === 403) ? 'password.wrong' : 'account.failed';
}
