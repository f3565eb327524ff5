import { Refused } from '@charter/aggregates';
import { noSuchOrganization } from '@charter/organization';
import type { Charter } from '@charter/application';
import { membershipIn } from '../../account/memberships';
import { orUnavailable } from '../../http/problems/problem';

/**
 * Accepts a membership. After the call, the other members see the name and address of the account (`decisions.md` 22).
 * @throws Refused `no-such-organization` if the account is not a member
 */
export async function acceptMembership(
  { database: { people }, organizations }: Pick<Charter, 'database' | 'organizations'>,
  organization: string,
  account: string,
): Promise<void> {
  const isMember = async () => (await membershipIn({ organizations }, organization, account)) !== undefined;
  if (!(await isMember())) throw new Refused(noSuchOrganization);
  await orUnavailable(people.introductions.add(organization, account));
  // if the member was removed during this call, the removal may have ended introductions before this call added one
  if (!(await isMember())) await orUnavailable(people.introductions.end(organization, account));
}
