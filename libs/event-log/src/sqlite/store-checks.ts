import type { DatabaseSync } from 'node:sqlite';
import { StoreRefused } from '../store-refused';
import { applicationId, writerPragmas, layout, layoutVersion } from './schema';

/**
 * Runs every check whose duration does not depend on the size of the store (`event-log.md` C6). Returns the store's
 * identity.
 * @throws StoreRefused
 */
export function checkStore(db: DatabaseSync, file: string): string {
  const pragma = (name: string) => Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0];
  const refuse = (why: string) => new StoreRefused(`${file} ${why}`);

  if (pragma('application_id') !== applicationId) throw refuse('is not an event log of Charter: name another file.');
  const version = pragma('user_version');
  if (version !== layoutVersion) {
    throw refuse(
      `has layout ${String(version)}, which is newer than layout ${layoutVersion} of this Charter: update Charter.`,
    );
  }

  db.exec(writerPragmas);
  if (pragma('journal_mode') !== 'wal') throw refuse('cannot be switched to WAL mode, which a store needs.');
  if (pragma('synchronous') !== 2) throw refuse('cannot be set to synchronous=FULL, which a store needs.');

  const missing = partThatDiffers(db);
  if (missing) throw refuse(`is damaged: its ${missing} is missing or changed. Restore a backup.`);
  const [store, ...others] = db.prepare('SELECT id FROM store LIMIT 2').all() as { id: string }[];
  if (!store || others.length > 0)
    throw refuse('is damaged: it does not contain exactly one identity. Restore a backup.');
  const torn = streamThatDiffers(db);
  if (torn) throw refuse(`is damaged: the stored end of ${torn} is not its last event. Restore a backup.`);
  return store.id;
}

/** The name of a table or trigger in the file whose statement differs from this code's statement. */
function partThatDiffers(db: DatabaseSync): string | undefined {
  const sql = db.prepare('SELECT sql FROM sqlite_schema WHERE name = ?');
  return Object.keys(layout).find((name) => sql.get(name)?.['sql'] !== layout[name]);
}

/**
 * The name of a recent stream whose stored last revision differs from the revision of its last event; `undefined` if no
 * such stream exists.
 */
function streamThatDiffers(db: DatabaseSync): string | undefined {
  const row = db
    .prepare(
      `WITH newest(id) AS (
         SELECT stream FROM (SELECT stream FROM events ORDER BY position DESC LIMIT 1000)
         UNION SELECT id FROM (SELECT id FROM streams ORDER BY id DESC LIMIT 1000))
       SELECT coalesce(s.name, 'a stream without a name') AS name
       FROM newest n LEFT JOIN streams s ON s.id = n.id
       WHERE s.revision IS NOT (SELECT max(revision) FROM events e WHERE e.stream = n.id)
       UNION ALL SELECT 'the log' WHERE
         (SELECT seq FROM sqlite_sequence WHERE name = 'events') IS NOT (SELECT max(position) FROM events)
       LIMIT 1`,
    )
    .get();
  return row && String(row['name']);
}

/**
 * The name of a network file system by its `statfs` type. These file systems lack the shared memory that a WAL needs.
 */
export const networkFileSystem = (type: number): string | undefined => networks[type >>> 0];

const networks: Readonly<Record<number, string>> = {
  0x6969: 'NFS',
  0x517b: 'SMB',
  0xfe534d42: 'SMB',
  0xff534d42: 'CIFS',
  0x5346414f: 'AFS',
  0x6b414653: 'AFS',
  0x73757245: 'Coda',
  0x00c36400: 'Ceph',
  0x0bd00bd0: 'Lustre',
};

export function olderThan(version: string, least: readonly number[]): boolean {
  const parts = version.split('.').map(Number);
  const differs = least.findIndex((part, index) => part !== (parts[index] ?? 0));
  return differs >= 0 && (parts[differs] ?? 0) < least[differs]!;
}
