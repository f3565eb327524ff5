import { randomUUID } from 'node:crypto';
import { accessSync, constants, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createFolder } from './create-folder';
import { checkStore, networkFileSystem, olderThan } from './store-checks';
import { sqliteCodeOf, errorMessageOf, sqliteCodes, systemCodeOf } from './failure';
import { putInPlace } from './put-in-place';
import { StoreRefused } from '../store-refused';
import { createLayout } from './schema';
import { takeServerLock } from './server-lock';

export type SqliteLogOptions = Readonly<{
  file: string;
  /**
   * At most one process opens the file as `server`. Any number of other processes, such as the command line, open the
   * store as `beside`.
   */
  role: 'server' | 'beside';
  /** Receives warnings for the operator about problems that do not prevent the start. */
  warn?: (sentence: string) => void;
}>;

/** A store that has passed every check: its identity, and a connection that only reads. */
export type SqliteStore = Readonly<{ id: string; reader: DatabaseSync; release: () => void }>;

/** Opens a store, or creates it if the file does not exist. @throws StoreRefused */
export async function openStore({ file, role, warn = process.emitWarning }: SqliteLogOptions): Promise<SqliteStore> {
  checkSqlite();
  checkFolder(dirname(file));
  let release = () => {};
  try {
    if (role === 'server') release = takeServerLock(file);
    if (!statSync(file, { throwIfNoEntry: false })) await createStore(file);
    checkFile(file, warn);
    return { ...openChecked(file), release };
  } catch (cause) {
    release();
    throw cause instanceof StoreRefused ? cause : refusedBy(cause, file);
  }
}

/**
 * Checks the file and opens the reader. The checking connection closes only afterwards, because the last connection to
 * close deletes the WAL.
 */
function openChecked(file: string): Omit<SqliteStore, 'release'> {
  const db = new DatabaseSync(file, { timeout: 1000 });
  try {
    const id = checkStore(db, file);
    const reader = new DatabaseSync(file, { readOnly: true, timeout: 100 });
    reader.prepare('SELECT id FROM store').get();
    return { id, reader };
  } finally {
    db.close();
  }
}

function checkSqlite() {
  const { sqlite: version = '0' } = process.versions;
  if (olderThan(version, [3, 51, 3])) {
    throw new StoreRefused(
      `SQLite ${version} can lose committed data: run Charter on a Node.js with SQLite 3.51.3 or newer.`,
    );
  }
}

function checkFolder(folder: string) {
  try {
    createFolder(folder);
    accessSync(folder, constants.W_OK);
  } catch (cause) {
    throw new StoreRefused(
      `The folder ${folder} cannot be written: give this user the right to write to it, or name another folder.`,
      {
        cause,
      },
    );
  }
  const network = networkFileSystem(statfsSync(folder).type);
  if (network) throw new StoreRefused(`The folder ${folder} is on ${network}: a store needs a local disk.`);
}

function checkFile(file: string, warn: (sentence: string) => void) {
  const found = statSync(file);
  if (!found.isFile()) {
    const example = found.isDirectory() ? `, for example sqlite:${join(file, 'events.db')}` : '';
    throw new StoreRefused(`${file} cannot be used: it is not a regular file. Set EVENT_LOG to a file${example}.`);
  }
  const { mode, size } = found;
  if (size === 0) throw new StoreRefused(`${file} is damaged: it is empty. Restore a backup, or delete the file.`);
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
  } catch (cause) {
    throw new StoreRefused(`${file} cannot be written: give this user the right to write to it.`, { cause });
  }
  if (mode & 0o077) warn(`Users other than its owner may open ${file}: run chmod 600 on it.`);
}

async function createStore(file: string) {
  if (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size) {
    throw new StoreRefused(
      `${file} is missing, but its ${file}-wal is there: restore both files, or delete the WAL, too.`,
    );
  }
  try {
    await putInPlace(file, layOutFile);
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST') throw error; // another process created the file first
  }
}

function layOutFile(file: string) {
  const db = new DatabaseSync(file);
  createLayout(db, { id: randomUUID(), created: Date.now() });
  db.close();
}

function refusedBy(cause: unknown, file: string): unknown {
  const sentence = {
    [sqliteCodes.notADb]: `${file} is damaged, or it is no event log: SQLite cannot read it. Restore a backup.`,
    [sqliteCodes.corrupt]: `${file} is damaged: ${errorMessageOf(cause)}. Restore a backup.`,
    [sqliteCodes.readOnly]: `${file} cannot be written: give this user the right to write to it.`,
    [sqliteCodes.cannotOpen]: `${file} cannot be opened: give this user the right to it and its folder.`,
    [sqliteCodes.busy]: `${file} is locked by another program.`,
    [sqliteCodes.io]: `${file} cannot be read: the disk fails.`,
    [sqliteCodes.full]: `${file} cannot be opened: the disk is full.`,
  }[sqliteCodeOf(cause)];
  if (sentence !== undefined) return new StoreRefused(sentence, { cause });
  const code = systemCodeOf(cause);
  if (code === undefined) return cause; // any other error is a bug of Charter
  const isRights = ['EACCES', 'EPERM', 'EROFS'].includes(code);
  const why = isRights ? 'cannot be written: give this user the right' : `cannot be opened: ${errorMessageOf(cause)}`;
  return new StoreRefused(`${file} ${why}.`, { cause });
}
