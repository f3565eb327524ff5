import { DatabaseSync } from 'node:sqlite';

/** The errors that SQLite reports for a damaged file, at most twenty. The list is empty if the file is intact. */
export function fileFlaws(file: string): readonly string[] {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
    const lines = database.prepare('PRAGMA integrity_check(20)').all();
    return lines
      .flatMap((row) => String(row['integrity_check']).split('\n'))
      .filter((line) => line !== 'ok' && !line.startsWith('***')); // `*** in database main ***` is only a heading
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  } finally {
    database?.close();
  }
}
