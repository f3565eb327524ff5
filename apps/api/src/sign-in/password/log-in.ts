import { momentAt } from '@charter/decider';
import {
  type Account,
  canonicalEmail,
  identifierOf,
  NO_ACCOUNT,
  normalPassword,
  PASSWORD_LENGTH_MAX,
  type SignInFailure,
} from '@charter/identity';
import type { Response } from 'express';
import type { RawRequest } from '../../http/input/body';
import { requestIdOf } from '../../http/request-id';
import { ProblemError } from '../../http/problems/problem';
import { passwordCredentialsOf } from './credentials';
import { isManaged } from '../domains/domain-trust';
import { knownDevice } from '../device-cookie';
import {
  countAttempt,
  countSignIn,
  attemptLimits,
  clientNetworkOf,
  signInCounterOf,
  unknownCounterOf,
} from '../limits';
import type { Charter } from '@charter/application';
import type { Clock } from '../../process/parts/clock';
import type { Authentication } from '../../process/parts/authentication';
import type { Background } from '../../process/parts/background';

/**
 * `POST /login`. A wrong name, a wrong password and an unusable account get the same answer, after the same amount of
 * work (`decisions.md`, Signing in, 2). Charter counts the attempt before it verifies the password, and hashes exactly
 * one password. The reason of a refusal is stored before the response, for known and for unknown usernames. The
 * account's history contains the reason later.
 * @throws ProblemError 401, 429; 503 if too many passwords wait to be hashed
 */
export async function logInWithPassword(
  runtime: Pick<
    Charter,
    'settings' | 'keyFor' | 'log' | 'database' | 'view' | 'organizations' | 'trail' | 'passwords'
  > &
    Clock &
    Pick<Authentication, 'browserSessions'> &
    Pick<Background, 'backgroundWork' | 'deferred'>,
  request: RawRequest,
  response: Response,
): Promise<void> {
  const credentials = passwordCredentialsOf(request);
  if (!credentials) throw refused({ why: 'malformed' });
  const { username, password } = credentials;
  const account = await findAccountByIdentifier(runtime, username);

  const counter = counterOf(account, username);
  const recordReason = (reason: SignInFailure) => recordFailure(runtime, request, account, reason);
  const device = knownDevice(runtime, request, account?.id ?? '');
  const counted = await countSignIn(runtime, request, counter, device, async (whose) => {
    if ((await countAttempt(runtime, attemptLimits.throttleRecorded, whose)).allowed) await recordReason('throttled');
  }).catch((error: unknown) => {
    throw error instanceof ProblemError ? error.noting({ ...error.about, account: account?.id }) : error;
  });

  /** If a store or the password check fails, the attempt is no failed sign-in, so Charter does not count it. */
  const uncount = async (error: unknown) => {
    await counted.takeBack();
    throw error;
  };

  const hash = passwordHashOf(account, password);
  const verified = runtime.passwords.verify(hash, hash === null ? '' : password);
  // This lookup runs while the password is hashed. Only the answer to a right password depends on the lookup, so the
  // answer to a wrong password does not reveal which accounts exist.
  const managed = isManaged(
    runtime,
    account ?? { id: NO_ACCOUNT, email: canonicalEmail(username) ?? null, role: null },
  );
  void managed.catch(() => undefined);
  const isRight = await verified.catch(uncount);
  if (!account || hash === null || !isRight) {
    const why = failureOf(account, hash);
    await recordReason(why);
    throw refused({ account: account?.id, why });
  }

  if (await managed.catch(uncount)) {
    await recordReason('managed');
    throw refused({ account: account.id, why: 'managed' });
  }

  await counted.takeBack();
  const session = await runtime.browserSessions.beginSession(response, account, 'password', request);
  if (!session) throw refused({ account: account.id, why: 'changed meanwhile' });
  if (runtime.passwords.needsRehash(hash))
    runtime.backgroundWork.add('rehash', account.id, () => rehash(runtime, account.id, hash, password));
}

const refused = (about: Readonly<Record<string, unknown>>) =>
  new ProblemError(401, 'sign-in-refused', 'Incorrect username or password.').noting(about);

/** Makes exactly one query, so that its duration does not reveal which accounts exist. */
function findAccountByIdentifier({ database }: Pick<Charter, 'database'>, text: string): Promise<Account | undefined> {
  const { accounts } = database.people;
  const named = identifierOf(text);
  if (named && 'email' in named) return accounts.byEmail(named.email);
  return accounts.byUsername(named?.username ?? '');
}

/**
 * The owner (`whose`) of the counter for failed sign-ins. An unknown name has a separate counter, under its canonical
 * form.
 */
function counterOf(account: Account | undefined, text: string): string {
  if (account) return signInCounterOf(account.id);
  const named = identifierOf(text);
  if (!named) return unknownCounterOf(text);
  return unknownCounterOf('email' in named ? named.email : named.username);
}

/**
 * The hash with which the password is compared. If the stored hash is null, the comparison takes the same time and
 * fails.
 */
export function passwordHashOf(account: Account | undefined, password: string): string | null {
  const fits = hasPasswordLength(password); // computed for every account, so that the time reveals no state
  return account?.state === 'active' && fits ? account.passwordHash : null;
}

/**
 * Whether the normal form of a password has an allowed length. Charter also limits the normal form of a new password,
 * because a keyboard may send a letter as several characters. No character of the normal form comes from more than
 * `UNITS_MAX` UTF-16 code units.
 */
const hasPasswordLength = (password: string): boolean =>
  password !== '' &&
  password.length <= UNITS_MAX * PASSWORD_LENGTH_MAX &&
  Array.from(normalPassword(password)).length <= PASSWORD_LENGTH_MAX;
const UNITS_MAX = 8;

function failureOf(account: Account | undefined, hash: string | null): SignInFailure {
  if (!account) return 'unknown';
  if (account.state === 'disabled' || account.state === 'erased') return 'disabled';
  if (account.state === 'invited') return 'invited';
  return account.passwordHash === null && hash === null ? 'no-password' : 'wrong-password';
}

/**
 * Stores the reason of a refused sign-in; background work adds the reason to the account's history. For an unknown
 * name, the history of `NO_ACCOUNT` gets the reason, so that known and unknown names cause the same work.
 */
const recordFailure = (
  runtime: Pick<Charter, 'settings'> & Clock & Pick<Background, 'deferred'>,
  request: RawRequest,
  account: Account | undefined,
  reason: SignInFailure,
): Promise<void> =>
  runtime.deferred.add('audit', clientNetworkOf(request, runtime), {
    account: account?.id ?? NO_ACCOUNT,
    fact: { type: 'SignInFailed', data: { method: 'password', reason } },
    context: { actor: signInActor, at: momentAt(runtime.now()), correlation: requestIdOf(request) },
  });

/** The actor of requests without authentication. */
export const signInActor = { kind: 'system', id: 'sign-in', powers: [] } as const;

async function rehash(
  { database, passwords }: Pick<Charter, 'database' | 'passwords'>,
  account: string,
  former: string,
  password: string,
): Promise<void> {
  await database.people.accounts.rehash(account, former, await passwords.hash(password));
}
