import { momentAt } from '@charter/decider';
import type { LinkStore } from '@charter/identity';
import type { Tables } from '../schema/schema';
import { unlessErased } from './unless-erased';

/**
 * The store of mailed links in a table: at most one link for each account and purpose. A new link replaces the previous
 * link.
 */
export function linksIn(tables: Tables): LinkStore {
  return {
    replace: async (link) => {
      const { hash, email, created, expires } = link;
      await unlessErased(tables, link.account, (within) =>
        within
          .insertInto('links')
          .values(link)
          .onConflict((same) => same.columns(['account', 'purpose']).doUpdateSet({ hash, email, created, expires }))
          .execute(),
      );
    },
    find: (hash) => tables.selectFrom('links').selectAll().where('hash', '=', hash).executeTakeFirst(),
    take: async (hash) => {
      const { numDeletedRows } = await tables.deleteFrom('links').where('hash', '=', hash).executeTakeFirst();
      return numDeletedRows === 1n;
    },
    dropAll: async (account) => {
      await tables.deleteFrom('links').where('account', '=', account).execute();
    },
    sweep: async (now) => {
      const { numDeletedRows } = await tables
        .deleteFrom('links')
        .where('expires', '<=', momentAt(now))
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}
