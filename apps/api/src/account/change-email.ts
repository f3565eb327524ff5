import { type Account, linkHash } from '@charter/identity';
import type { AuditContext } from '@charter/application';
import type { Request, Response } from 'express';
import { requestLanguage } from '../http/input/language';
import { orUnavailable, retryLater } from '../http/problems/problem';
import type { Runtime } from '../process/runtime';
import { WITHIN_MS } from '../sign-in/password/forgot';
import { requireAttempt, attemptLimits, clientNetworkOf } from '../sign-in/limits';
import { linkFor } from '../sign-in/links';
import { mailAccountNotice } from '../sign-in/account-notices';
import { redeemLink } from '../sign-in/password/redeem-link';

/** Counts a mail that somebody asks for, before anything else is done. @throws Stop 429 */
export async function countMail(runtime: Runtime, account: Account): Promise<void> {
  await requireAttempt(runtime, attemptLimits.mailsAccount, account.id);
}

/**
 * Mails a link to a new address; the address counts once it comes back. Whether somebody else has the address is not told:
 * then nothing is mailed, and no link ever comes back. So it is recorded in either case, and looked up when the answer is
 * out. An account that has changed since its password was proven is not mailed a link either.
 * @throws Stop 503
 */
export async function askToConfirm(
  runtime: Runtime,
  request: Request,
  { id, version, language }: Account,
  email: string,
  by: AuditContext,
): Promise<void> {
  await runtime.trail.record({ account: id }, { type: 'EmailChangeRequested', data: {} }, by);
  const { accounts } = runtime.documents.people;
  const ask = async () => {
    if (await accounts.byEmail(email)) return;
    const link = await linkFor(runtime, 'email', id, email);
    if ((await accounts.byId(id))?.version !== version) return; // nobody knows the link
    const wish = {
      kind: 'confirm-email',
      account: id,
      to: email,
      language: requestLanguage(request, language),
    } as const;
    await runtime.mails.send({ ...wish, link });
  };
  if (!runtime.backgroundWork.add('a new address was not asked to confirm', ask, WITHIN_MS))
    throw retryLater('busy', 'Too many mails wait to be written.');
}

/**
 * A confirmed address takes the place of the one before, which is told. All sessions end but the one of this browser,
 * which goes on under a new cookie (`acceptance.md` C5). An address that somebody else has by now is not told of.
 * @throws Stop 400 `reset-link-invalid`, 429, 503
 */
export async function confirmNewEmail(
  runtime: Runtime,
  request: Request,
  response: Response,
  token: string,
): Promise<void> {
  const counted = await requireAttempt(runtime, attemptLimits.resetAddress, clientNetworkOf(request, runtime));
  const { accounts } = runtime.documents.people;
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
