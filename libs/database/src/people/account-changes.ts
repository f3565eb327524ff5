import { randomUUID } from 'node:crypto';
import type { SyncDatabase } from '../api-keys/api-keys';
import type { Tables, DatabaseTransaction } from '../schema/schema';
import { transact } from '../transactions/transact';

/**
 * Runs `change` in a transaction. If the outcome reports a change, the same transaction notifies the session caches.
 * `changed` decides from the outcome whether `change` has changed a row.
 */
export type AnnounceChange = <Outcome>(
  change: (within: DatabaseTransaction) => Promise<Outcome>,
  changed: (outcome: Outcome) => boolean,
) => Promise<Outcome>;

export type AccountChanges = Readonly<{
  announce: AnnounceChange;
  /** A value that changes with each notification by this process or another process. */
  stamp?: () => string;
}>;

/**
 * Notifies session caches that sessions may have ended. The notification is a random value in a table, because the
 * caches of other processes also read this table. Without synchronous queries no process caches sessions, so no process
 * sends notifications.
 */
export function accountChangesIn(tables: Tables, hot?: SyncDatabase): AccountChanges {
  let changes = 0;
  const announce: AnnounceChange = async (change, changed) => {
    const outcome = await transact(tables, async (within) => {
      const done = await change(within);
      if (hot && changed(done)) await note(within);
      return done;
    });
    changes += 1;
    return outcome;
  };
  return { announce, ...(hot && { stamp: stampOf(hot, () => changes) }) };
}

async function note(within: DatabaseTransaction): Promise<void> {
  const value = randomUUID();
  await within
    .insertInto('marks')
    .values({ name: MARK, value })
    .onConflict((same) => same.column('name').doUpdateSet({ value }))
    .execute();
}

function stampOf({ askSync, version }: SyncDatabase, changes: () => number): () => string {
  const ask = askSync('select value from marks where name = ?');
  let seen = '';
  let value = '';
  return () => {
    const now = `${version()}.${changes()}`;
    // Reads the value anew only after a commit. Most commits end no session, so the stamp stays the same.
    if (now !== seen) value = (ask(MARK) as { value: string } | undefined)?.value ?? '';
    seen = now;
    return value;
  };
}

const MARK = 'people';
