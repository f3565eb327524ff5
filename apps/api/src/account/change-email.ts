import { type Account, linkHash } from '@charter/identity';
import type { AuditContext, Charter } from '@charter/application';
import type { Request, Response } from 'express';
import { requestLanguage } from '../http/input/language';
import { orUnavailable, retryLater } from '../http/problems/problem';
import { WITHIN_MS } from '../sign-in/password/forgot';
import { requireAttempt, attemptLimits, clientNetworkOf } from '../sign-in/limits';
import { linkFor } from '../sign-in/links';
import { mailAccountNotice } from '../sign-in/account-notices';
import { redeemLink } from '../sign-in/password/redeem-link';
import type { Clock } from '../process/parts/clock';
import type { Background } from '../process/parts/background';
import type { Authentication } from '../process/parts/authentication';

/**
 * Counts a requested mail against the limit, before the request is processed any further.
 * @throws ProblemError 429
 */
export async function countMail(
  runtime: Pick<Charter, 'settings' | 'database'> & Clock,
  account: Account,
): Promise<void> {
  await requireAttempt(runtime, attemptLimits.mailsAccount, account.id);
}

/**
 * Mails a confirmation link to a new address. The account uses the address only after its owner has opened the link.
 * The response does not reveal whether another account has the address: the request is recorded in both cases, and the
 * address is looked up after the response. No link is mailed for a taken address, or if the account has changed since
 * the password was verified.
 * @throws ProblemError 503
 */
export async function mailConfirmation(
  runtime: Pick<Charter, 'settings' | 'database' | 'trail'> & Clock & Pick<Background, 'backgroundWork' | 'mails'>,
  request: Request,
  { id, version, language }: Account,
  email: string,
  context: AuditContext,
): Promise<void> {
  await runtime.trail.record({ account: id }, { type: 'EmailChangeRequested', data: {} }, context);
  const { accounts } = runtime.database.people;
  const mailLink = async () => {
    if (await accounts.byEmail(email)) return;
    const link = await linkFor(runtime, 'email', id, email);
    if ((await accounts.byId(id))?.version !== version) return; // no mail contains this link, so no person can open it
    const mail = {
      kind: 'confirm-email',
      account: id,
      to: email,
      language: requestLanguage(request, language),
    } as const;
    await runtime.mails.send({ ...mail, link });
  };
  if (!runtime.backgroundWork.add('a confirmation link could not be sent', mailLink, WITHIN_MS))
    throw retryLater('busy', 'Too many mails are waiting to be written. Try again later.');
}

/**
 * Gives the account its confirmed address, and mails a notice to the former address. All sessions end, except that this
 * browser gets a new session (`acceptance.md` C5). The answer is the same for a taken address and for an invalid link.
 * @throws ProblemError 400 `reset-link-invalid`, 429, 503
 */
export async function confirmNewEmail(
  runtime: Pick<Charter, 'settings' | 'database' | 'trail'> &
    Clock &
    Pick<Authentication, 'browserSessions' | 'signedIn'> &
    Pick<Background, 'backgroundWork' | 'mails'>,
  request: Request,
  response: Response,
  token: string,
): Promise<void> {
  const counted = await requireAttempt(runtime, attemptLimits.resetAddress, clientNetworkOf(request, runtime));
  const { accounts } = runtime.database.people;
  const signedIn = await runtime.signedIn(request);

  const { before, after } = await redeemLink(runtime, request, linkHash(token), {
    factOf: () => ({ type: 'EmailChanged', data: {} }),
    changeFor: async ({ purpose, email }, { id, state }) => {
      if (purpose !== 'email' || email === null || state !== 'active') return undefined;
      const owner = await orUnavailable(accounts.byEmail(email));
      return owner && owner.id !== id ? undefined : { email, emailVerified: true };
    },
  });
  await mailAccountNotice(runtime, request, 'email-changed', before);
  await counted.takeBack();
  if (signedIn?.account.id === after.id)
    await runtime.browserSessions.renewSession(response, after, signedIn.session, request);
}
