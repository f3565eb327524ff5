import type { IncomingMessage } from 'node:http';
import { type Account, isExpired, type Link, linkHash } from '@charter/identity';
import { languageOf } from '../language';
import { requestIdOf } from '../request/guard';
import { fromStore, Stop } from '../request/problem';
import type { Runtime } from '../runtime';
import { attempt, limits, tooMany, whereFrom } from './limits';
import { hashOfChoice } from './set-password';

/**
 * `POST /reset`: sets a password by a link that was mailed, for a reset or an invitation. The link works once, ends all
 * sessions and signs nobody in (`decisions.md`, Signing in, 8). A password that is refused leaves it good.
 * @throws Stop 400 `reset-link-invalid`, `password-refused`; 429; 503
 */
export async function resetPassword(
  runtime: Runtime,
  request: IncomingMessage,
  { token, password }: Readonly<{ token: string; password: string }>,
): Promise<void> {
  const counted = await attempt(runtime, limits.resetAddress, whereFrom(request, runtime));
  if (!counted.allowed) throw tooMany(counted.retryAfter);
  const { links } = runtime.documents.people;
  const hash = linkHash(token);
  const account = await ownerOf(runtime, await fromStore(links.find(hash)));
  const passwordHash = await hashOfChoice(runtime, account, password);
  if (!(await fromStore(links.take(hash)))) throw invalid(account.id); // somebody else was faster, with this very link

  if (!(await isSet(runtime, account.id, passwordHash))) throw invalid(account.id);
  const correlation = requestIdOf(request);
  const by = { actor: { kind: 'account', id: account.id, powers: [] } as const, correlation };
  await runtime.trail.record(
    { account: account.id },
    { type: 'PasswordReset', data: {} },
    { ...by, at: new Date(runtime.now()).toISOString() },
  );
  await counted.takeBack();
  runtime.logger.info(
    {
      request: correlation,
      actor: { kind: 'account', id: account.id },
      address: whereFrom(request, runtime),
      result: 'password-set',
    },
    'a password was set by a link',
  );
  const { id, email, language } = account;
  if (email !== null && account.state === 'active')
    runtime.afterwards.add('the notice of a new password was not sent', () =>
      runtime.mails.send({
        kind: 'password-changed',
        account: id,
        to: email,
        language: language ?? languageOf(request),
      }),
    );
}

/** Whose password a link may set. */
async function ownerOf({ documents, now }: Runtime, link: Link | undefined): Promise<Account> {
  if (!link || link.purpose === 'email' || isExpired(link, now())) throw invalid();
  const account = await fromStore(documents.people.accounts.byId(link.account));
  if (account?.state !== 'active' && account?.state !== 'invited') throw invalid(link.account);
  return account;
}

/** The link reached its owner, so the address is theirs. All sessions and all other links end in the same moment. */
async function isSet({ documents }: Runtime, id: string, passwordHash: string): Promise<boolean> {
  const { accounts } = documents.people;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const account = await fromStore(accounts.byId(id));
    if (account?.state !== 'active' && account?.state !== 'invited') return false;
    const change = { passwordHash, emailVerified: true, state: 'active' } as const;
    const done = await fromStore(accounts.change(id, account.version, change, { sessions: true, links: true }));
    if (done === 'changed') return true;
  }
  return false;
}
/** Somebody else changing the account at the same time is rare; twice in a row it is an attack. */
const TRIES_MAX = 3;

/** One answer, whatever is wrong with a link. */
export const invalid = (account?: string) =>
  new Stop(400, 'reset-link-invalid', 'This link does not work any more. Ask for a new one.').noting({ account });
