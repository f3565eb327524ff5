import { refuse } from '@charter/decider';
import { Refused } from '@charter/aggregates';
import type { Account, AccountChange, AccountFact, RevokedAccess } from '@charter/identity';
import type { AuditContext } from '@charter/application';
import type { RequestWithContext, RequestContext } from '../http/request-context';
import { type SignedInPerson, unauthenticated } from '../http/authentication/caller';
import { orUnavailable, ProblemError } from '../http/problems/problem';
import type { Runtime } from '../process/runtime';
import { countAttempt, attemptLimits, tooManyAttempts } from '../sign-in/limits';
import { signInActor, passwordHashOf } from '../sign-in/password/log-in';

/**
 * Whoever asks about themselves: a person, never a key (`acceptance.md` J7). A session that an organization's own provider
 * vouched for is good for that organization, so with it nothing about the account may be changed.
 * @throws Refused 403
 */
export function signedInPerson({ caller }: RequestContext, may: 'read' | 'change' = 'change'): SignedInPerson {
  if (!caller.signedIn) throw new Refused(refuse('not-allowed', 'This takes a person who is signed in, not a key.'));
  if (may === 'change' && caller.only !== undefined)
    throw new Refused(refuse('not-allowed', 'This takes a sign-in with your own password or with Google.'));
  return caller.signedIn;
}

/** Who did it, for the audit streams. */
export const auditContextOf = ({ caller: { actor }, at, id }: RequestContext): AuditContext => ({
  actor,
  at,
  correlation: id,
});

/**
 * Asks for the password again. Counted before it is verified, with the numbers of a sign-in (`decisions.md`, Signing in, 16) but
 * for this session alone: whatever strangers do, its owner can protect the account.
 * @throws Stop 403 `wrong-password`; 409 `changed-meanwhile`; 429, 503
 */
export async function provePassword(runtime: Runtime, request: RequestWithContext, account: Account, password: string) {
  const session = request.charter.caller.signedIn?.session.id ?? '';
  const counted = await countAttempt(runtime, attemptLimits.proofSession, `account ${account.id} session ${session}`);
  if (!counted.allowed) {
    await counted.takeBack(); // nothing was verified, so it is no failure
    throw tooManyAttempts(counted.retryAfter);
  }
  const hash = passwordHashOf(account, password);
  const isRight = await runtime.passwords.verify(hash, hash === null ? '' : password).catch(async (error: unknown) => {
    await counted.takeBack();
    throw error;
  });
  if (isRight) {
    await counted.takeBack();
    await refuseOther(runtime, account); // verifying takes time, and waiting for it too
    return;
  }
  const by = { actor: signInActor, at: request.charter.at, correlation: request.charter.id };
  const reason = account.passwordHash === null ? 'no-password' : 'wrong-password';
  runtime.backgroundWork.add('a wrong password was not recorded', () =>
    runtime.trail.record({ account: account.id }, { type: 'SignInFailed', data: { method: 'password', reason } }, by),
  );
  throw new ProblemError(
    403,
    'wrong-password',
    account.passwordHash === null
      ? 'This account has no password yet. Set one with "Forgot your password?" first.'
      : 'The password is not right.',
  );
}

/**
 * Changes an account as it was judged, with its password or its session, and in no other version: whoever has reset it
 * meanwhile has the last word. It is recorded before it is done. What ends with it ends in the same moment.
 * @throws Stop 409 `changed-meanwhile`, `email-taken`, `username-taken`; 401 when it is gone
 */
export async function changeAccount(
  runtime: Runtime,
  judged: Account,
  fact: AccountFact,
  by: AuditContext,
  change: AccountChange,
  ending?: RevokedAccess,
): Promise<Account> {
  const { documents, trail } = runtime;
  await refuseOther(runtime, judged);
  await trail.record({ account: judged.id }, fact, by);
  const done = await orUnavailable(documents.people.accounts.change(judged.id, judged.version, change, ending));
  if (done === 'changed') return { ...judged, ...change, version: judged.version + 1 };
  throw done === 'stale' ? changedMeanwhile() : new ProblemError(409, done, 'Somebody else has this already.');
}

/** @throws Stop 409 when it is another version than the one that was judged; 401 when it is not active any more */
async function refuseOther({ documents }: Pick<Runtime, 'documents'>, { id, version }: Account): Promise<void> {
  const account = await orUnavailable(documents.people.accounts.byId(id));
  if (account?.state !== 'active') throw unauthenticated('The account is not active any more.');
  if (account.version !== version) throw changedMeanwhile();
}
const changedMeanwhile = () =>
  new ProblemError(409, 'changed-meanwhile', 'The account was changed meanwhile. Load the page again.');

/** One entry for each thing that operators should be able to see (`acceptance.md` T3); ids and closed words alone. */
export const logOperation = (
  { logger }: Pick<Runtime, 'logger'>,
  { id, caller: { actor } }: RequestContext,
  address: string,
  result: string,
  more: Readonly<Record<string, unknown>> = {},
): void => logger.info({ request: id, actor: { kind: actor.kind, id: actor.id }, address, result, ...more }, 'done');
