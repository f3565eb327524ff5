import type { Account } from '@charter/identity';
import type { OrganizationQuery } from '@charter/organization-view';
import { orUnavailable } from '../../http/problems/problem';
import type { Charter } from '@charter/application';
import type { MemberAnswer } from '../organization.answers';

export type MemberEntry = Pick<MemberAnswer, 'user' | 'role' | 'productUser'>;

/** A query for the members of an organization with their ids. */
export const memberEntries: OrganizationQuery<readonly MemberEntry[]> = ({ state: { members } }) =>
  Object.entries(members)
    .map(([user, { role, productUser }]) => ({ user, role, productUser }))
    .sort((one, other) => (one.user < other.user ? -1 : 1));

/**
 * Adds names from the tables of people. A member without an account there has only an id (`decisions.md` 22). An erased
 * member has an id and `erased`.
 */
export async function withAccountNames(
  { database }: Pick<Charter, 'database'>,
  members: readonly MemberEntry[],
): Promise<readonly MemberAnswer[]> {
  const accounts = await orUnavailable(database.people.accounts.byIds(members.map(({ user }) => user)));
  const known = new Map(accounts.map((account) => [account.id, account]));
  return members.map((member) => ({ ...member, ...personal(known.get(member.user)) }));
}

function personal(account: Account | undefined): Partial<MemberAnswer> {
  if (!account) return {};
  const { state, name, username, email } = account;
  return state === 'erased' ? { erased: true } : { name, username, email, invited: state === 'invited' };
}
