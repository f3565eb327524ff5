import type { DatabaseSync } from 'node:sqlite';

/** The letters "CHRT", which mark a file as an event log of Charter. */
export const applicationId = 0x43485254;

/** The version of the layout that this code writes and reads. */
export const layoutVersion = 1;

/**
 * The SQL statements that create a store, by the names of their tables and triggers. The texts of these SQL statements
 * never change, because Charter refuses a store whose statements differ.
 */
export const layout: Readonly<Record<string, string>> = {
  store: 'CREATE TABLE store (id TEXT NOT NULL, created INTEGER NOT NULL) STRICT',
  streams: 'CREATE TABLE streams (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, revision INTEGER NOT NULL) STRICT',
  // AUTOINCREMENT, because a plain row id would use the highest number a second time after a delete
  events: `CREATE TABLE events (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  stream   INTEGER NOT NULL REFERENCES streams(id),
  revision INTEGER NOT NULL,
  event_id BLOB    NOT NULL,
  type     TEXT    NOT NULL,
  data     BLOB    NOT NULL,
  metadata BLOB,
  created  INTEGER NOT NULL,
  UNIQUE (stream, revision)
) STRICT`,
  events_final_1:
    "CREATE TRIGGER events_final_1 BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are final'); END",
  events_final_2:
    "CREATE TRIGGER events_final_2 BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are final'); END",
};

/** Creates the tables of a store in an empty database, in one transaction. */
export function createLayout(db: DatabaseSync, store: { id: string; created: number }): void {
  db.exec(
    `PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${layoutVersion}; PRAGMA journal_mode = WAL`,
  );
  db.exec(`BEGIN IMMEDIATE; ${Object.values(layout).join(';\n')};`);
  db.prepare('INSERT INTO store (id, created) VALUES (?, ?)').run(store.id, store.created);
  db.exec('COMMIT');
}

/**
 * Sets the pragmas of a connection that writes to this file.
 * @throws if the connection would not flush every commit to the disk
 */
export function setWriterPragmas(db: DatabaseSync, file: string): void {
  db.exec(writerPragmas);
  if (db.prepare('PRAGMA synchronous').get()?.['synchronous'] === 2) return;
  throw new Error(`${file} cannot be set to synchronous = FULL, which durable writes need.`);
}

/**
 * The settings of every connection that writes (`event-log.md` C1). Turns recursive triggers on, because `INSERT OR
 * REPLACE` would otherwise not fire the delete trigger. Automatic checkpoints are off, because a separate thread runs
 * the checkpoints.
 */
export const writerPragmas = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA trusted_schema = OFF;
  PRAGMA recursive_triggers = ON;
  PRAGMA wal_autocheckpoint = 0;`;
