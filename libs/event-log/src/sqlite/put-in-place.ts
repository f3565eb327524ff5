import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';

/**
 * Writes a file under a temporary name, and then gives the file its final name. The file is durable, and readable only
 * by its owner. After a crash, the file either exists with its whole content or does not exist. The function never
 * changes a file that already exists.
 * @throws Error with the code `EEXIST` if a file of this name exists
 */
export async function putInPlace(file: string, write: (unfinished: string) => void | Promise<void>): Promise<void> {
  const unfinished = `${file}.${randomUUID()}`;
  try {
    closeSync(openSync(unfinished, 'wx', 0o600));
    await write(unfinished);
    giveName(unfinished, file, linkSync);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** Like `putInPlace`, for a file that contains a short text. `replaces`: replaces a file that already exists. */
export function putTextInPlace(file: string, text: string, { replaces = false } = {}): void {
  const unfinished = `${file}.${randomUUID()}`;
  try {
    writeFileSync(unfinished, text, { flag: 'wx', mode: 0o600 });
    giveName(unfinished, file, replaces ? renameSync : linkOrCopy);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** Some file systems have no hard links. A crash during the copy can then leave an incomplete file. */
function linkOrCopy(unfinished: string, file: string): void {
  try {
    linkSync(unfinished, file);
  } catch (error) {
    if (!LINKS_MISSING.has((error as NodeJS.ErrnoException).code)) throw error;
    copyFileSync(unfinished, file, constants.COPYFILE_EXCL);
    sync(file);
  }
}
const LINKS_MISSING = new Set<string | undefined>(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

function giveName(unfinished: string, file: string, name: (unfinished: string, file: string) => void) {
  sync(unfinished);
  name(unfinished, file);
  sync(dirname(file));
}

function sync(path: string) {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
