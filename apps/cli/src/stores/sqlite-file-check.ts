import { DatabaseSync } from 'node:sqlite';

/** What is wrong with a SQLite file as a file: SQLite's own words, at most twenty; none when it is sound. */
export function fileFlaws(file: string): readonly string[] {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
    const lines = database.prepare('PRAGMA integrity_check(20)').all();
    return lines
      .flatMap((row) => String(row['integrity_check']).split('\n'))
      .filter((line) => line !== 'ok' && !line.startsWith('***')); // which database it is, is known
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  } finally {
    database?.close();
  }
}
