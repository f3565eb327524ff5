import type { IntroductionStore } from '@charter/identity';
import type { Tables } from '../schema/schema';
import { noteChange } from '../stamps/note-change';
import { transact } from '../transactions/transact';
import { unlessErased } from './unless-erased';

/**
 * The store of introductions: which organizations may show a person's name to their members. One table contains the
 * present introductions, another table the former introductions.
 */
export function introductionsIn(tables: Tables): IntroductionStore {
  const among = async (
    table: 'introductions' | 'former_introductions',
    organization: string,
    accounts: readonly string[],
  ) => {
    if (accounts.length === 0) return [];
    const rows = await tables
      .selectFrom(table)
      .select('account')
      .where('organization', '=', organization)
      .where('account', 'in', accounts)
      .execute();
    return rows.map(({ account }) => account);
  };
  return {
    add: async (organization, account) => {
      await unlessErased(tables, account, async (within) => {
        await within
          .insertInto('introductions')
          .values({ organization, account })
          .onConflict((same) => same.columns(['organization', 'account']).doNothing())
          .execute();
        await noteChange(within, 'introductions');
      });
    },
    among: async (organization, accounts) => new Set(await among('introductions', organization, accounts)),
    organizationsOf: async (account) => {
      const rows = await tables
        .selectFrom('introductions')
        .select('organization')
        .where('account', '=', account)
        .execute();
      return new Set(rows.map(({ organization }) => organization));
    },
    everAmong: async (organization, accounts) => {
      // Reads `introductions` first, because the end of an introduction moves its row to `former_introductions`
      const present = await among('introductions', organization, accounts);
      return new Set([...present, ...(await among('former_introductions', organization, accounts))]);
    },
    end: (organization, account) =>
      transact(tables, async (within) => {
        const { numDeletedRows } = await within
          .deleteFrom('introductions')
          .where('organization', '=', organization)
          .where('account', '=', account)
          .executeTakeFirstOrThrow();
        if (numDeletedRows === 0n) return;
        await within
          .insertInto('former_introductions')
          .values({ organization, account })
          .onConflict((same) => same.columns(['organization', 'account']).doNothing())
          .execute();
        await noteChange(within, 'introductions');
      }),
  };
}
