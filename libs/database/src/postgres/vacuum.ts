import { sql } from 'kysely';
import type { Tables } from '../schema/schema';

/**
 * Removes erased rows from tables and indexes, where old row versions otherwise stay until the server's autovacuum.
 * Runs outside of transactions and ignores failures, because autovacuum repeats the work later.
 */
export async function vacuumPeople(tables: Tables): Promise<void> {
  await sql`vacuum (index_cleanup on) accounts, account_subjects, sessions, links, mails, api_keys, billing_messages`
    .execute(tables)
    .catch(() => undefined);
}
