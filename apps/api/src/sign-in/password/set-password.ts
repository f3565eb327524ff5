import { type Account, passwordProblem } from '@charter/identity';
import { commonPasswords, type Charter } from '@charter/application';
import { organizationNamesOf } from '../../account/memberships';
import { ProblemError } from '../../http/problems/problem';

/** Checks and hashes a new password. @throws ProblemError 400 `password-refused` with the reason; 503 */
export async function hashNewPassword(
  runtime: Pick<Charter, 'settings' | 'view' | 'organizations' | 'passwords'>,
  account: Account,
  password: string,
): Promise<string> {
  const { email, username, name } = account;
  const organizations = await organizationNamesOf(runtime, account.id);
  const about = { product: runtime.settings.productName, organizations, email, username, name };
  const because = passwordProblem(password, about, await commonPasswords());
  if (because) throw new ProblemError(400, 'password-refused', sentences[because], { because });
  return runtime.passwords.hash(password);
}

const sentences = {
  'too-short': 'The password needs 12 characters or more.',
  'too-long': 'The password may have at most 128 characters.',
  common: 'Many people use this password, so attackers try it first. Choose another one.',
  personal: 'The password consists mostly of names that belong to you or to your organization. Choose another one.',
} as const;
