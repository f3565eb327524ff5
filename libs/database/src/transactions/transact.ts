import { setTimeout as pause } from 'node:timers/promises';
import { isSerializationFailure } from '../postgres/failure';
import type { Tables, DatabaseTransaction } from '../schema/schema';

/**
 * Runs `work` in one transaction. If two transactions deadlock or conflict, PostgreSQL rolls one of them back. The
 * function repeats a transaction that was rolled back, so `work` may run more than once.
 */
export async function transact<Answer>(
  tables: Tables,
  work: (within: DatabaseTransaction) => Promise<Answer>,
): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await tables.transaction().execute(work);
    } catch (why) {
      if (tries === TRIES_MAX || !isSerializationFailure(why)) throw why;
      await pause(Math.random() * 10 * 2 ** tries);
    }
  }
}

const TRIES_MAX = 5;
