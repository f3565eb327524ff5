import { Kysely } from 'kysely';
import { testAccount } from '../people/people.testing';
import { postgresTestDatabase } from '../database.testing';
import type { PostgresAddress } from '../postgres/address';
import { postgresDialect } from '../postgres/dialect';
import { poolOf } from '../postgres/pool';
import type { Schema } from '../schema/schema';
import { transact } from './transact';

describe('Two transactions in PostgreSQL that wait for each other', () => {
  it('both commit, because the transaction that the server rolls back runs once more', async () => {
    const place = await postgresTestDatabase();
    const { server } = place.options as { server: PostgresAddress };
    const database = await place.open();
    const [ada, bob] = [testAccount(), testAccount()];
    for (const account of [ada, bob]) await database.people.accounts.insert(account);
    const limits = { acquire: 20_000, statement: 20_000, synchronousCommit: 'on' };
    const tables = new Kysely<Schema>({ dialect: postgresDialect(poolOf(server, { max: 2, ...limits })) });

    const bothHoldARow = Promise.withResolvers<undefined>();
    let [runs, changes] = [0, 0];
    const changing = (ids: readonly string[]) =>
      transact(tables, async (within) => {
        runs += 1;
        for (const id of ids) {
          await within
            .updateTable('accounts')
            .set(({ eb }) => ({ version: eb('version', '+', 1) }))
            .where('id', '=', id)
            .execute();
          changes += 1;
          if (changes === 2) bothHoldARow.resolve(undefined);
          await bothHoldARow.promise; // from here on, each transaction has locked its first row
        }
      });
    await Promise.all([changing([ada.id, bob.id]), changing([bob.id, ada.id])]);

    expect(runs).toBe(3);
    for (const { id } of [ada, bob]) expect(await database.people.accounts.byId(id)).toMatchObject({ version: 2 });
    await tables.destroy();
    await database.close();
    await place.remove();
  }, 60_000);
});
