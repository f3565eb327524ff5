import type { Charter, NamedIds } from '@charter/application';
import type { Actor } from '@charter/decider';
import type { Account, KeyRecord } from '@charter/identity';
import { hasAnyRole, organizationStream } from '@charter/organization';
import type { NameEntry } from './names.requests';

/** The platform roles that see the names of other people with a platform role. */
const platform = ['operator', 'auditor'] as const;

/**
 * The names of the people and API keys whose ids a history contains (`decisions.md` 22). A member who was added by id
 * has no name in the answer until the member has accepted the membership. Until the acceptance, the answer does not
 * reveal whether the member has an account.
 */
export async function namedPeople(
  { database, organizations }: Pick<Charter, 'database' | 'organizations'>,
  organization: string,
  wanted: NamedIds,
  { powers }: Actor,
): Promise<Readonly<Record<string, NameEntry>>> {
  const people = [...wanted.keys()].filter((id) => wanted.get(id) !== 'key');
  const { accounts, introductions } = database.people;
  const [foundAccounts, introduced, foundKeys] = await Promise.all([
    accounts.byIds(people),
    introductions.everAmong(organization, people),
    database.keys.byIds([...wanted.keys()].filter((id) => wanted.get(id) === 'key')),
  ]);
  const members = await organizations.query(
    organizationStream(organization),
    ({ state }) => new Set(people.filter((id) => Object.hasOwn(state.members, id))),
  );
  const accountOf = new Map(foundAccounts.map((account) => [account.id, account]));
  const keyOf = new Map(foundKeys.map((key) => [key.id, key]));
  const seesPlatform = hasAnyRole(platform, powers);

  const personEntry = (id: string): NameEntry => {
    const account = accountOf.get(id);
    const wasMember = wanted.get(id) === 'member';
    const as = members.has(id) ? 'member' : wasMember ? 'former-member' : (account?.role ?? 'operator');
    if (account?.state === 'erased') return { name: null, as, erased: true };
    // an account that acted without a membership had a platform role at that time, even if the role has ended
    const isPlatform = !wasMember || (account !== undefined && account.role !== null);
    const isShown = isPlatform ? seesPlatform : introduced.has(id);
    return { name: isShown ? nameOf(account) : null, as, erased: false };
  };
  return Object.fromEntries(
    [...wanted].map(([id, kind]) => [id, kind === 'key' ? keyEntry(keyOf.get(id)) : personEntry(id)]),
  );
}

const nameOf = (account: Account | undefined): string | null => account?.name ?? account?.username ?? null;

const keyEntry = (key: KeyRecord | undefined): NameEntry => ({ name: key?.name ?? null, as: 'key', erased: false });
