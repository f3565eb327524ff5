import type { IncomingMessage } from 'node:http';
import { momentAt } from '@charter/decider';
import { LRUCache } from 'lru-cache';
import { type Account, canonicalEmail, LINK_MINUTES, NO_ACCOUNT } from '@charter/identity';
import { requestIdOf } from '../../http/request-id';
import { requestLanguage } from '../../http/input/language';
import { countAttempt, attemptLimits, clientNetworkOf, unknownCounterOf } from '../limits';
import { linkFor } from '../links';
import { signInActor } from './log-in';
import { type Charter, isMemberSomewhere } from '@charter/application';
import type { DeferredContents } from '../../process/work/deferred-contents';
import type { DeferredHandler } from '../../process/work/deferred-work';
import type { ResetOutcome } from '../../process/observability/metrics';
import type { Clock } from '../../process/parts/clock';
import type { Observability } from '../../process/parts/observability';
import type { Background } from '../../process/parts/background';

type ResetRequest = DeferredContents['reset'];
type Resetting = Pick<Charter, 'settings' | 'log' | 'database' | 'view' | 'organizations'> &
  Clock &
  Pick<Observability, 'logger' | 'counts'> &
  Pick<Background, 'mails'>;

/**
 * `POST /forgot`. If the client's address has reached its limit, Charter stores nothing. Below the limit, the request
 * is on disk before the answer, whether or not an account has the e-mail address. Charter writes the mail later. The
 * content and the time of the answer do not depend on the address (`acceptance.md` B1–B4, B15).
 */
export function resetRequests(
  runtime: Pick<Charter, 'settings' | 'database'> &
    Clock &
    Pick<Observability, 'logger' | 'counts'> &
    Pick<Background, 'deferred'>,
): (request: IncomingMessage, typed: string) => Promise<void> {
  /**
   * For each refused client address, the end of its time window. Until the window ends, requests from this address
   * cause no write.
   */
  const refusedUntil = new LRUCache<string, number>({ max: REFUSED_MAX });

  const isAllowed = async (from: string) => {
    const left = (refusedUntil.get(from) ?? 0) - runtime.now();
    // a longer time is left only if the clock was set back
    if (left > 0 && left <= attemptLimits.forgotAddress.seconds * 1_000) return false;
    const { allowed, retryAfter } = await countAttempt(runtime, attemptLimits.forgotAddress, from);
    if (!allowed) refusedUntil.set(from, runtime.now() + retryAfter * 1_000);
    return allowed;
  };
  return async (request, typed) => {
    const from = clientNetworkOf(request, runtime);
    const asked: ResetRequest = {
      email: canonicalEmail(typed) ?? '',
      language: requestLanguage(request),
      from,
      correlation: requestIdOf(request),
      at: momentAt(runtime.now()),
    };
    if (await isAllowed(from)) await runtime.deferred.add('reset', from, asked);
    else report(runtime, asked, 'throttled-address');
  };
}
const REFUSED_MAX = 10_000;

/** Mails the requested link to the address that is stored with the account, never to the address in the request. */
export const resetLinkHandler = (runtime: Resetting): DeferredHandler<ResetRequest> => ({
  do: async (asked, { id, add }) => {
    const { outcome, account } = await mailResetLink(runtime, asked, id);
    if (outcome === 'mailed' || outcome === 'no-account') {
      const context = { actor: signInActor, at: asked.at, correlation: asked.correlation, command: id };
      const stream = outcome === 'mailed' ? account!.id : NO_ACCOUNT;
      const fact = { type: 'PasswordResetRequested', data: {} } as const;
      await add('audit', asked.from, { account: stream, fact, context });
    }
    report(runtime, asked, outcome, account?.id);
  },
});

/** Makes the same number of reads and writes whether or not a usable account has the address. */
async function mailResetLink(
  runtime: Resetting,
  { email, language, at }: ResetRequest,
  id: string,
): Promise<Readonly<{ outcome: ResetOutcome; account: Account | undefined }>> {
  const account = await runtime.database.people.accounts.byEmail(email);
  if (runtime.now() - Date.parse(at) > LINK_MINUTES * 60_000) return { outcome: 'expired', account };
  const usable = account && (await mayReset(runtime, account)) ? account : undefined;
  const outcome = usable ? 'mailed' : 'no-account';
  if (await runtime.database.mails.find(id)) return { outcome, account }; // an earlier attempt has stored the mail
  const counted = await countAttempt(runtime, attemptLimits.forgotAccount, account?.id ?? unknownCounterOf(email));
  if (!counted.allowed) return { outcome: 'throttled-account', account };
  try {
    if (usable) await mailLink(runtime, usable, language, id);
    else {
      for (const write of ['link', 'mail']) await countAttempt(runtime, attemptLimits.decoy, write);
      await runtime.database.people.accounts.byId(NO_ACCOUNT);
    }
  } catch (error) {
    await counted.takeBack(); // the repetition of this deferred work counts the mail again
    throw error;
  }
  return { outcome, account };
}

const mayReset = async (runtime: Resetting, { id, state, email }: Account): Promise<boolean> =>
  email !== null && (state === 'active' || (state === 'invited' && (await isMemberSomewhere(runtime, id))));

/** @throws if the account has changed since it was read; the repetition of this deferred work then reads it again */
async function mailLink(
  runtime: Resetting,
  { id, version, email, language: own }: Account,
  language: string,
  mail: string,
): Promise<void> {
  const link = await linkFor(runtime, 'reset', id, email);
  // A change of the account deletes the account's stored links. If this link was stored after the change, it remains.
  const present = await runtime.database.people.accounts.byId(id);
  if (present?.version !== version) throw new Error('The account has changed since it was read.');
  await runtime.mails.send({ id: mail, kind: 'reset', account: id, to: email!, language: own ?? language, link });
}

function report(
  { logger, counts }: Pick<Observability, 'logger' | 'counts'>,
  { correlation, from }: ResetRequest,
  result: ResetOutcome,
  account?: string,
): void {
  counts.resetRequested(result);
  logger.info({ request: correlation, address: from, result, account }, 'a reset link was requested');
}
