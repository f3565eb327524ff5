import { createHash } from 'node:crypto';
import { existsSync, openSync, closeSync, readdirSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StoreRefused } from '@charter/event-log';
import { z } from 'zod';

/** What a backup says of itself, until it is in use: a hash of each of its files (`acceptance.md` U3). */
const NOTE = 'backup.json';
const note = z.object({ files: z.record(z.string(), z.string()) });

/** Writes down what is in the folder of a backup. */
export function writeBackupNote(folder: string): void {
  const files = Object.fromEntries(readdirSync(folder).map((name) => [name, sha256(join(folder, name))]));
  writeFileSync(join(folder, NOTE), `${JSON.stringify({ files }, null, 2)}\n`, { mode: 0o600, flush: true });
}

/** Holds a folder against what its backup said, if it is one that was not used yet. @throws StoreRefused: a file is not as it was */
export function verifyBackupNote(folder: string): void {
  if (!existsSync(join(folder, NOTE))) return;
  for (const [name, sum] of Object.entries(noteIn(folder))) {
    const file = join(folder, name);
    const what = !existsSync(file) ? 'is missing' : sha256(file) === sum ? undefined : 'is not as it was backed up';
    if (what)
      throw new StoreRefused(
        `${file} ${what}, says ${NOTE} beside it. Bring another backup, or delete ${NOTE} to take this one as it is.`,
      );
  }
}

/** From now on it is in use, and changes. */
export const removeBackupNote = (folder: string): void => rmSync(join(folder, NOTE), { force: true });

function noteIn(folder: string): Readonly<Record<string, string>> {
  try {
    return note.parse(JSON.parse(readFileSync(join(folder, NOTE), 'utf8'))).files;
  } catch (cause) {
    throw new StoreRefused(`${join(folder, NOTE)} cannot be read: bring another backup.`, { cause });
  }
}

/** Piece by piece: a log may be larger than memory. */
function sha256(file: string): string {
  const hash = createHash('sha256');
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  const opened = openSync(file, 'r');
  try {
    for (let read; (read = readSync(opened, piece)) > 0;) hash.update(piece.subarray(0, read));
  } finally {
    closeSync(opened);
  }
  return hash.digest('hex');
}

const PIECE_BYTES = 1 << 20;
