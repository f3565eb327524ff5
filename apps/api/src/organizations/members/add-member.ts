import { randomUUID } from 'node:crypto';
import type { Actor } from '@charter/decider';
import type { Receipt } from '@charter/aggregates';
import type { Envelope } from '@charter/event-log';
import { RevisionMismatch, Refused } from '@charter/aggregates';
import { noPreferences, type Account } from '@charter/identity';
import { type OrganizationEvent, organizationStream } from '@charter/organization';
import { countAttempt, attemptLimits } from '../../sign-in/limits';
import { introduce } from './introductions';
import { requireInvitation } from './invitation-limits';
import { linkFor } from '../../sign-in/links';
import { type Charter, ErasedDataRemains, withdrawInvitation } from '@charter/application';
import type { Clock } from '../../process/parts/clock';
import type { OrganizationAccess } from '../../process/parts/organization-access';
import type { Background } from '../../process/parts/background';

type Role = 'owner' | 'admin' | 'member';
export type NewMemberRequest = Readonly<{
  role: Role;
  user?: string | undefined;
  email?: string | undefined;
  /** The language of the person or program that makes the request. */
  language: string;
}>;
export type AddedMember = Readonly<{ member: string; receipt: Receipt<OrganizationEvent> }>;

/**
 * Adds a person, named by id or by e-mail address, as a member. A person without an account gets a mail with a link
 * that sets a password. The answer does not depend on whether the address has an account (`acceptance.md` H10, M5).
 * Events contain the id, never the address.
 */
export async function addMemberByIdOrEmail(
  runtime: Pick<Charter, 'settings' | 'log' | 'database' | 'view' | 'organizations' | 'trail' | 'accounts'> &
    Clock &
    Pick<OrganizationAccess, 'commands'> &
    Pick<Background, 'mails'>,
  id: string,
  { user, email, role, language }: NewMemberRequest,
  context: Envelope,
): Promise<AddedMember> {
  if (email === undefined) return { member: user!, receipt: await add(runtime, id, user!, role, context) };
  const { account, isNew, takeBack } = await accountOf(runtime, id, email, role, context);
  try {
    const receipt = await add(runtime, id, account.id, role, context);
    await introduce(runtime, id, account.id);
    // The mail is in the outbox before the answer is sent. If the outbox fails, the caller repeats the request, and
    // Charter adds the member only once.
    if (account.state === 'invited') await invite(runtime, id, account, email, language, context);
    return { member: account.id, receipt };
  } catch (error) {
    const isRefused = error instanceof Refused || error instanceof RevisionMismatch;
    // The preview succeeded, but the command was refused, because another request changed the organization meanwhile.
    // Charter therefore erases the new account. The invitation still counts, because it caused the creation of an
    // account.
    if (isNew && isRefused) await forget(runtime, account.id, context);
    // Any other failed attempt does not count, so a caller who repeats the request uses up only one invitation.
    else await takeBack();
    throw error;
  }
}

const add = (
  runtime: Pick<OrganizationAccess, 'commands'>,
  id: string,
  member: string,
  role: Role,
  context: Envelope,
) => runtime.commands.execute(id, { type: 'AddMember', data: { member, role } }, context);

/**
 * Finds the account with this address. If there is none, creates the account, but only if a preview of the command
 * succeeds. First counts the invitation, unless the caller may not invite at all or the expected revision is stale.
 * @throws Refused, RevisionMismatch, ProblemError 429, 503
 */
async function accountOf(
  runtime: Pick<Charter, 'settings' | 'database' | 'organizations' | 'trail'> & Clock,
  id: string,
  email: string,
  role: Role,
  context: Envelope,
) {
  const { accounts } = runtime.database.people;
  const tried = { type: 'AddMember', data: { member: randomUUID(), role } } as const;
  const preview = await runtime.organizations.preview(organizationStream(id), [tried], context);
  const refusal = preview.refused[0]?.refusal;
  // A repetition of an executed command finishes the effects of this command, even if the caller has lost the role.
  const isExecuted = () => runtime.organizations.isExecuted(organizationStream(id), context.command);
  if (refusal && mayNotInvite.has(refusal.refused) && !(await isExecuted())) throw new Refused(refusal);
  const { expected } = context;
  const isStale = typeof expected === 'number' && expected !== preview.revision;
  if (isStale && !(await isExecuted())) throw new RevisionMismatch(preview.revision, refusal);
  const { takeBack } = await requireInvitation(runtime, id, context.actor);
  try {
    const known = await accounts.byEmail(email);
    // The account exists, so the command decides whether the person can become a member.
    if (known) return { account: known, isNew: false, takeBack };
    if (refusal) throw new Refused(refusal);

    const account = newAccount(email, context.at);
    if ((await accounts.insert(account)) !== 'made') {
      const faster = await accounts.byEmail(email);
      // A concurrent request has invited the same address and created the account.
      if (faster) return { account: faster, isNew: false, takeBack };
      throw new Error('The account with this address existed a moment ago and does not exist any more.');
    }
    const auditContext = { actor: context.actor, at: context.at, correlation: context.correlation };
    const created = { type: 'AccountCreated', data: { by: 'invitation' } } as const;
    await runtime.trail.record({ account: account.id }, created, auditContext);
    return { account, isNew: true, takeBack };
  } catch (error) {
    await takeBack();
    throw error;
  }
}

const mayNotInvite: ReadonlySet<string> = new Set(['not-allowed', 'no-such-organization']);

/**
 * Erases an account that was created for a refused command, unless another organization has invited the person too. If
 * the erased data cannot be purged from the files of the stores, Charter repeats the purge later, and the caller still
 * gets the refusal.
 */
async function forget(
  runtime: Pick<Charter, 'accounts'> & Pick<OrganizationAccess, 'commands'>,
  account: string,
  context: Envelope,
): Promise<void> {
  try {
    await runtime.accounts.erase(account, context, runtime.commands, { unlessMember: true });
  } catch (error) {
    if (!(error instanceof ErasedDataRemains)) throw error;
  }
}

const newAccount = (email: string, created: string): Account => ({
  id: randomUUID(),
  state: 'invited',
  email,
  emailVerified: false,
  username: null,
  name: null,
  role: null,
  ...noPreferences,
  passwordHash: null,
  created,
  version: 0,
});

/** An API key or the command line is no person, so such an invitation names no person. */
const inviterOf = (organization: string, { kind, id }: Actor) =>
  kind === 'account' ? { organization, account: id } : undefined;

/**
 * Mails a new link, which replaces the previous link. A second invitation therefore helps a person who lost the first
 * mail. The mail is in the language of the invited account; if the account has none, in the given language.
 */
async function invite(
  runtime: Pick<Charter, 'settings' | 'database' | 'organizations' | 'trail' | 'log' | 'view'> &
    Clock &
    Pick<Background, 'mails'>,
  id: string,
  { id: account, language: own }: Account,
  email: string,
  language: string,
  context: Envelope,
): Promise<void> {
  const counted = await countAttempt(runtime, attemptLimits.invitationsAccount, account);
  if (!counted.allowed) return;
  try {
    const nameIfMember = () =>
      runtime.organizations.query(organizationStream(id), ({ state }) =>
        Object.hasOwn(state.members, account) ? state.name : undefined,
      );
    const name = await nameIfMember();
    if (name === undefined) return; // the person is no longer a member
    const auditContext = { actor: context.actor, at: context.at, correlation: context.correlation };
    await runtime.trail.record({ account }, { type: 'Invited', data: { organization: id } }, auditContext);
    const link = await linkFor(runtime, 'invitation', account, email);
    // A removal during this call may have deleted the person's links before this link existed.
    if ((await nameIfMember()) === undefined) {
      await withdrawInvitation(runtime, account);
      return;
    }
    await runtime.mails.send({
      ...{ kind: 'invitation', account, to: email, language: own ?? language, link, organization: name },
      inviter: inviterOf(id, context.actor),
    });
  } catch (error) {
    await counted.takeBack();
    throw error;
  }
}
