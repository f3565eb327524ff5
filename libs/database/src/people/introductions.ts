import type { IntroductionStore } from '@charter/identity';
import type { Tables } from '../schema/schema';
import { unlessErased } from './unless-erased';

/** Introductions in a table. */
export const introductionsIn = (tables: Tables): IntroductionStore => ({
  add: async (organization, account) => {
    await unlessErased(tables, account, (within) =>
      within
        .insertInto('introductions')
        .values({ organization, account })
        .onConflict((same) => same.columns(['organization', 'account']).doNothing())
        .execute(),
    );
  },
  among: async (organization, accounts) => {
    if (accounts.length === 0) return new Set();
    const rows = await tables
      .selectFrom('introductions')
      .select('account')
      .where('organization', '=', organization)
      .where('account', 'in', accounts)
      .execute();
    return new Set(rows.map(({ account }) => account));
  },
  remove: async (organization, account) => {
    await tables
      .deleteFrom('introductions')
      .where('organization', '=', organization)
      .where('account', '=', account)
      .execute();
  },
});
