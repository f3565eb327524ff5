import { lockRows } from '../dialect';
import type { Tables, DatabaseTransaction } from '../schema/schema';
import { transact } from '../transactions/transact';

/**
 * Writes a record of a person only if the person is not erased. A write after an erasure therefore stores no personal
 * data.
 */
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
