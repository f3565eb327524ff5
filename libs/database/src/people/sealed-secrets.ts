import type { SecretStore } from '@charter/identity';
import type { Schema, Tables } from '../schema/schema';
import { transact } from '../transactions/transact';

/** The store of encrypted ("sealed") secrets in a table, each under a name. */
export const secretsIn = (tables: Tables): SecretStore => ({
  compareAndSet: (name, { expected, sealed, mark }) =>
    transact(tables, async (within) => {
      const insertIfAbsent = (row: Schema['secrets']) =>
        within
          .insertInto('secrets')
          .values(row)
          .onConflict((same) => same.column('name').doNothing())
          .returning('name');
      const update = within.updateTable('secrets').set({ sealed }).where('name', '=', name).returning('name');
      const write = expected === undefined ? insertIfAbsent({ name, sealed }) : update.where('sealed', '=', expected);
      if ((await write.execute()).length === 0) return false;
      await insertIfAbsent({ name: mark, sealed: '' }).execute();
      return true;
    }),
  get: async (name) =>
    (await tables.selectFrom('secrets').select('sealed').where('name', '=', name).executeTakeFirst())?.sealed,
  remove: async (name, expected) => {
    await tables.deleteFrom('secrets').where('name', '=', name).where('sealed', '=', expected).execute();
  },
});
