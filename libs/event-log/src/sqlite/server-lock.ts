import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { sqliteCodeOf, sqliteCodes, systemCodeOf } from './failure';
import { StoreRefused } from '../store-refused';

/**
 * Takes the place of the one server on a store: an exclusive lock on a small file beside it, which the system gives back
 * when this process ends, however it ends. Answers with how to give it back sooner.
 */
export function takeServerLock(file: string): () => void {
  const lockFile = `${file}.server`;
  makePrivate(lockFile);
  const lock = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    throw sqliteCodeOf(cause) === sqliteCodes.busy
      ? new StoreRefused(`${file} is in use by another server: stop that one first.`, { cause })
      : new StoreRefused(`${lockFile} cannot be locked: delete it, it holds nothing.`, { cause });
  }
  return () => lock.close();
}

/** Never opens a file that exists: closing it again would drop the lock that this process may already hold on it. */
function makePrivate(file: string) {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST') throw error;
  }
}
