import type { Charter } from '@charter/application';
import { words } from '@charter/organization';
import { findAccount } from '../accounts/find-account';

/** The member that an argument names, and whether the argument is an e-mail address. */
type NamedMember = Readonly<{ member: string; isNamedByAddress: boolean }>;

/**
 * The member whom an argument names by id, e-mail address or username. A UUID needs no account, because programs may
 * add members that have no account here.
 * @throws CommandDeclined `no-such-account`
 */
export async function memberNamed(charter: Charter, who: string): Promise<NamedMember> {
  const id = words.Id.safeParse(who);
  if (id.success) return { member: id.data, isNamedByAddress: false };
  const { id: member } = await findAccount(charter, who);
  return { member, isNamedByAddress: who.includes('@') };
}

/**
 * Shows the name and the address of a new member to the other members, if the operator has typed the address. The
 * operator then knows the address, so the other members may see it, too (`decisions.md` 22).
 */
export async function introduceIfNamedByAddress(
  { database }: Charter,
  organization: string,
  { member, isNamedByAddress }: NamedMember,
): Promise<void> {
  if (isNamedByAddress) await database.people.introductions.add(organization, member);
}
