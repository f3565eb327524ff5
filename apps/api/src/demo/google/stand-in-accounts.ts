import type { Charter } from '@charter/application';
import type { DemoPerson } from '../demo-people';

/** An account at the demo's stand-in for Google. */
export type StandInAccount = Readonly<{ id: string; name: string; about: string; email: string }>;

/** The accounts at the stand-in: the demo's people with an active account and a verified address. */
export async function standInAccounts(
  { database }: Pick<Charter, 'database'>,
  people: readonly DemoPerson[],
): Promise<readonly StandInAccount[]> {
  const found = await Promise.all(
    people.map(async ({ id, about, name }): Promise<StandInAccount | undefined> => {
      const account = await database.people.accounts.byId(id);
      if (account?.state !== 'active' || !account.emailVerified || account.email === null) return undefined;
      return { id, about, name: account.name ?? name, email: account.email };
    }),
  );
  return found.filter((account) => account !== undefined);
}
