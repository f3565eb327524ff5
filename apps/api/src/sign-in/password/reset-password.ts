import { type Account, type AccountChange, type AccountLink, linkHash, type Session } from '@charter/identity';
import type { Request, Response } from 'express';
import { requestIdOf } from '../../http/request-id';
import { markDevice } from '../device-cookie';
import { requireAttempt, attemptLimits, clientNetworkOf } from '../limits';
import { mailAccountNotice } from '../account-notices';
import { malformedRequest } from '../../http/problems/problem';
import { isManaged } from '../domains/domain-trust';
import { isInForce, isInvitation } from './invitation';
import { invalidLink, linkOf, redeemLink } from './redeem-link';
import { hashNewPassword } from './set-password';
import type { Charter } from '@charter/application';
import type { Clock } from '../../process/parts/clock';
import type { Observability } from '../../process/parts/observability';
import type { Authentication } from '../../process/parts/authentication';
import type { Background } from '../../process/parts/background';

/**
 * `POST /reset`: sets a password with the link of a reset or an invitation. The link works once and ends all sessions.
 * Only the link of an invitation sets a name and signs the person in (`decisions.md`, Signing in, 8 and 20). After a
 * refused password, the link still works. Marks the browser as a browser of the account, so that an attacker who
 * guesses in other browsers cannot prevent the next sign-in.
 * @throws ProblemError 400 `reset-link-invalid`, `password-refused`, `malformed`; 429; 503
 */
export async function resetPassword(
  runtime: Pick<
    Charter,
    'settings' | 'keyFor' | 'log' | 'database' | 'view' | 'organizations' | 'trail' | 'passwords'
  > &
    Clock &
    Pick<Observability, 'logger'> &
    Pick<Authentication, 'browserSessions'> &
    Pick<Background, 'backgroundWork' | 'mails'>,
  request: Request,
  response: Response,
  { token, password, name }: Readonly<{ token: string; password: string; name?: string | undefined }>,
): Promise<void> {
  const counted = await requireAttempt(runtime, attemptLimits.resetAddress, clientNetworkOf(request, runtime));
  const hash = linkHash(token);
  const { link, account } = await linkOf(runtime, hash);
  if (!(await isGoodFor(runtime, link, account))) throw invalidLink(account.id);
  const invited = isInvitation(link, account);
  if (name !== undefined && !invited) throw malformedRequest([nameOfReset]);
  const renamed = name === undefined ? {} : { name };
  const passwordHash = await hashNewPassword(runtime, { ...account, ...renamed }, password);

  const { before, after } = await redeemLink(runtime, request, hash, {
    factsOf: (owner) => [
      { type: 'PasswordReset', data: { version: owner.version } },
      ...(name === undefined || name === owner.name ? [] : [{ type: 'NamesChanged', data: {} } as const]),
    ],
    changeFor: async (one, owner) =>
      (await isGoodFor(runtime, one, owner)) ? { ...changeBy(one, owner, passwordHash), ...renamed } : undefined,
  });
  if (before.state === 'active') await mailAccountNotice(runtime, request, 'password-changed', before);
  await counted.takeBack();
  runtime.logger.info(
    {
      request: requestIdOf(request),
      actor: { kind: 'account', id: before.id },
      address: clientNetworkOf(request, runtime),
      result: 'password-set',
    },
    'a password was set by a link',
  );
  if (!(invited && (await signIn(runtime, request, response, after))))
    markDevice(runtime, request, response, before.id);
}

const nameOfReset = { path: 'name', message: 'is allowed only with the link of an invitation' };

/**
 * Signs the person in, as a sign-in with the new password does. So no session begins for a member of a managed domain.
 * If the sign-in fails, the answer is still 204, because the password is set and the link is used. The person then
 * signs in with the new password, or through the organization's provider.
 */
async function signIn(
  runtime: Pick<Charter, 'keyFor' | 'log' | 'database' | 'view' | 'organizations'> &
    Pick<Authentication, 'browserSessions'>,
  request: Request,
  response: Response,
  account: Account,
): Promise<Session | undefined> {
  try {
    if (await isManaged(runtime, account)) return undefined;
    return await runtime.browserSessions.beginSession(response, account, 'password', request);
  } catch {
    return undefined;
  }
}

/** Whether the link may set a password of the account. */
const isGoodFor = async (
  stores: Pick<Charter, 'log' | 'view' | 'organizations'>,
  link: AccountLink,
  account: Account,
): Promise<boolean> =>
  (isInvitation(link, account) ||
    (link.purpose === 'reset' && (account.state === 'active' || account.state === 'invited'))) &&
  (await isInForce(stores, link, account));

/**
 * The change of the account that the link allows. A mailed link proves that the person reads the mails to the address;
 * a printed link proves no address.
 */
const changeBy = (link: AccountLink, { email }: Account, passwordHash: string): AccountChange => ({
  passwordHash,
  state: 'active',
  ...(link.email !== null && link.email === email && { emailVerified: true }),
});
