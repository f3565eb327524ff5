import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder that only its owner can use, and the missing folders around it. Creates one folder at a time,
 * because `mkdirSync` with `recursive` never returns under /proc, where no folder can be created.
 */
export function createFolder(folder: string): void {
  if (isFolder(folder)) return;
  const around = dirname(folder);
  if (!existsSync(around)) createFolder(around);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!isFolder(folder)) throw error; // another process may have created the folder meanwhile
  }
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
