import type { IncomingMessage } from 'node:http';
import { canonicalEmail } from '@charter/identity';
import { requestIdOf } from '../../http/request-id';
import { isMemberSomewhere } from '../../account/memberships';
import { requestLanguage } from '../../http/input/language';
import { countAttempt, attemptLimits, clientNetworkOf } from '../limits';
import { linkFor } from '../links';
import { signInActor } from './log-in';
import type { Charter } from '@charter/application';
import type { Clock } from '../../process/parts/clock';
import type { Observability } from '../../process/parts/observability';
import type { Background } from '../../process/parts/background';

/**
 * The background work of `POST /forgot` after the response. Content and time of the response do not depend on the
 * address. The mail goes to the stored address, never to the address in the request (`acceptance.md` B1–B4).
 */
export function mailResetLink(
  runtime: Pick<Charter, 'settings' | 'log' | 'database' | 'view' | 'organizations' | 'trail'> &
    Clock &
    Pick<Observability, 'logger'> &
    Pick<Background, 'backgroundWork' | 'mails'>,
  request: IncomingMessage,
  typed: string,
): void {
  const from = clientNetworkOf(request, runtime);
  const correlation = requestIdOf(request);
  const language = requestLanguage(request);

  runtime.backgroundWork.add(
    'a reset link could not be sent',
    async () => {
      const result = await sendOnce();
      runtime.logger.info({ request: correlation, address: from, ...result }, 'a reset link was requested');
    },
    WITHIN_MS,
  );

  async function sendOnce(): Promise<Readonly<{ result: string; account?: string }>> {
    if (!(await countAttempt(runtime, attemptLimits.forgotAddress, from)).allowed) return { result: 'throttled' };
    const email = canonicalEmail(typed);
    const account = email === undefined ? undefined : await runtime.database.people.accounts.byEmail(email);
    if (!account?.email) {
      // An unknown address causes as many writes as a known account.
      for (const write of ['link', 'mail', 'history']) await countAttempt(runtime, attemptLimits.decoy, write);
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

/**
 * Milliseconds. The work begins after a random part of this time, so that slower requests do not reveal when a mail is
 * written.
 */
export const WITHIN_MS = 1_500;
