import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { sqliteCodeOf, sqliteCodes, systemCodeOf } from './failure';
import { StoreRefused } from '../store-refused';

/**
 * Makes this process the only server on a store, by an exclusive lock on a small file beside the store. The operating
 * system releases the lock when the process ends or crashes. Returns a function that releases the lock earlier.
 * @throws StoreRefused if another server holds the lock
 */
export function takeServerLock(file: string): () => void {
  const lockFile = `${file}.server`;
  makePrivate(lockFile);
  const lock = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    // A journal file would need space on the disk, but the server must also start on a full disk.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    throw sqliteCodeOf(cause) === sqliteCodes.busy
      ? new StoreRefused(`${file} is in use by another server: stop that one first.`, { cause })
      : new StoreRefused(`${lockFile} cannot be locked: delete this file, which contains nothing.`, { cause });
  }
  return () => lock.close();
}

/**
 * Creates the file if it does not exist. Never opens an existing file: closing that file would release a lock that this
 * process already holds on it.
 */
function makePrivate(file: string) {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST') throw error;
  }
}
