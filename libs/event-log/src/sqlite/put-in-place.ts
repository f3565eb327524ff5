import { closeSync, fsyncSync, linkSync, openSync, rmSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';

/**
 * Makes a file in full under another name and only then puts it in place, durably and readable by its owner only: whatever
 * happens, there is a whole file or none. Throws `EEXIST` when there is one already, which stays as it is.
 */
export async function putInPlace(file: string, write: (unfinished: string) => void | Promise<void>): Promise<void> {
  const unfinished = `${file}.${randomUUID()}`;
  try {
    closeSync(openSync(unfinished, 'wx', 0o600));
    await write(unfinished);
    sync(unfinished);
    linkSync(unfinished, file);
    sync(dirname(file));
  } finally {
    rmSync(unfinished, { force: true });
  }
}

function sync(path: string) {
  const opened = openSync(path, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
