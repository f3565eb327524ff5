import { sql } from 'kysely';
import type { Tables } from '../schema/schema';

/**
 * Takes erased rows out of tables and indexes, where their old versions would else stay until the server gets to it.
 * Outside of any transaction, and at best: what fails now, the server does later by itself.
 */
export async function vacuumPeople(tables: Tables): Promise<void> {
  await sql`vacuum (index_cleanup on) accounts, account_subjects, sessions, links, mails, api_keys, billing_messages`
    .execute(tables)
    .catch(() => undefined);
}
