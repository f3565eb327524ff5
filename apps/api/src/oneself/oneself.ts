import { refuse } from '@charter/decider';
import { Refused } from '@charter/event-log';
import type { Account, AccountChange, AccountFact, Ending } from '@charter/identity';
import type { By } from '@charter/wiring';
import type { KnownRequest, Known } from '../request/envelope';
import { type SignedIn, unauthenticated } from '../request/caller';
import { fromStore, Stop } from '../request/problem';
import type { Runtime } from '../runtime';
import { countProof } from '../sign-in/limits';
import { nobody, passwordHashOf } from '../sign-in/log-in';

/**
 * Whoever asks about themselves: a person, never a key (`acceptance.md` J7). A session that an organization's own provider
 * vouched for is good for that organization, so with it nothing about the account may be changed.
 * @throws Refused 403
 */
export function personIn({ caller }: Known, may: 'read' | 'change' = 'change'): SignedIn {
  if (!caller.signedIn) throw new Refused(refuse('not-allowed', 'This takes a person who is signed in, not a key.'));
  if (may === 'change' && caller.only !== undefined)
    throw new Refused(refuse('not-allowed', 'This takes a sign-in with your own password or with Google.'));
  return caller.signedIn;
}

/** Who did it, for the audit streams. */
export const byOf = ({ caller: { actor }, at, id }: Known): By => ({ actor, at, correlation: id });

/**
 * Asks for the password again. Counted like a sign-in, before it is verified (`decisions.md`, Signing in, 16).
 * @throws Stop 403 `wrong-password`, 429, 503
 */
export async function provePassword(runtime: Runtime, request: KnownRequest, account: Account, password: string) {
  const counted = await countProof(runtime, request, `account ${account.id}`);
  const hash = passwordHashOf(account, password);
  const isRight = await runtime.passwords.verify(hash, hash === null ? '' : password).catch(async (error: unknown) => {
    await counted.takeBack();
    throw error;
  });
  if (isRight) {
    await counted.takeBack();
    return;
  }
  const by = { actor: nobody, at: request.charter.at, correlation: request.charter.id };
  const reason = account.passwordHash === null ? 'no-password' : 'wrong-password';
  runtime.afterwards.add('a wrong password was not recorded', () =>
    runtime.trail.record({ account: account.id }, { type: 'SignInFailed', data: { method: 'password', reason } }, by),
  );
  throw new Stop(
    403,
    'wrong-password',
    account.passwordHash === null
      ? 'This account has no password yet. Set one with "Forgot your password?" first.'
      : 'The password is not right.',
  );
}

/**
 * Changes an account as it is now; it is recorded before it is done. What ends with it ends in the same moment.
 * @throws Stop 409 `email-taken`, `username-taken`; 401 when it is gone
 */
export async function changeAccount(
  { documents, trail }: Runtime,
  id: string,
  fact: AccountFact,
  by: By,
  change: AccountChange,
  ending?: Ending,
): Promise<Account> {
  const { accounts } = documents.people;
  await trail.record({ account: id }, fact, by);
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const account = await fromStore(accounts.byId(id));
    if (account?.state !== 'active') throw unauthenticated('The account is not active any more.');
    const done = await fromStore(accounts.change(id, account.version, change, ending));
    if (done === 'changed') return { ...account, ...change, version: account.version + 1 };
    if (done !== 'stale') throw new Stop(409, done, 'Somebody else has this already.');
  }
  throw new Stop(409, 'changed-meanwhile', 'Somebody else is changing this account. Try again.');
}
const TRIES_MAX = 5;

/** One entry for each thing that operators should be able to see (`acceptance.md` T3); ids and closed words alone. */
export const noteDone = (
  { logger }: Pick<Runtime, 'logger'>,
  { id, caller: { actor } }: Known,
  address: string,
  result: string,
  more: Readonly<Record<string, unknown>> = {},
): void => logger.info({ request: id, actor: { kind: actor.kind, id: actor.id }, address, result, ...more }, 'done');
