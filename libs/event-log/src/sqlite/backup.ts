import { backup, DatabaseSync } from 'node:sqlite';
import { LogError } from '../errors';
import { systemCodeOf } from './failure';
import { putInPlace } from './put-in-place';

/**
 * Copies the present state of a store; other processes may use the store meanwhile.
 * @throws LogError `invalid` if `to` exists
 */
export async function backUp(file: string, to: string): Promise<void> {
  const source = new DatabaseSync(file, { readOnly: true, timeout: 1000 });
  try {
    await putInPlace(to, async (unfinished) => {
      await backup(source, unfinished, { rate: allAtOnce });
    });
  } catch (cause) {
    if (systemCodeOf(cause) === 'EEXIST') throw new LogError('invalid', `${to} already exists.`, { cause });
    throw cause;
  } finally {
    source.close();
  }
}

/**
 * Copies all pages of the file in one step. A commit between two steps would restart the backup, so a backup in several
 * steps would never end under load.
 */
const allAtOnce = 2 ** 31 - 1;
