import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { StoreRefused } from '@charter/event-log';
import { mayHaveSeveralProcesses, type Settings } from '@charter/settings';
import { z } from 'zod';

/**
 * The name of the note in a backup: a file that contains a hash of each other file (`acceptance.md` U3). The note stays
 * until a server has started on the backup (U4).
 */
const NOTE = 'backup.json';
const note = z.object({ files: z.record(z.string(), z.string()) });
type Stores = Pick<Settings, 'data' | 'eventLog' | 'documents' | 'eventStore' | 'documentsServer'>;

/** Hashes all files in a backup's folder and writes the hashes into the backup's note. */
export function writeBackupNote(folder: string): void {
  const files = Object.fromEntries(readdirSync(folder).map((name) => [name, sha256(join(folder, name))]));
  writeHashes(folder, files);
}

/**
 * Hashes the files of a verified backup again, because a newer version of Charter migrates the tables when it opens
 * them. Does nothing if the folder has no note, for example because a server has started on the backup.
 */
export function renewBackupNote(stores: Stores): void {
  if (!hasBackupNote(stores)) return;
  const opened = openSync(join(stores.data, NOTE), 'r+');
  try {
    let text = readFileSync(opened, 'utf8');
    for (const [name, sum] of Object.entries(note.parse(JSON.parse(text)).files))
      text = text.replace(sum, sha256(fileOf(stores, name))); // the length stays
    // If a server has emptied or removed the note meanwhile, this writes only to the old, unlinked file.
    writeSync(opened, text, 0);
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

/** The file to which a name in the note belongs. For a store, the file that the settings name. */
function fileOf({ data, eventLog, documents }: Stores, name: string): string {
  if (name === 'events.db') return eventLog;
  return name === 'documents.db' ? documents : join(data, name);
}

/**
 * True if the stores are a backup on which no server has started yet. If both stores are on servers, the data folder
 * contains no store, so its note does not count.
 */
export const hasBackupNote = (stores: Stores): boolean =>
  !mayHaveSeveralProcesses(stores) && existsSync(join(stores.data, NOTE));

type Hashes = Readonly<Record<string, string>>;
/** Replaces the whole file, so that a crash leaves the former note or the new note. */
function writeHashes(folder: string, files: Hashes): void {
  const unfinished = join(folder, `${NOTE}.unfinished`);
  writeFileSync(unfinished, `${JSON.stringify({ files }, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(unfinished, join(folder, NOTE));
}

/**
 * Compares the stores and the secret files with the data folder's backup note, if there is one.
 * @throws StoreRefused when a file differs or is missing
 */
export function verifyBackupNote(stores: Stores): void {
  if (!hasBackupNote(stores)) return;
  for (const [name, sum] of Object.entries(noteIn(stores.data))) {
    const file = fileOf(stores, name);
    const what = !existsSync(file)
      ? 'is missing'
      : sha256(file) === sum
        ? undefined
        : 'differs from the file that was backed up';
    if (what)
      throw new StoreRefused(
        `${file} ${what}, according to ${join(stores.data, NOTE)}. Use another backup, or replace the content of ${NOTE} by {"files":{}} to accept these files.`,
      );
  }
}

/** Empties the note when Charter begins to use the backup, because the files of the backup change from then on. */
export function emptyBackupNote(stores: Stores): void {
  if (hasBackupNote(stores)) writeHashes(stores.data, {});
}

/** Removes the note after a server has ended the sessions of the backup and has held its mails. */
export const removeBackupNote = (folder: string): void => rmSync(join(folder, NOTE), { force: true });

function noteIn(folder: string): Hashes {
  try {
    return note.parse(JSON.parse(readFileSync(join(folder, NOTE), 'utf8'))).files;
  } catch (cause) {
    throw new StoreRefused(`${join(folder, NOTE)} cannot be read. Use another backup.`, { cause });
  }
}

/** Reads the file piece by piece, because the file of a log may be larger than the memory. */
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
