import { accessSync, chmodSync, closeSync, constants, existsSync, openSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createFolder, StoreRefused } from '@charter/event-log';
import { openFailureReason } from './failure';

/** Two connections to one file: `writing` writes, and `reading` reads only committed data. */
export type Connections = Readonly<{ writing: DatabaseSync; reading: DatabaseSync }>;

/**
 * Opens or creates the file, so that only the file's owner can read it.
 * @throws StoreRefused with a one-sentence reason if Charter cannot use the file safely
 */
export function openFile(file: string): Connections {
  try {
    makeWritable(file);
    const writing = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
    try {
      check(writing, file);
      return { writing, reading: openForReading(file) };
    } catch (why) {
      writing.close();
      throw why;
    }
  } catch (why) {
    if (why instanceof StoreRefused) throw why;
    throw new StoreRefused(
      `The documents file ${file} ${openFailureReason(why) ?? `cannot be opened: ${String(why)}`}.`,
      {
        cause: why,
      },
    );
  }
}

function makeWritable(file: string): void {
  try {
    createFolder(dirname(file));
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
    accessSync(file, constants.R_OK | constants.W_OK);
    const { mode } = statRegularFile(file);
    // No other user may read the file, because it contains hashes of keys and passwords.
    if ((mode & 0o077) !== 0) chmodSync(file, 0o600);
  } catch (cause) {
    if (cause instanceof StoreRefused) throw cause;
    throw new StoreRefused(`The documents file ${file} cannot be written: check its owner and rights.`, { cause });
  }
}

/** @throws StoreRefused for a folder or a device; otherwise Charter would change its permissions */
function statRegularFile(file: string) {
  const found = statSync(file);
  if (found.isFile()) return found;
  const example = found.isDirectory() ? `, for example sqlite:${join(file, 'documents.db')}` : '';
  throw new StoreRefused(
    `The documents file ${file} cannot be used: it is not a regular file. Set DOCUMENTS to a file${example}.`,
  );
}

function check(database: DatabaseSync, file: string): void {
  const application = pragma(database, 'application_id');
  const empty = database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
  if (application !== APPLICATION && !(empty && application === 0)) {
    throw new StoreRefused(`The file ${file} is not a documents file of Charter.`);
  }
  if (statSync(file).size <= CHECKED_BYTES && pragma(database, 'quick_check(1)') !== 'ok') {
    throw new StoreRefused(`The documents file ${file} is damaged: restore a backup, or move the damaged file away.`);
  }
  if (pragma(database, 'journal_mode = WAL') !== 'wal') {
    throw new StoreRefused(`The documents file ${file} cannot be used with a write-ahead log on this file system.`);
  }
  if (application !== APPLICATION) database.exec(`PRAGMA application_id = ${APPLICATION}`);
  database.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF');
  if (pragma(database, 'synchronous') !== 2) {
    throw new StoreRefused(
      `The documents file ${file} cannot be set to synchronous = FULL, which durable writes need.`,
    );
  }
  database.exec('PRAGMA secure_delete = ON'); // overwrites deleted data with zeros (`acceptance.md` U6)
  database.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
}

function openForReading(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  database.exec('PRAGMA trusted_schema = OFF');
  // From its first read, the connection holds a lock. While it holds the lock, the close of another connection makes no
  // checkpoint.
  database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get();
  return database;
}

const pragma = (database: DatabaseSync, text: string): unknown =>
  Object.values(database.prepare(`PRAGMA ${text}`).get() ?? {})[0];

/** The letters "CHDC" in the header of the file, which mark a file of Charter. */
const APPLICATION = 0x43484443;

/**
 * The number of milliseconds for which SQLite blocks the thread when the file is locked. After the busy timeout, the
 * dialect continues to wait, without blocking the thread.
 */
const BUSY_TIMEOUT_MS = 100;

/**
 * The size of the writing connection's page cache in KiB. The cache is large, because writes to lists change pages in
 * all parts of the file.
 */
const CACHE_KIB = 32 * 1024;

/**
 * Charter checks the whole file at the start if the file has at most this size; the check of a larger file would delay
 * the start.
 */
const CHECKED_BYTES = 32 * 1024 * 1024;
