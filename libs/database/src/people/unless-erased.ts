import { held } from '../dialect';
import type { Tables, Within } from '../schema/schema';
import { transact } from '../transactions/transact';

/** Writes what is about a person, unless they were erased: nothing of them comes back by whoever was still at it. */
export const unlessErased = (tables: Tables, account: string, write: (within: Within) => Promise<unknown>) =>
  transact(tables, async (within) => {
    const query = within.selectFrom('accounts').select('state').where('id', '=', account);
    const known = await held(within, query).executeTakeFirst();
    if (known?.state !== 'erased') await write(within);
  });
