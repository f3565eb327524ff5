import { sql } from 'kysely';
import type { Tables } from '../schema/schema';

/**
 * Removes erased rows from the files of tables and indexes. Otherwise old row versions stay there until the server's
 * autovacuum. Runs outside of transactions. Ignores failures, because autovacuum does the same work later.
 */
export async function vacuumPeople(tables: Tables): Promise<void> {
  await sql`vacuum (index_cleanup on) accounts, account_subjects, sessions, links, mails, api_keys, billing_messages`
    .execute(tables)
    .catch(() => undefined);
}
