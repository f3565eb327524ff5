import type { Account } from '@charter/identity';
import { memberSince, type OrganizationQuery } from '@charter/organization-view';
import type { Charter } from '@charter/application';
import type { MemberAnswer } from '../organization.answers';

export type MemberEntry = Pick<MemberAnswer, 'user' | 'role' | 'productUser' | 'since' | 'roleSince'>;

/** A query for the members of an organization: their ids and roles, without names. */
export const memberEntries: OrganizationQuery<readonly MemberEntry[]> = ({ state: { members } }) =>
  Object.entries(members).map(([user, member]) => ({
    ...{ user, role: member.role, productUser: member.productUser },
    ...memberSince(member),
  }));

/**
 * Adds the members' names from the tables of people. Lists only the id of members without an account and of members
 * with a platform role (`decisions.md` 22). Also lists only the id of a member who was added by id, until the member
 * accepts the membership. An erased member is listed with an id and `erased`.
 */
export async function withAccountNames(
  { database }: Pick<Charter, 'database'>,
  organization: string,
  members: readonly MemberEntry[],
): Promise<readonly MemberAnswer[]> {
  const { accounts, introductions } = database.people;
  const named: MemberAnswer[] = [];
  for (let begin = 0; begin < members.length; begin += CHUNK) {
    const chunk = members.slice(begin, begin + CHUNK);
    const ids = chunk.map(({ user }) => user);
    const [found, introduced] = await Promise.all([accounts.byIds(ids), introductions.among(organization, ids)]);
    const known = new Map(found.map((account) => [account.id, account]));
    for (const member of chunk)
      named.push({ ...member, ...personal(known.get(member.user), introduced.has(member.user)) });
  }
  return named;
}

/** The number of members whose names one query reads. */
const CHUNK = 500;

/** The name of a member that the organization may show (`decisions.md` 22); undefined if there is none. */
export async function memberName(
  { people: { accounts, introductions } }: Charter['database'],
  organization: string,
  member: string,
): Promise<string | undefined> {
  const [account, introduced] = await Promise.all([accounts.byId(member), introductions.among(organization, [member])]);
  return personal(account, introduced.has(member)).name ?? undefined;
}

function personal(account: Account | undefined, isIntroduced: boolean): Partial<MemberAnswer> {
  if (account?.state === 'erased') return { erased: true };
  if (!account || !isIntroduced || account.role !== null) return {};
  const { state, name, username, email } = account;
  return { name, username, email, invited: state === 'invited' };
}
