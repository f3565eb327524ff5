import type { DatabaseSync } from 'node:sqlite';
import type { JobEvent } from './messages';
import { uuidOf } from '../uuid';

/** The prepared statements of the writer. */
export type WriterStatements = Readonly<{
  stream: (name: string) => StreamRow | undefined;
  /** Sets the last revision of a stream, and creates a stream that does not exist. Returns the stream's number. */
  grow: (stream: StreamRow | undefined, name: string, revision: bigint) => bigint;
  /** Returns the position of the new event. */
  insert: (stream: bigint, revision: bigint, event: JobEvent, created: number) => number;
  eventAt: (stream: bigint, revision: bigint) => Readonly<{ id: string; position: number }> | undefined;
}>;

export type StreamRow = Readonly<{ id: bigint; revision: bigint }>;

export function statements(db: DatabaseSync): WriterStatements {
  const stream = db.prepare('SELECT id, revision FROM streams WHERE name = ?');
  const begin = db.prepare('INSERT INTO streams (name, revision) VALUES (?, ?)');
  const grow = db.prepare('UPDATE streams SET revision = ? WHERE id = ?');
  const event = db.prepare(
    'SELECT lower(hex(event_id)) AS hex, position FROM events WHERE stream = ? AND revision = ?',
  );
  const insert = db.prepare(
    `INSERT INTO events (stream, revision, event_id, type, data, metadata, created)
     VALUES (?, ?, unhex(?, '-'), ?, CAST(? AS BLOB), CAST(? AS BLOB), ?)`,
  );
  stream.setReadBigInts(true);

  return {
    stream: (name) => stream.get(name) as StreamRow | undefined, // the row has exactly the columns of the statement
    grow: (row, name, revision) => {
      if (!row) return BigInt(begin.run(name, revision).lastInsertRowid);
      grow.run(revision, row.id);
      return row.id;
    },
    insert: (into, revision, fields, created) => Number(insert.run(into, revision, ...fields, created).lastInsertRowid),
    eventAt: (streamId, revision) => {
      const row = event.get(streamId, revision) as { hex: string; position: number } | undefined;
      return row && { id: uuidOf(row.hex), position: row.position };
    },
  };
}
