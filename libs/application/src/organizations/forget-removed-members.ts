import { Refused, RevisionMismatch } from '@charter/aggregates';
import { organizationStream } from '@charter/organization';
import { isMemberSomewhere, type MembershipStores } from '../accounts/memberships';
import type { Charter } from '../charter';
import type { ExecutedCommand, FailedCommand } from './organization-commands';

type Stores = MembershipStores & Pick<Charter, 'database'>;

/**
 * An effect of every executed command: withdraws the invitations and ends the introductions of removed members. A
 * repeated command returns its previous receipt, so the organization may have added the member again since then.
 */
export async function forgetRemovedMembers(stores: Stores, { organization, receipt }: ExecutedCommand): Promise<void> {
  for (const { type, data } of receipt.events) {
    if (type !== 'MemberRemoved') continue;
    await withdrawInvitation(stores, data.member);
    if (receipt.repeated && (await isMember(stores, organization, data.member))) continue;
    await stores.database.people.introductions.end(organization, data.member);
  }
}

/**
 * Finishes an earlier removal if its effects failed. A caller who repeats this removal is refused, because the account
 * is not a member any more. An account that still has an introduction was a member: the end of the introduction is the
 * last effect of a removal.
 */
export async function finishRemoval(stores: Stores, { organization, commands, error }: FailedCommand): Promise<void> {
  const isRefused = error instanceof Refused || error instanceof RevisionMismatch;
  if (!isRefused || error.refusal?.refused !== 'no-such-member') return;
  const { introductions } = stores.database.people;
  for (const command of [commands].flat()) {
    if (command.type !== 'RemoveMember') continue;
    const { member } = command.data;
    if (!(await introductions.among(organization, [member])).has(member)) continue;
    if (await isMember(stores, organization, member)) continue; // a refused list removes no member
    await withdrawInvitation(stores, member);
    await introductions.end(organization, member);
  }
}

const isMember = ({ organizations }: Stores, organization: string, member: string): Promise<boolean> =>
  organizations.query(organizationStream(organization), ({ state }) => Object.hasOwn(state.members, member));

/**
 * Deletes all mailed links of a removed member who never accepted an invitation and is a member of no other
 * organization (`acceptance.md` H10).
 */
export async function withdrawInvitation(stores: Stores, member: string): Promise<void> {
  const { accounts, links } = stores.database.people;
  const account = await accounts.byId(member);
  if (account?.state === 'invited' && !(await isMemberSomewhere(stores, account.id))) await links.dropAll(account.id);
}
