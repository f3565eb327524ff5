import { lockRows } from '../dialect';
import type { Tables, DatabaseTransaction } from '../schema/schema';
import { transact } from '../transactions/transact';

/** Writes what is about a person, unless they were erased: nothing of them comes back by whoever was still at it. */
export const unlessErased = (
  tables: Tables,
  account: string,
  write: (within: DatabaseTransaction) => Promise<unknown>,
) =>
  transact(tables, async (within) => {
    const query = within.selectFrom('accounts').select('state').where('id', '=', account);
    const known = await lockRows(within, query).executeTakeFirst();
    if (known?.state !== 'erased') await write(within);
  });
