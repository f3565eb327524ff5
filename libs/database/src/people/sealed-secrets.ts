import type { SecretStore } from '@charter/identity';
import type { Tables } from '../schema/schema';

/** The store of encrypted ("sealed") secrets in a table, each under a name. */
export const secretsIn = (tables: Tables): SecretStore => ({
  set: async (name, sealed) => {
    await tables
      .insertInto('secrets')
      .values({ name, sealed })
      .onConflict((same) => same.column('name').doUpdateSet({ sealed }))
      .execute();
  },
  get: async (name) =>
    (await tables.selectFrom('secrets').select('sealed').where('name', '=', name).executeTakeFirst())?.sealed,
  remove: async (name) => {
    await tables.deleteFrom('secrets').where('name', '=', name).execute();
  },
});
