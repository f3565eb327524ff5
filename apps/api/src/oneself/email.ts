import { type Account, isExpired, linkHash } from '@charter/identity';
import type { Request, Response } from 'express';
import { languageOf } from '../language';
import { requestIdOf } from '../request/guard';
import { fromStore } from '../request/problem';
import type { Runtime } from '../runtime';
import { attempt, limits, tooMany, whereFrom } from '../sign-in/limits';
import { linkFor } from '../sign-in/links';
import { invalid } from '../sign-in/reset';
import { changeAccount } from './oneself';

/**
 * Mails a link to a new address; the address counts once it comes back. Whether somebody else has the address is not told:
 * then nothing is mailed, and no link ever comes back.
 */
export async function askToConfirm(runtime: Runtime, request: Request, account: Account, email: string): Promise<void> {
  if (email === account.email) return;
  const counted = await attempt(runtime, limits.mailsAccount, account.id);
  if (!counted.allowed) throw tooMany(counted.retryAfter);
  const language = languageOf(request, account.language);
  runtime.afterwards.add('a new address was not asked to confirm', async () => {
    if (await runtime.documents.people.accounts.byEmail(email)) return;
    const link = await linkFor(runtime, 'email', account.id, email);
    await runtime.mails.send({ kind: 'confirm-email', account: account.id, to: email, language, link });
  });
}

/**
 * A confirmed address takes the place of the one before, which is told. All sessions end but the one of this browser,
 * which goes on under a new cookie (`acceptance.md` C5).
 * @throws Stop 400 `reset-link-invalid`, 409 `email-taken`, 429
 */
export async function confirmEmail(
  runtime: Runtime,
  request: Request,
  response: Response,
  token: string,
): Promise<void> {
  const counted = await attempt(runtime, limits.resetAddress, whereFrom(request, runtime));
  if (!counted.allowed) throw tooMany(counted.retryAfter);
  const { accounts, links } = runtime.documents.people;
  const hash = linkHash(token);
  const link = await fromStore(links.find(hash));
  const before = link && (await fromStore(accounts.byId(link.account)));
  const isGood = link?.purpose === 'email' && !isExpired(link, runtime.now()) && before?.state === 'active';
  if (!isGood || link.email === null || !(await fromStore(links.take(hash)))) throw invalid(link?.account);

  const signedIn = await runtime.signedIn(request);
  const actor = { kind: 'account', id: before.id, powers: [] } as const;
  const by = { actor, at: new Date(runtime.now()).toISOString(), correlation: requestIdOf(request) };
  const change = { email: link.email, emailVerified: true };
  await changeAccount(runtime, before.id, { type: 'EmailChanged', data: {} }, by, change, {
    sessions: true,
    links: true,
  });
  await counted.takeBack();
  if (signedIn?.account.id === before.id)
    await runtime.visitors.renewSession(response, before.id, signedIn.session.method, request);
  const { email: to, id } = before;
  if (to !== null)
    runtime.afterwards.add('the notice of a new address was not sent', () =>
      runtime.mails.send({ kind: 'email-changed', account: id, to, language: languageOf(request, before.language) }),
    );
}
