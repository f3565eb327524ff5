import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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
    giveName(unfinished, file, replaces ? renameSync : linkSync);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

function giveName(unfinished: string, file: string, name: typeof linkSync) {
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
