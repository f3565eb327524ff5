import { organizationStream } from '@charter/organization';
import { isMemberSomewhere, type MembershipStores } from '../accounts/memberships';
import type { Charter } from '../charter';
import type { ExecutedCommand } from './organization-commands';

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
 * Before the removal of a member: if the account is no member, repeats the effects of an earlier removal. The earlier
 * removal may have failed after its append. If its caller sends it again as a new command, the rules refuse the command.
 */
export async function finishRemoval(stores: Stores, organization: string, member: string): Promise<void> {
  if (await isMember(stores, organization, member)) return;
  await withdrawInvitation(stores, member);
  await stores.database.people.introductions.end(organization, member);
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
