import type { Charter } from '@charter/application';
import type { Account } from '@charter/identity';
import type { OwnAccount } from './account.answers';
import { membershipIn, membershipsOf } from './memberships';

/**
 * The answer of `GET /api/v1/me`. `only` is the organization to which the session is limited; such a session gives no
 * platform role.
 * @throws ProblemError 503
 */
export async function ownAccountAnswer(
  stores: Pick<Charter, 'database' | 'view' | 'organizations'>,
  { id, name, username, email, emailVerified, role, language, timeZone, singleKeys, created }: Account,
  only: string | undefined,
): Promise<OwnAccount> {
  const bound = only && (await membershipIn(stores, only, id));
  const memberships = only === undefined ? await membershipsOf(stores, id) : bound ? [bound] : [];
  const accepted = await stores.database.people.introductions.organizationsOf(id);
  return {
    id,
    name,
    username,
    email,
    emailVerified,
    language,
    timeZone,
    keys: singleKeys,
    role: only === undefined ? role : null,
    created,
    organizations: memberships.map((one) => ({ ...one, accepted: accepted.has(one.id) })),
  };
}
