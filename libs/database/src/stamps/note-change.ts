import { randomUUID } from 'node:crypto';
import type { DatabaseTransaction } from '../schema/schema';

/**
 * The names of the changes that a process notes, as rows of the table `marks`: API keys may have been revoked;
 * sessions may have ended, or accounts may have changed; introductions may have changed.
 */
export type NotedChange = 'keys' | 'people' | 'introductions';

/**
 * Notes a change in the transaction that makes the change. The note is a random value, which the caches of all
 * processes read as a stamp. The note must be the last statement of the transaction, so that transactions do not
 * wait for each other in a circle.
 */
export async function noteChange(within: DatabaseTransaction, name: NotedChange): Promise<void> {
  const value = randomUUID();
  await within
    .insertInto('marks')
    .values({ name, value })
    .onConflict((same) => same.column('name').doUpdateSet({ value }))
    .execute();
}
