import { closeSync, fsyncSync, linkSync, openSync, rmSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';

/**
 * Writes a file under a temporary name and then links it to its own, durably and readable only by its owner. A crash
 * leaves a whole file or none. A file that exists already stays as it is.
 * @throws Error with the code `EEXIST` if there is already one
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
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
