import type { Account } from '@charter/identity';
import type { OrganizationQuery } from '@charter/organization-view';
import { orUnavailable } from '../../http/problems/problem';
import type { MemberAnswer } from '../organization.answers';
import type { Runtime } from '../../process/runtime';

export type MemberEntry = Pick<MemberAnswer, 'user' | 'role' | 'productUser'>;

/** Who belongs to an organization, by id. */
export const memberEntries: OrganizationQuery<readonly MemberEntry[]> = ({ state: { members } }) =>
  Object.entries(members)
    .map(([user, { role, productUser }]) => ({ user, role, productUser }))
    .sort((one, other) => (one.user < other.user ? -1 : 1));

/**
 * The same with names, from the identity store alone. A member whom it does not know is an id (`decisions.md` 22), and so
 * is somebody who was erased, which is said.
 */
export async function withAccountNames(
  { documents }: Pick<Runtime, 'documents'>,
  members: readonly MemberEntry[],
): Promise<readonly MemberAnswer[]> {
  const accounts = await orUnavailable(documents.people.accounts.byIds(members.map(({ user }) => user)));
  const known = new Map(accounts.map((account) => [account.id, account]));
  return members.map((member) => ({ ...member, ...personal(known.get(member.user)) }));
}

function personal(account: Account | undefined): Partial<MemberAnswer> {
  if (!account) return {};
  const { state, name, username, email } = account;
  return state === 'erased' ? { erased: true } : { name, username, email, invited: state === 'invited' };
}
