import { Refused } from '@charter/aggregates';
import { noSuchOrganization } from '@charter/organization';
import type { Charter } from '@charter/application';
import { membershipIn } from '../../account/memberships';

type Stores = Pick<Charter, 'database' | 'organizations'>;

/**
 * Accepts a membership. After the call, the other members see the name and address of the account (`decisions.md` 22).
 * @throws Refused `no-such-organization` if the account is not a member
 */
export async function acceptMembership(stores: Stores, organization: string, account: string): Promise<void> {
  if (!(await introduce(stores, organization, account))) throw new Refused(noSuchOrganization);
}

/**
 * Lets the organization show the name and address of a member. Returns false, and does nothing, if the account is not a
 * member.
 */
export async function introduce(
  { database: { people }, organizations }: Stores,
  organization: string,
  account: string,
): Promise<boolean> {
  const isMember = async () => (await membershipIn({ organizations }, organization, account)) !== undefined;
  if (!(await isMember())) return false;
  await people.introductions.add(organization, account);
  // if the member was removed during this call, the removal may have ended introductions before this call added one
  if (!(await isMember())) await people.introductions.end(organization, account);
  return true;
}
