import { refuse } from '@charter/decider';
import { Refused } from '@charter/aggregates';
import type { Account } from '@charter/identity';
import { provePassword } from '../account/account';
import type { RequestContext, RequestWithContext } from '../http/request-context';
import type { Charter } from '@charter/application';
import type { Clock } from '../process/parts/clock';
import type { Background } from '../process/parts/background';

/**
 * The account of the operator who sends the request. An API key may not manage accounts and keys (`decisions.md`, Who
 * may do what).
 * @throws Refused 403
 */
export function operatorIn({ caller: { actor, signedIn } }: RequestContext): Account {
  if (!signedIn || !actor.powers.includes('operator'))
    throw new Refused(refuse('not-allowed', 'Only an operator may do this.'));
  return signedIn.account;
}

/** Verifies the operator's password in the request, and returns the operator's account (`acceptance.md` J8). */
export async function operatorWithPassword(
  runtime: Pick<Charter, 'settings' | 'database' | 'trail' | 'passwords'> & Clock & Pick<Background, 'deferred'>,
  request: RequestWithContext,
  password: string,
): Promise<Account> {
  const account = operatorIn(request.charter);
  await provePassword(runtime, request, account, password);
  return account;
}
