import type { SyncDatabase } from '../api-keys/api-keys';
import type { Tables, DatabaseTransaction } from '../schema/schema';
import { type NotedChange, noteChange } from '../stamps/note-change';
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
  stamp?: () => string | undefined;
}>;

/**
 * Notifies session caches that sessions may have ended.
 * @param polled the stamp that a process has read from the server, if the database runs on a server
 */
export function accountChangesIn(
  tables: Tables,
  syncReads?: SyncDatabase,
  polled?: () => string | undefined,
): AccountChanges {
  let changes = 0;
  const announce: AnnounceChange = async (change, changed) => {
    const outcome = await transact(tables, async (within) => {
      const done = await change(within);
      if (changed(done)) await noteChange(within, 'people');
      return done;
    });
    changes += 1;
    return outcome;
  };
  const stamp = syncReads ? stampOf(syncReads, () => changes) : polled;
  return { announce, ...(stamp && { stamp }) };
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

const MARK: NotedChange = 'people';
