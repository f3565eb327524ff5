import type { Charter } from '@charter/application';
import { organizationStream } from '@charter/organization';
import { createAccount } from '../demo-people';
import type { LakesideIds } from './stage';

/**
 * The names of some members. The key of each name is the member's number. Members without an entry in this table have
 * no account and no name.
 */
const names: Readonly<Record<string, string>> = {
  0: 'Frida Lindqvist',
  1: 'Ben Okafor',
  2: 'Mia Laine',
  3: 'Jonas Weber',
  4: 'Aisha Rahman',
  5: 'Pedro Alves',
  6: 'Hanna Nieminen',
  7: 'Tom Becker',
  8: 'Yuki Tanaka',
  9: 'Clara Moreau',
  10: 'Ravi Menon',
  11: 'Eva Novak',
  12: 'Luca Ferri',
  13: 'Sara Holt',
  14: 'Emil Dahl',
  61: 'Nora Whitfield',
};

/**
 * Creates an account for each member in `names`. The accounts have no password, so the members cannot sign in. The list
 * of members shows the names of current members. The history also shows the names of former members. No event contains
 * a name.
 */
export async function namePeople(
  charter: Pick<Charter, 'database' | 'trail' | 'organizations'>,
  { id, ids }: Readonly<{ id: string; ids: LakesideIds }>,
  now: number,
): Promise<void> {
  const members = await charter.organizations.query(
    organizationStream(id),
    ({ state }) => new Set(Object.keys(state.members)),
  );
  for (const [number, name] of Object.entries(names)) {
    const member = ids.of('member', number);
    const email = `${name.toLowerCase().replace(' ', '.')}@lakeside.example`;
    await createAccount(charter, { id: member, email, name, role: null, organization: id }, null, now);
    if (!members.has(member)) await charter.database.people.introductions.end(id, member);
  }
}
