import { type Account, identifierOf, PASSWORD_LENGTH_MAX, type SignInFailure } from '@charter/identity';
import type { Response } from 'express';
import type { RawRequest } from '../../http/input/body';
import { requestIdOf } from '../../http/authentication/authentication-guard';
import { orUnavailable, ProblemError } from '../../http/problems/problem';
import type { Runtime } from '../../process/runtime';
import { passwordCredentialsOf } from './credentials';
import { countAttempt, countSignIn, attemptLimits } from '../limits';

/**
 * `POST /login`. Every refusal answers alike, after the same work (`decisions.md`, Signing in, 2): attempts are counted
 * before anything is verified, a password is always hashed, and what is known about the account goes to its history and
 * to the log when the answer is out.
 * @throws Stop 401, 429; 503 when too many passwords wait to be hashed
 */
export async function logInWithPassword(runtime: Runtime, request: RawRequest, response: Response): Promise<void> {
  const credentials = passwordCredentialsOf(request);
  if (!credentials) throw refused({ why: 'malformed' });
  const { username, password } = credentials;
  const account = await orUnavailable(findAccountByIdentifier(runtime, username));

  const tell = (reason: SignInFailure) => () => recordFailure(runtime, request, account, reason);
  const counted = await countSignIn(runtime, request, bucketOf(account, username), () =>
    tellThrottled(runtime, account, tell('throttled')),
  ).catch((error: unknown) => {
    throw error instanceof ProblemError ? error.noting({ ...error.about, account: account?.id }) : error;
  });

  const hash = passwordHashOf(account, password);
  const isRight = await runtime.passwords.verify(hash, hash === null ? '' : password).catch(async (error: unknown) => {
    await counted.takeBack(); // nothing was verified
    throw error;
  });
  if (!account || hash === null || !isRight) {
    const why = failureOf(account, hash);
    if (account) runtime.backgroundWork.add('a failed sign-in was not recorded', tell(why));
    throw refused({ account: account?.id, why: account ? why : 'unknown' });
  }

  await counted.takeBack();
  const session = await runtime.browserSessions.beginSession(response, account, 'password', request);
  if (!session) throw refused({ account: account.id, why: 'changed meanwhile' });
  if (runtime.passwords.needsRehash(hash))
    runtime.backgroundWork.add('a password was not hashed anew', () => hashAnew(runtime, account, password));
}

const refused = (about: Readonly<Record<string, unknown>>) =>
  new ProblemError(401, 'sign-in-refused', 'Incorrect username or password.').noting(about);

/** One question, whatever the text is, so that its time tells nothing. */
function findAccountByIdentifier(
  { documents }: Pick<Runtime, 'documents'>,
  text: string,
): Promise<Account | undefined> {
  const { accounts } = documents.people;
  const named = identifierOf(text);
  if (named && 'email' in named) return accounts.byEmail(named.email);
  return accounts.byUsername(named?.username ?? '');
}

/** Whose failures these are. Nobody's are counted as an account's would be, in whatever way the same name is written. */
function bucketOf(account: Account | undefined, text: string): string {
  if (account) return `account ${account.id}`;
  const named = identifierOf(text);
  if (!named) return `nobody ${text}`;
  return `nobody ${'email' in named ? named.email : named.username}`;
}

/** What a password is to be compared with; null: with nothing, which takes as long. */
export function passwordHashOf(account: Account | undefined, password: string): string | null {
  const fits =
    password !== '' && password.length <= 2 * PASSWORD_LENGTH_MAX && Array.from(password).length <= PASSWORD_LENGTH_MAX;
  return account?.state === 'active' && fits ? account.passwordHash : null;
}

function failureOf(account: Account | undefined, hash: string | null): SignInFailure {
  if (account?.state === 'disabled' || account?.state === 'erased') return 'disabled';
  if (account?.state === 'invited') return 'invited';
  return account && account.passwordHash === null && hash === null ? 'no-password' : 'wrong-password';
}

const recordFailure = async (
  { trail, now }: Runtime,
  request: RawRequest,
  account: Account | undefined,
  reason: SignInFailure,
) =>
  account &&
  trail.record(
    { account: account.id },
    { type: 'SignInFailed', data: { method: 'password', reason } },
    { actor: signInActor, at: new Date(now()).toISOString(), correlation: requestIdOf(request) },
  );

/** Whoever knocks, and has proven nothing. */
export const signInActor = { kind: 'system', id: 'sign-in', powers: [] } as const;

function tellThrottled(runtime: Runtime, account: Account | undefined, tell: () => Promise<unknown>): void {
  if (!account) return;
  runtime.backgroundWork.add('throttling was not recorded', async () => {
    const first = await countAttempt(runtime, attemptLimits.throttleTold, account.id);
    if (first.allowed) await tell();
  });
}

async function hashAnew({ documents, passwords }: Runtime, { id, version }: Account, password: string): Promise<void> {
  await documents.people.accounts.change(id, version, { passwordHash: await passwords.hash(password) });
}
