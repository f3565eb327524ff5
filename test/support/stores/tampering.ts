import { DatabaseSync } from 'node:sqlite';

/** Changes the file without the service. Drops the triggers that forbid changes, and creates them again afterwards. */
export function tamper(file: string, change: (database: DatabaseSync) => void): void {
  const database = new DatabaseSync(file, { timeout: 2_000 });
  const triggers = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${String(name)}`);
  change(database);
  for (const trigger of triggers) database.exec(String(trigger['sql']));
  database.close();
}

/** Runs one statement on the file. @throws when it changes no row */
export function tampered(file: string, sql: string, ...values: (string | number)[]): void {
  tamper(file, (database) => {
    if (!(database.prepare(sql).run(...values).changes > 0)) throw new Error(`This changes nothing: ${sql}`);
  });
}

/** Removes the newest events of a stream, from this revision, so that no trace of these events remains in the file. */
export function cutOff(file: string, stream: string, from: number): void {
  const of = 'stream = (SELECT id FROM streams WHERE name = ?)';
  tampered(file, `DELETE FROM events WHERE revision >= ? AND ${of}`, from, stream);
  if (from > 0) tampered(file, 'UPDATE streams SET revision = ? WHERE name = ?', from - 1, stream);
  else tampered(file, 'DELETE FROM streams WHERE name = ?', stream);
  tampered(file, "UPDATE sqlite_sequence SET seq = (SELECT max(position) FROM events) WHERE name = 'events'");
}
