import { hash } from 'node:crypto';
import { type Account, LINK_MINUTES, linkHash } from '@charter/identity';
import type { AuditContext, Charter } from '@charter/application';
import type { Request, Response } from 'express';
import { requestLanguage } from '../http/input/language';
import { requireAttempt, attemptLimits, type CountedAttempt, clientNetworkOf } from '../sign-in/limits';
import { linkFor } from '../sign-in/links';
import { mailAccountNotice } from '../sign-in/account-notices';
import { redeemLink } from '../sign-in/password/redeem-link';
import type { Clock } from '../process/parts/clock';
import type { DeferredContents } from '../process/work/deferred-contents';
import type { DeferredHandler } from '../process/work/deferred-work';
import type { Background } from '../process/parts/background';
import type { Authentication } from '../process/parts/authentication';

/**
 * Counts a mail that confirms another address, and refuses the request above the limit for each account.
 * @throws ProblemError 429
 */
export const countConfirmation = (
  runtime: Pick<Charter, 'settings' | 'database'> & Clock,
  account: Account,
): Promise<Pick<CountedAttempt, 'takeBack'>> => requireAttempt(runtime, attemptLimits.confirmationsAccount, account.id);

/**
 * Requests a confirmation link to a new address. Charter changes the account's address only after a person has opened
 * the link. Neither the response nor the export of own data reveals whether another account has the address: Charter
 * always stores a link and a mail, and looks up the address after the response.
 * @throws ProblemError 503
 */
export async function requestConfirmation(
  runtime: Pick<Charter, 'trail'> & Pick<Background, 'deferred'>,
  request: Request,
  account: Account,
  email: string,
  context: AuditContext,
): Promise<void> {
  const { id, version, language } = account;
  await runtime.trail.record({ account: id }, { type: 'EmailChangeRequested', data: {} }, context);
  const asked = { account: id, version, credentialsDigest: credentialsDigestOf(account), email, at: context.at };
  await runtime.deferred.add('confirm-email', id, { ...asked, language: requestLanguage(request, language) });
}

/**
 * A digest of an account's address and password. A change of the name or role does not change the digest. A sign-in can
 * hash the same password again; the digest then changes, but the account keeps its version.
 */
const credentialsDigestOf = ({ email, passwordHash }: Account): string =>
  hash('sha256', JSON.stringify([email, passwordHash]));

/**
 * Mails the link or, if another account has the address, a notice without a link. Charter mails nothing if the
 * account's state, address or password has changed since the password was verified.
 */
export const confirmationHandler = (
  runtime: Pick<Charter, 'settings' | 'database'> & Clock & Pick<Background, 'mails'>,
): DeferredHandler<DeferredContents['confirm-email']> => ({
  do: async ({ account, version, credentialsDigest, email, language, at }, { id }) => {
    const { mails, people } = runtime.database;
    if (runtime.now() - Date.parse(at) > LINK_MINUTES * 60_000 || (await mails.find(id))) return;
    const link = await linkFor(runtime, 'email', account, email);
    // Charter never mails the link of an account that has changed, so no person can open that link
    const present = await people.accounts.byId(account);
    const isSame = present?.version === version || (present && credentialsDigestOf(present) === credentialsDigest);
    if (present?.state !== 'active' || !isSame) return;
    const isTaken = (await people.accounts.byEmail(email)) !== undefined;
    await runtime.mails.send({ id, kind: 'confirm-email', account, to: email, language, link, isTaken });
  },
});

/**
 * Gives the account its confirmed address, and mails a notice to the former address. Ends all sessions of the account,
 * and gives this browser a new session (`acceptance.md` C5). The answer is the same for a taken address and for an
 * invalid link.
 * @throws ProblemError 400 `reset-link-invalid`, 429, 503
 */
export async function confirmNewEmail(
  runtime: Pick<Charter, 'settings' | 'keyFor' | 'database' | 'trail'> &
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
    factsOf: () => [{ type: 'EmailChanged', data: {} }],
    changeFor: async ({ purpose, email }, { id, state }) => {
      if (purpose !== 'email' || email === null || state !== 'active') return undefined;
      const owner = await accounts.byEmail(email);
      return owner && owner.id !== id ? undefined : { email, emailVerified: true };
    },
  });
  await mailAccountNotice(runtime, request, 'email-changed', before);
  await counted.takeBack();
  if (signedIn?.account.id === after.id)
    await runtime.browserSessions.renewSession(response, after, signedIn.session, request);
}
