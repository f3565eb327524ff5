import { randomUUID } from 'node:crypto';
import type { Receipt } from '@charter/aggregates';
import type { Envelope } from '@charter/event-log';
import { RevisionMismatch, Refused } from '@charter/aggregates';
import type { Account } from '@charter/identity';
import { type OrganizationEvent, organizationStream } from '@charter/organization';
import { isMemberSomewhere } from '../../account/memberships';
import { orUnavailable } from '../../http/problems/problem';
import type { Runtime } from '../../process/runtime';
import { countAttempt, attemptLimits } from '../../sign-in/limits';
import { linkFor } from '../../sign-in/links';

type Role = 'owner' | 'admin' | 'member';
export type NewMemberRequest = Readonly<{ role: Role; user?: string | undefined; email?: string | undefined }>;
export type AddedMember = Readonly<{ member: string; receipt: Receipt<OrganizationEvent> }>;

/**
 * Adds a member by their id, or by their e-mail address: whoever has it, or somebody new who is then mailed a link to set a
 * password. The answer is the same for both (`acceptance.md` H10, M5). An address stops here: events hold ids.
 */
export async function addMemberByIdOrEmail(
  runtime: Runtime,
  id: string,
  { user, email, role }: NewMemberRequest,
  by: Envelope,
): Promise<AddedMember> {
  if (email === undefined) return { member: user!, receipt: await add(runtime, id, user!, role, by) };
  const { account, isNew } = await accountOf(runtime, id, email, role, by);
  const receipt = await add(runtime, id, account.id, role, by).catch(async (error: unknown) => {
    if (isNew && (error instanceof Refused || error instanceof RevisionMismatch)) await forget(runtime, account.id, by);
    throw error;
  });
  // In the outbox before it is answered: whoever hears of a failure asks again, and nobody is added again.
  if (account.state === 'invited') await orUnavailable(invite(runtime, id, account.id, email, by));
  return { member: account.id, receipt };
}

const add = (runtime: Runtime, id: string, member: string, role: Role, by: Envelope) =>
  runtime.commands.execute(id, { type: 'AddMember', data: { member, role } }, by);

/** Whoever has the address. An account is made only for those who may add somebody, and where there is room. */
async function accountOf(runtime: Runtime, id: string, email: string, role: Role, by: Envelope) {
  const { accounts } = runtime.documents.people;
  const tried = { type: 'AddMember', data: { member: randomUUID(), role } } as const;
  const preview = await runtime.organizations.preview(organizationStream(id), [tried], by);
  const known = await orUnavailable(accounts.byEmail(email));
  if (known) return { account: known, isNew: false }; // whether they can be added is said when they are
  if ('refusal' in preview) throw new Refused(preview.refusal);

  const account = newAccount(email, by.at);
  if ((await orUnavailable(accounts.insert(account))) !== 'made') {
    const faster = await orUnavailable(accounts.byEmail(email));
    if (faster) return { account: faster, isNew: false }; // invited twice at once
    throw new Error('An account that stood in the way is gone.');
  }
  const told = { actor: by.actor, at: by.at, correlation: by.correlation };
  await runtime.trail.record({ account: account.id }, { type: 'AccountCreated', data: { by: 'invitation' } }, told);
  return { account, isNew: true };
}

/** Refused after all: nobody keeps an address for an invitation that there is not, unless somebody else invited them too. */
async function forget(runtime: Runtime, account: string, by: Envelope): Promise<void> {
  if (!(await isMemberSomewhere(runtime, account))) await runtime.accounts.erase(account, by);
}

const newAccount = (email: string, created: string): Account => ({
  id: randomUUID(),
  state: 'invited',
  email,
  emailVerified: false,
  username: null,
  name: null,
  role: null,
  language: null,
  passwordHash: null,
  created,
  version: 0,
});

/** A new link takes the place of the one before, so whoever lost it is simply invited again. */
async function invite(runtime: Runtime, id: string, account: string, email: string, by: Envelope): Promise<void> {
  if (!(await countAttempt(runtime, attemptLimits.mailsAccount, account)).allowed) return;
  const name = await runtime.organizations.query(organizationStream(id), ({ state }) =>
    Object.hasOwn(state.members, account) ? state.name : undefined,
  );
  if (name === undefined) return; // removed meanwhile
  const told = { actor: by.actor, at: by.at, correlation: by.correlation };
  await runtime.trail.record({ account }, { type: 'Invited', data: { organization: id } }, told);
  const link = await linkFor(runtime, 'invitation', account, email);
  await runtime.mails.send({ kind: 'invitation', account, to: email, language: null, link, organization: name });
}
