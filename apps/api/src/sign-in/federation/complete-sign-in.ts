import {
  type Account,
  type AccountFact,
  matchAccount,
  safeRedirect,
  type SignInFailure,
  type ProviderIdentity,
} from '@charter/identity';
import type { Request, Response } from 'express';
import { mailAccountNotice } from '../account-notices';
import { domainOfAddress, trustedDomain } from '../domains/domain-trust';
import { introduceByDomain, joinByDomain } from '../domains/join-by-domain';
import { membershipIn } from '../../account/memberships';
import { ownAccountContext } from '../../account/own-account';
import { attemptLimits, countAttempt } from '../limits';
import { SignInRefused } from './sign-in-failure';
import type { SignInFlow } from './sign-in-flow';
import { type Charter, isMemberSomewhere } from '@charter/application';
import type { Clock } from '../../process/parts/clock';
import type { Authentication } from '../../process/parts/authentication';
import type { OrganizationAccess } from '../../process/parts/organization-access';
import type { Background } from '../../process/parts/background';

/** Signs in a person whom a provider has authenticated. @throws SignInRefused with the reason */
export async function completeSignIn(
  runtime: Pick<Charter, 'settings' | 'log' | 'database' | 'view' | 'organizations' | 'trail'> &
    Clock &
    Pick<Authentication, 'browserSessions'> &
    Pick<OrganizationAccess, 'reading' | 'commands'> &
    Pick<Background, 'backgroundWork' | 'mails'>,
  identity: ProviderIdentity,
  flow: SignInFlow,
  request: Request,
  response: Response,
): Promise<void> {
  const account = await accountOf(runtime, identity, flow, request);
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

/**
 * The account of the authenticated person.
 * @throws SignInRefused with `account` if the person has no account that may sign in (`acceptance.md` G8)
 */
async function accountOf(
  runtime: Pick<Charter, 'settings' | 'log' | 'database' | 'view' | 'organizations' | 'trail'> &
    Clock &
    Pick<OrganizationAccess, 'reading' | 'commands'> &
    Pick<Background, 'backgroundWork' | 'mails'>,
  identity: ProviderIdentity,
  flow: SignInFlow,
  request: Request,
): Promise<Account> {
  for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts += 1) {
    const { accounts } = runtime.database.people;
    const linked = await accounts.bySubject(identity.issuer, identity.subject);
    const addressed = linked || identity.email === undefined ? undefined : await accounts.byEmail(identity.email);
    const hasProvenDomain = await provesDomain(runtime, identity, flow);
    const answersForAddresses = flow.method === 'google';
    const found = matchAccount(identity, { linked, addressed }, { answersForAddresses, hasProvenDomain });

    if (found.kind === 'refused') {
      if (found.account !== undefined && found.because !== 'unknown')
        await recordFailure(runtime, request, found.account, flow, found.because);
      throw new SignInRefused(
        isProven(identity, hasProvenDomain) || linked ? 'account' : flow.method,
        found.because,
        found.account,
      );
    }
    const access = await accessOf(runtime, found.account, flow, request);
    if (access !== 'granted') {
      await recordFailure(runtime, request, found.account.id, flow, access);
      throw new SignInRefused('account', access, found.account.id);
    }
    if (found.kind === 'known') return found.account;
    // If another process has changed the account meanwhile, the loop reads and checks the account once more.
    if (found.claims && !(await claimAccount(runtime, found.account, flow, request))) continue;
    await accounts.link(found.account.id, identity.issuer, identity.subject, runtime.now());
    const mine = await accounts.bySubject(identity.issuer, identity.subject);
    if (mine?.id !== found.account.id) continue; // a simultaneous sign-in has already linked the subject
    await record(runtime, request, mine.id, { type: 'ProviderLinked', data: { method: flow.method } });
    return mine;
  }
  throw new SignInRefused(flow.method, 'changed-meanwhile');
}
const ATTEMPTS_MAX = 3;

/**
 * Whether the person may sign in through this provider. An organization's provider gives access only to that
 * organization, and never to an account with a platform role. If an organization's provider could sign in operators, an
 * owner could add an operator as a member, sign in as that operator, and act under the operator's name. Google gives
 * access to all organizations of a person.
 */
async function accessOf(
  runtime: Pick<Charter, 'log' | 'database' | 'view' | 'organizations'> &
    Clock &
    Pick<OrganizationAccess, 'reading' | 'commands'> &
    Pick<Background, 'backgroundWork' | 'mails'>,
  account: Account,
  { organization }: SignInFlow,
  request: Request,
): Promise<'granted' | 'no-organization' | 'limit-exceeded'> {
  const { id, role } = account;
  if (organization !== undefined) {
    if (role !== null) return 'no-organization';
    if (!(await membershipIn(runtime, organization, id))) return joinByDomain(runtime, organization, account, request);
    await introduceByDomain(runtime, organization, account);
    return 'granted';
  }
  if (role !== null) return 'granted';
  runtime.reading.mustBeTrusted(); // without the read model, a search for memberships would read the whole event log
  return (await isMemberSomewhere(runtime, id)) ? 'granted' : 'no-organization';
}

/**
 * Whether the flow's organization has proven the domain of the address. The domain then replaces a missing claim
 * `email_verified`: the operator of an organization's provider writes the claim, so the claim proves nothing.
 */
async function provesDomain(
  runtime: Pick<Charter, 'database' | 'organizations'>,
  { email }: ProviderIdentity,
  { organization }: SignInFlow,
): Promise<boolean> {
  if (organization === undefined || email === undefined) return false;
  return (await trustedDomain(runtime, domainOfAddress(email)))?.organization === organization;
}

/**
 * Whether the provider has verified the person's e-mail address, or its organization has proven the domain. Without a
 * verified address, an account matches only by the person's id at the provider. If no account has this id, the sign-in
 * page shows the error `google` or `sso`.
 */
const isProven = ({ email, emailVerified }: ProviderIdentity, hasProvenDomain: boolean) =>
  email !== undefined && (emailVerified ?? hasProvenDomain);

/**
 * Gives the account to the owner of its address: removes the earlier password, sessions and mailed links
 * (`acceptance.md` G7). Records the removals in the account's history before the change. If a password was removed,
 * mails a notice.
 */
async function claimAccount(
  runtime: Pick<Charter, 'database' | 'trail'> & Clock & Pick<Background, 'backgroundWork' | 'mails'>,
  account: Account,
  flow: SignInFlow,
  request: Request,
): Promise<boolean> {
  const { accounts, sessions } = runtime.database.people;
  const { id, version, passwordHash } = account;
  const live = await sessions.listOf(id, '');
  if (passwordHash !== null)
    await record(runtime, request, id, { type: 'PasswordDropped', data: { method: flow.method, version } });
  if (live.length > 0) await record(runtime, request, id, { type: 'SessionsEnded', data: {} });
  const change = { state: 'active', emailVerified: true, passwordHash: null } as const;
  if ((await accounts.change(id, version, change, { sessions: true, links: true })) !== 'changed') return false;
  if (passwordHash !== null)
    await mailAccountNotice(runtime, request, 'password-changed', account, { isPasswordRemoved: true });
  return true;
}

/**
 * Records a failure in the account's history. The operator of an organization's provider decides how often and for
 * which addresses sign-ins fail, so Charter limits the number of events for an account.
 */
async function recordFailure(
  runtime: Pick<Charter, 'settings' | 'database' | 'trail'> & Clock,
  request: Request,
  account: string,
  { method, organization = method }: SignInFlow,
  reason: SignInFailure,
): Promise<void> {
  const { allowed } = await countAttempt(runtime, attemptLimits.failuresRecorded, `${organization} ${account}`);
  if (allowed) await record(runtime, request, account, { type: 'SignInFailed', data: { method, reason } });
}

const record = ({ trail, now }: Pick<Charter, 'trail'> & Clock, request: Request, account: string, fact: AccountFact) =>
  trail.record({ account }, fact, ownAccountContext(account, request, now()));
