import { refuse } from '@charter/decider';
import { Refused } from '@charter/aggregates';
import type { Account, AccountChange, AccountFact, NewPreferences, RevokedAccess } from '@charter/identity';
import type { AuditContext, Charter } from '@charter/application';
import type { RequestWithContext, RequestContext } from '../http/request-context';
import { type SignedInPerson, unauthenticated } from '../http/authentication/caller';
import { ProblemError } from '../http/problems/problem';
import { countAttempt, attemptLimits, tooManyAttempts } from '../sign-in/limits';
import { signInActor, passwordHashOf } from '../sign-in/password/log-in';
import type { Clock } from '../process/parts/clock';
import type { Background } from '../process/parts/background';
import type { Observability } from '../process/parts/observability';

/**
 * Returns the signed-in person and refuses API keys (`acceptance.md` J7). A session from an organization's own provider
 * gives access to that organization only. A session from an organization's own provider may read the account, but not
 * change it.
 * @throws Refused 403
 */
export function signedInPerson({ caller }: RequestContext, may: 'read' | 'change' = 'change'): SignedInPerson {
  if (!caller.signedIn)
    throw new Refused(refuse('not-allowed', 'Only a signed-in person may do this. An API key is not accepted.'));
  if (may === 'change' && caller.only !== undefined)
    throw new Refused(refuse('not-allowed', 'Sign in with your own password or with Google to do this.'));
  return caller.signedIn;
}

/** The actor, the moment and the id of the request, which each audit event of this request contains. */
export const auditContextOf = ({ caller: { actor }, at, id }: RequestContext): AuditContext => ({
  actor,
  at,
  correlation: id,
});

/**
 * Counts an attempt and then verifies the password of a person who is already signed in (`decisions.md`, Signing in,
 * 16). Charter counts the attempts of each session separately. An attacker with a stolen session therefore cannot lock
 * out the owner, who uses another session. Sessions of the account that began through one organization's own provider
 * count together, because the provider's operator can begin any number of them.
 * @throws ProblemError 401 if the account is not active; 403 `wrong-password`, with `why: 'no-password'` if the account
 *   has no password; 409 `changed-meanwhile`; 429, 503
 */
export async function provePassword(
  runtime: Pick<Charter, 'settings' | 'database' | 'passwords'> & Clock & Pick<Background, 'deferred'>,
  request: RequestWithContext,
  account: Account,
  password: string,
) {
  const { id: session = '', organization = null } = request.charter.caller.signedIn?.session ?? {};
  const countedFor = organization === null ? `session ${session}` : `organization ${organization}`;
  const counted = await countAttempt(runtime, attemptLimits.proofSession, `account ${account.id} ${countedFor}`);
  if (!counted.allowed) {
    await counted.takeBack(); // the password was not verified, so the attempt is not a failure
    throw tooManyAttempts(counted.retryAfter);
  }
  const hash = passwordHashOf(account, password);
  const isRight = await runtime.passwords.verify(hash, hash === null ? '' : password).catch(async (error: unknown) => {
    await counted.takeBack();
    throw error;
  });
  if (isRight) {
    await counted.takeBack();
    await requireUnchanged(runtime, account); // the account may have changed during the verification
    return;
  }
  const context = { actor: signInActor, at: request.charter.at, correlation: request.charter.id };
  const reason = account.passwordHash === null ? 'no-password' : 'wrong-password';
  const fact = { type: 'SignInFailed', data: { method: 'password', reason } } as const;
  await runtime.deferred.add('audit', account.id, { account: account.id, fact, context });
  if (reason === 'wrong-password') throw new ProblemError(403, reason, 'The password is wrong.');
  const advice = 'This account has no password yet. Set one with "Forgot your password?" first.';
  throw new ProblemError(403, 'wrong-password', advice, { why: reason });
}

/**
 * Changes an account only if the stored account still has the version of `checked`. The change therefore fails if, for
 * example, another process has reset the password meanwhile. Records the audit fact before the change. The transaction
 * that changes the account also ends the sessions and mailed links in `ending`.
 * @throws ProblemError 409 `changed-meanwhile`, `email-taken`, `username-taken`; 401 if the account is not active
 */
export async function changeAccount(
  runtime: Pick<Charter, 'database' | 'trail'>,
  checked: Account,
  fact: AccountFact,
  context: AuditContext,
  change: AccountChange,
  ending?: RevokedAccess,
): Promise<Account> {
  const { database, trail } = runtime;
  await requireUnchanged(runtime, checked);
  await trail.record({ account: checked.id }, fact, context);
  const done = await database.people.accounts.change(checked.id, checked.version, change, ending);
  if (done === 'changed') return { ...checked, ...change, version: checked.version + 1 };
  throw done === 'stale'
    ? changedMeanwhile()
    : new ProblemError(409, done, 'Another account has this name or address already.');
}

/** @throws ProblemError 401 if the account is erased; 503 */
export async function storePreferences(
  { database }: Pick<Charter, 'database'>,
  account: Account,
  preferences: NewPreferences,
): Promise<Account> {
  const isStored = await database.people.accounts.prefer(account.id, preferences);
  if (!isStored) throw unauthenticated('The account is not active any more.');
  const { language = account.language, timeZone = account.timeZone, singleKeys = account.singleKeys } = preferences;
  return { ...account, language, timeZone, singleKeys };
}

/** @throws ProblemError 409 if the account no longer has the checked version; 401 if the account is not active */
async function requireUnchanged({ database }: Pick<Charter, 'database'>, { id, version }: Account): Promise<void> {
  const account = await database.people.accounts.byId(id);
  if (account?.state !== 'active') throw unauthenticated('The account is not active any more.');
  if (account.version !== version) throw changedMeanwhile();
}
const changedMeanwhile = () =>
  new ProblemError(
    409,
    'changed-meanwhile',
    'The account has changed since you loaded this page. Load the page again.',
  );

/**
 * Writes a log line for operators about a finished operation (`acceptance.md` T3). The log line contains only ids and
 * fixed words, never personal data.
 */
export const logOperation = (
  { logger }: Pick<Observability, 'logger'>,
  { id, caller: { actor } }: RequestContext,
  address: string,
  result: string,
  more: Readonly<Record<string, unknown>> = {},
): void => logger.info({ request: id, actor: { kind: actor.kind, id: actor.id }, address, result, ...more }, 'done');
