import {
  type Account,
  type AccountFact,
  matchAccount,
  safeRedirect,
  type SignInFailure,
  type ProviderIdentity,
} from '@charter/identity';
import type { Request, Response } from 'express';
import { requestLanguage } from '../../http/input/language';
import { isMemberSomewhere, membershipIn } from '../../account/memberships';
import { ownAccountContext } from '../../account/own-account';
import type { Runtime } from '../../process/runtime';
import { SignInRefused } from './sign-in-failure';
import type { SignInFlow } from './sign-in-flow';

/** Someone has come back from a provider, which has proven who they are: they are signed in, or told why not. */
export async function completeSignIn(
  runtime: Runtime,
  vouched: ProviderIdentity,
  flow: SignInFlow,
  request: Request,
  response: Response,
): Promise<void> {
  const account = await accountOf(runtime, vouched, flow, request);
  const session = await runtime.browserSessions.beginSession(
    response,
    account,
    flow.method,
    request,
    flow.organization,
  );
  if (!session) throw new SignInRefused(flow.method, 'changed-meanwhile', account.id);
  const { publicUrl, redirectOrigins: origins } = runtime.settings;
  response.status(302).set('Location', safeRedirect(flow.redirect, { publicUrl, origins })).end();
}

/** @throws NotSignedIn: `account` alike for everybody who is proven and has no usable account (`acceptance.md` G8) */
async function accountOf(
  runtime: Runtime,
  vouched: ProviderIdentity,
  flow: SignInFlow,
  request: Request,
): Promise<Account> {
  for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts += 1) {
    const { accounts } = runtime.documents.people;
    const linked = await accounts.bySubject(vouched.issuer, vouched.subject);
    const addressed = linked || vouched.email === undefined ? undefined : await accounts.byEmail(vouched.email);
    const found = matchAccount(vouched, { linked, addressed }, flow.method === 'google');

    if (found.kind === 'refused') {
      if (found.account !== undefined && found.because !== 'unknown')
        await record(runtime, request, found.account, failed(flow, found.because));
      throw new SignInRefused(isProven(vouched) || linked ? 'account' : flow.method, found.because, found.account);
    }
    if (!(await hasAccess(runtime, found.account, flow))) {
      await record(runtime, request, found.account.id, failed(flow, 'no-organization'));
      throw new SignInRefused('account', 'no-organization', found.account.id);
    }
    if (found.kind === 'known') return found.account;
    if (found.claims && !(await claimed(runtime, found.account, flow, request))) continue; // changed meanwhile: judged anew
    await accounts.link(found.account.id, vouched.issuer, vouched.subject, runtime.now());
    const mine = await accounts.bySubject(vouched.issuer, vouched.subject);
    if (mine?.id !== found.account.id) continue; // somebody was faster
    await record(runtime, request, mine.id, { type: 'ProviderLinked', data: { method: flow.method } });
    return mine;
  }
  throw new SignInRefused(flow.method, 'changed-meanwhile');
}
const ATTEMPTS_MAX = 3;

/**
 * An organization's provider opens that organization, and to nobody with a platform role: whoever owns it could else add an
 * operator, sign in as them, and history would say that the operator did it. Google opens whatever somebody has.
 */
async function hasAccess(runtime: Runtime, { id, role }: Account, { organization }: SignInFlow): Promise<boolean> {
  if (organization !== undefined) return role === null && (await membershipIn(runtime, organization, id)) !== undefined;
  if (role !== null) return true;
  runtime.reading.mustBeTrusted(); // else the whole log would have to be read for one sign-in
  return isMemberSomewhere(runtime, id);
}

/** Whether the provider names somebody; otherwise it has failed to, which says nothing about any account (`acceptance.md` G5). */
const isProven = ({ email, emailVerified }: ProviderIdentity) => email !== undefined && emailVerified;

/**
 * The owner of the address has come: whatever an earlier holder of the account knows, ends (`acceptance.md` G7). Whoever set
 * a password is told, in the history, before it is done, and by mail.
 */
async function claimed(runtime: Runtime, account: Account, flow: SignInFlow, request: Request): Promise<boolean> {
  const { accounts, sessions } = runtime.documents.people;
  const { id, version, email, passwordHash } = account;
  const live = await sessions.listOf(id, '');
  if (passwordHash !== null)
    await record(runtime, request, id, { type: 'PasswordDropped', data: { method: flow.method, version } });
  if (live.length > 0) await record(runtime, request, id, { type: 'SessionsEnded', data: {} });
  const change = { state: 'active', emailVerified: true, passwordHash: null } as const;
  if ((await accounts.change(id, version, change, { sessions: true, links: true })) !== 'changed') return false;
  const language = requestLanguage(request, account.language);
  if (passwordHash !== null) await runtime.mails.send({ kind: 'password-changed', account: id, to: email!, language });
  return true;
}

const failed = ({ method }: SignInFlow, reason: SignInFailure): AccountFact => ({
  type: 'SignInFailed',
  data: { method, reason },
});

const record = ({ trail, now }: Runtime, request: Request, account: string, fact: AccountFact) =>
  trail.record({ account }, fact, ownAccountContext(account, request, now()));
