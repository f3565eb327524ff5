import type { IncomingMessage } from 'node:http';
import { canonicalEmail } from '@charter/identity';
import { requestIdOf } from '../../http/authentication/authentication-guard';
import type { Runtime } from '../../process/runtime';
import { isMemberSomewhere } from '../../account/memberships';
import { requestLanguage } from '../../http/input/language';
import { countAttempt, attemptLimits, clientNetworkOf } from '../limits';
import { linkFor } from '../links';
import { signInActor } from './log-in';

/**
 * What `POST /forgot` sets off, once it has answered: the answer is the same whoever was meant, and its time too. The mail
 * goes to the stored address, never to the one that was typed (`acceptance.md` B1–B4).
 */
export function mailResetLink(runtime: Runtime, request: IncomingMessage, typed: string): void {
  const from = clientNetworkOf(request, runtime);
  const correlation = requestIdOf(request);
  const language = requestLanguage(request);

  runtime.backgroundWork.add(
    'a reset link was not sent',
    async () => {
      const result = await sendOnce();
      runtime.logger.info({ request: correlation, address: from, ...result }, 'a reset link was asked for');
    },
    WITHIN_MS,
  );

  async function sendOnce(): Promise<Readonly<{ result: string; account?: string }>> {
    if (!(await countAttempt(runtime, attemptLimits.forgotAddress, from)).allowed) return { result: 'throttled' };
    const email = canonicalEmail(typed);
    const account = email === undefined ? undefined : await runtime.documents.people.accounts.byEmail(email);
    if (!account?.email) {
      for (const write of ['link', 'mail', 'history']) await countAttempt(runtime, attemptLimits.decoy, write); // as much to do for nobody
      return { result: 'unknown' };
    }
    const { id } = account;
    const isInvited = account.state === 'invited';
    if (account.state !== 'active' && !(isInvited && (await isMemberSomewhere(runtime, id))))
      return { result: account.state, account: id };
    if (!(await countAttempt(runtime, attemptLimits.mailsAccount, id)).allowed)
      return { result: 'throttled', account: id };

    const link = await linkFor(runtime, isInvited ? 'invitation' : 'reset', id, account.email);
    await runtime.mails.send({
      kind: 'reset',
      account: id,
      to: account.email,
      language: account.language ?? language,
      link,
    });
    await runtime.trail.record(
      { account: id },
      { type: 'PasswordResetRequested', data: {} },
      { actor: signInActor, at: new Date(runtime.now()).toISOString(), correlation },
    );
    return { result: 'mailed', account: id };
  }
}

/** A mail may come a little later; whoever asks the service something meanwhile must not feel that one is being written. */
export const WITHIN_MS = 1_500;
