import { type Account, type AccountChange, type AccountLink, linkHash } from '@charter/identity';
import type { Request, Response } from 'express';
import { requestIdOf } from '../../http/request-id';
import { markDevice } from '../device-cookie';
import { requireAttempt, attemptLimits, clientNetworkOf } from '../limits';
import { mailAccountNotice } from '../account-notices';
import { invalidLink, linkOf, redeemLink } from './redeem-link';
import { hashNewPassword } from './set-password';
import type { Charter } from '@charter/application';
import type { Clock } from '../../process/parts/clock';
import type { Observability } from '../../process/parts/observability';
import type { Background } from '../../process/parts/background';

/**
 * `POST /reset`: sets a password with the link of a reset or an invitation. The link works once, ends all sessions and
 * starts none (`decisions.md`, Signing in, 8). After a refused password, the link still works. Marks the browser as a
 * browser of the account, so that an attacker who guesses in other browsers cannot prevent the next sign-in.
 * @throws ProblemError 400 `reset-link-invalid`, `password-refused`; 429; 503
 */
export async function resetPassword(
  runtime: Pick<Charter, 'settings' | 'keyFor' | 'database' | 'view' | 'organizations' | 'trail' | 'passwords'> &
    Clock &
    Pick<Observability, 'logger'> &
    Pick<Background, 'backgroundWork' | 'mails'>,
  request: Request,
  response: Response,
  { token, password }: Readonly<{ token: string; password: string }>,
): Promise<void> {
  const counted = await requireAttempt(runtime, attemptLimits.resetAddress, clientNetworkOf(request, runtime));
  const hash = linkHash(token);
  const { link, account } = await linkOf(runtime, hash);
  if (!isGoodFor(link, account)) throw invalidLink(account.id);
  const passwordHash = await hashNewPassword(runtime, account, password);

  const { before } = await redeemLink(runtime, request, hash, {
    factOf: ({ version }) => ({ type: 'PasswordReset', data: { version } }),
    changeFor: (one, owner) => (isGoodFor(one, owner) ? changeBy(one, owner, passwordHash) : undefined),
  });
  if (before.state === 'active') await mailAccountNotice(runtime, request, 'password-changed', before);
  markDevice(runtime, request, response, before.id);
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
}

const isGoodFor = ({ purpose }: AccountLink, { state }: Account) =>
  purpose !== 'email' && (state === 'active' || state === 'invited');

/**
 * The change of the account that the link allows. A mailed link proves that the person reads the mails to the address;
 * a printed link proves no address.
 */
const changeBy = (link: AccountLink, { email }: Account, passwordHash: string): AccountChange => ({
  passwordHash,
  state: 'active',
  ...(link.email !== null && link.email === email && { emailVerified: true }),
});
